#include "local_kernel.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Hands the matrices of all kernels to f, in order and in groups: all at once as long as the bank
// keeps them, so that one pass over the rows serves several kernels; one by one where it does not.
template <class F>
void each_group(const KernelBank& bank, const Runtime& runtime, const F& f) {
  std::vector<GramView> group;
  for (Index m = 0; m < bank.size(); ++m) {
    group.push_back(bank.matrix(m, runtime));
    const bool kept = group.back().owner.use_count() != 1;
    if (kept && m + 1 < bank.size()) continue;
    f(m + 1 - static_cast<Index>(group.size()), group);
    group.clear();
  }
}

// Adds a group of kernels, of which `first` is the first, to column j of K_eta.
void add_column(const std::vector<GramView>& group, Index first, const Matrix& eta, Index j,
                double* to) {
  const Index n = eta.rows();
  Eigen::Map<Eigen::ArrayXd> column(to, n);
  for (std::size_t g = 0; g < group.size(); ++g) {
    const Index m = first + static_cast<Index>(g);
    const Eigen::Map<const Eigen::ArrayXd> k(group[g].view.column(j), n);
    if (m == 0) column = eta(j, m) * eta.col(m).array() * k;
    else column += eta(j, m) * eta.col(m).array() * k;
  }
}

// u_m += K_m (eta_m * b) for every kernel. Tasks are rows of one kernel, whatever the number of
// threads.
void add_products(const KernelBank& bank, const Matrix& eta, const Vector& b, Matrix& u,
                  const Runtime& runtime) {
  constexpr Index block = 512;
  const Index n = eta.rows(), blocks = (n + block - 1) / block;
  each_group(bank, runtime, [&](Index first, const std::vector<GramView>& group) {
    runtime.parallel_for(static_cast<Index>(group.size()) * blocks, [&](Index task) {
      const Index g = task / blocks, m = first + g, row = task % blocks * block;
      const MatrixView& k = group[at(g)].view;
      for (Index j = 0; j < n; ++j)
        if (b[j] != 0.0)
          runtime.simd->axpy(eta(j, m) * b[j], k.column(j) + row, u.col(m).data() + row,
                             std::min(block, n - row));
    });
  });
}

}  // namespace

LocalKernel::LocalKernel(const KernelBank& bank, const Matrix& eta, Matrix& k,
                         const Runtime& runtime)
    : bank_(bank),
      eta_(eta),
      k_(k),
      made_(at(eta.rows()), false),
      stored_(view(k), runtime.memory) {
  const Index n = eta.rows();
  diagonal_ = Vector::Zero(n);
  each_group(bank, runtime, [&](Index first, const std::vector<GramView>& group) {
    for (std::size_t g = 0; g < group.size(); ++g) {
      const auto weights = eta.col(first + static_cast<Index>(g)).array();
      for (Index i = 0; i < n; ++i) diagonal_[i] += weights[i] * weights[i] * group[g].view(i, i);
    }
    if (static_cast<Index>(group.size()) == bank.size()) {
      kernels_ = group;
      return;
    }
    constexpr Index block = 64;  // columns per task
    runtime.parallel_for((n + block - 1) / block, [&](Index task) {
      for (Index j = task * block; j < std::min(n, (task + 1) * block); ++j)
        add_column(group, first, eta, j, k_.col(j).data());
    });
  });
}

void LocalKernel::make(Index column) {
  if (kernels_.empty() || made_[at(column)]) return;
  add_column(kernels_, 0, eta_, column, k_.col(column).data());
  made_[at(column)] = true;
}

const double* LocalKernel::column(Index position) {
  if (active_.empty()) make(position);
  return stored_.column(position);
}

void LocalKernel::activate(const Indices& variables) {
  active_ = variables;
  for (Index v : variables) make(v);
  stored_.activate(variables);
}

Vector LocalKernel::multiply(const Vector& b, const Runtime& runtime) {
  products_ = {b, Matrix::Zero(size(), eta_.cols())};
  add_products(bank_, eta_, b, products_.u, runtime);
  return (eta_.array() * products_.u.array()).rowwise().sum();
}

Matrix contributions(const KernelBank& bank, const Matrix& eta, const Vector& beta,
                     KernelProducts near, const Runtime& runtime) {
  if (near.u.size() == 0) near = {Vector::Zero(eta.rows()), Matrix::Zero(eta.rows(), eta.cols())};
  add_products(bank, eta, beta - near.b, near.u, runtime);
  return beta.asDiagonal() * Matrix(eta.array() * near.u.array());
}

}  // namespace mk
