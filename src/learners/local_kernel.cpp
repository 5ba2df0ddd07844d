#include "local_kernel.hpp"

namespace mk {

namespace {

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
void add_products(const HeldKernels& kernels, const Matrix& eta, const Vector& b, Matrix& u,
                  const Runtime& runtime) {
  constexpr Index block = 512;
  const Index n = eta.rows(), blocks = (n + block - 1) / block;
  kernels.each_group(runtime, [&](Index first, const std::vector<GramView>& group) {
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

// Runs make(j) for the columns in `which`, some of them at a time.
template <class F>
void each_column(const Indices& which, const Runtime& runtime, const F& make) {
  constexpr Index block = 64;
  const Index n = static_cast<Index>(which.size());
  runtime.parallel_for((n + block - 1) / block, [&](Index task) {
    for (Index i = task * block; i < std::min(n, (task + 1) * block); ++i) make(which[at(i)]);
  });
}

}  // namespace

HeldKernels::HeldKernels(const KernelBank& bank, const Runtime& runtime) : bank_(bank) {
  double fresh = 0.0;  // matrices that the bank does not keep, nor book
  for (Index m = 0; m < bank.size(); ++m) {
    GramView k = bank.matrix(m, runtime);
    if (k.owner.use_count() == 1 && !bank.fits(++fresh + 1.0)) {
      all_.clear();
      return;
    }
    all_.push_back(std::move(k));
  }
  booked_ = bank.reserve(fresh);
}

LocalKernel::LocalKernel(const HeldKernels& kernels, const Matrix& eta, Matrix& k,
                         const Runtime& runtime)
    : kernels_(kernels),
      eta_(eta),
      k_(k),
      runtime_(runtime),
      made_(at(eta.rows()), 0),
      stored_(view(k), runtime.memory, runtime) {
  const Index n = eta.rows();
  const bool now = kernels.all().empty();
  diagonal_ = Vector::Zero(n);
  kernels.each_group(runtime, [&](Index first, const std::vector<GramView>& group) {
    for (std::size_t g = 0; g < group.size(); ++g) {
      const auto weights = eta.col(first + static_cast<Index>(g)).array();
      for (Index i = 0; i < n; ++i) diagonal_[i] += weights[i] * weights[i] * group[g].view(i, i);
    }
    if (now)
      each_column(all_rows(n), runtime,
                  [&](Index j) { add_column(group, first, eta, j, k_.col(j).data()); });
  });
  if (now) made_.assign(at(n), 1);
}

void LocalKernel::make(Index column) {
  if (made_[at(column)]) return;
  add_column(kernels_.all(), 0, eta_, column, k_.col(column).data());
  made_[at(column)] = 1;
}

const double* LocalKernel::column(Index position) {
  if (active_.empty()) make(position);
  return stored_.column(position);
}

void LocalKernel::activate(const Indices& variables) {
  active_ = variables;
  each_column(variables, runtime_, [this](Index v) { make(v); });
  stored_.activate(variables);
}

Vector LocalKernel::multiply(const Vector& b, const Runtime& runtime) {
  products_ = {b, Matrix::Zero(size(), eta_.cols())};
  add_products(kernels_, eta_, b, products_.u, runtime);
  return (eta_.array() * products_.u.array()).rowwise().sum();
}

Matrix contributions(const HeldKernels& kernels, const Matrix& eta, const Vector& beta,
                     KernelProducts near, const Runtime& runtime) {
  if (near.u.size() == 0) near = {Vector::Zero(eta.rows()), Matrix::Zero(eta.rows(), eta.cols())};
  add_products(kernels, eta, beta - near.b, near.u, runtime);
  return beta.asDiagonal() * Matrix(eta.array() * near.u.array());
}

}  // namespace mk
