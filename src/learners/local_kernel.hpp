// The kernel of localized multiple kernel learning at given gating weights,
//   K_eta(i, j) = sum_m eta_im K_m(i, j) eta_jm,
// for the solver, and what its parts say about the gating model.
//
// An SVM that starts near its solution looks at few columns, so they are made when they are
// asked for, and K_eta b is taken from the products with each K_m, which the gradient needs anyway.
#pragma once

#include "../kernels/kernel_bank.hpp"
#include "../solvers/q_matrix.hpp"

namespace mk {

// The matrices of a bank for many passes over them: held all the while if the budget suffices for
// them and one more, else made anew for every pass.
class HeldKernels {
 public:
  HeldKernels(const KernelBank& bank, const Runtime& runtime);
  // Empty if they are not held.
  const std::vector<GramView>& all() const { return all_; }
  // Hands them to f(first, group) in order: all at once, or one by one.
  template <class F>
  void each_group(const Runtime& runtime, const F& f) const {
    if (!all_.empty()) return f(Index{0}, all_);
    for (Index m = 0; m < bank_.size(); ++m) f(m, std::vector<GramView>{bank_.matrix(m, runtime)});
  }

 private:
  const KernelBank& bank_;
  std::vector<GramView> all_;
  std::shared_ptr<const void> booked_;
};

// u_m = K_m (eta_m * b), one column for each kernel. Without columns: not known.
struct KernelProducts {
  Vector b;
  Matrix u;
};

class LocalKernel final : public QMatrix {
 public:
  // `k` is memory for n x n numbers. It, the kernels, `eta` and the runtime must outlive this.
  LocalKernel(const HeldKernels& kernels, const Matrix& eta, Matrix& k, const Runtime& runtime);
  Index size() const override { return eta_.rows(); }
  double diagonal(Index variable) const override { return diagonal_[variable]; }
  const double* column(Index position) override;
  Vector multiply(const Vector& b, const Runtime& runtime) override;
  void activate(const Indices& variables) override;

  // Of the last call of multiply().
  KernelProducts take_products() { return std::move(products_); }

 private:
  void make(Index column);

  const HeldKernels& kernels_;
  const Matrix& eta_;
  Matrix& k_;
  const Runtime& runtime_;
  std::vector<char> made_;  // which columns of k there are
  Vector diagonal_;
  StoredQ stored_;
  Indices active_;
  KernelProducts products_;
};

// c_im = beta_i eta_im u_im(beta). Products with a b near `beta` save most of the work.
Matrix contributions(const HeldKernels& kernels, const Matrix& eta, const Vector& beta,
                     KernelProducts near, const Runtime& runtime);

}  // namespace mk
