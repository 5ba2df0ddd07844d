// Gating models of LMKL: how much each kernel counts at a point z of the gating space. The softmax
// is that of Goenen & Alpaydin 2008, section 2.
//   softmax  eta_m = exp(a_m) / sum_k exp(a_k), a_m = v_m'z + v_m0
//   sigmoid  eta_m = 1 / (1 + exp(-a_m))
//   rbf      softmax with a_m = -exp(s_m) ||z - c_m||^2
// Parameters are one matrix with a column per kernel: (v_m, v_m0) or (c_m, s_m).
#pragma once

#include <string>

#include "../base/random.hpp"
#include "../base/types.hpp"

namespace mk {

enum class GatingKind { softmax, sigmoid, rbf };

class Gating {
 public:
  Gating() = default;
  Gating(GatingKind kind, Index n_features, Index n_kernels)
      : kind(kind), parameters(Matrix::Zero(n_features + 1, n_kernels)) {}

  // Small random numbers (Algorithm 1, line 1); for rbf centers among the rows of z.
  void initialise(const Matrix& z, Random& random);

  // The parameters that give every kernel the same weight everywhere; for rbf centers at the mean
  // of the features, with the precision of a start.
  void neutralize();

  // eta: one row per example, one column per kernel. `open`: 0 where a kernel does not count
  // whatever the gate says, as it sees a view that the example lacks; without rows none is closed.
  Matrix weights(const Matrix& z, const Matrix& open = {}) const;

  // d/d(parameters) of -sum_ik c_ik log eta_k(z_i), with the c_ik held fixed: the gradient of the
  // LMKL objective for c_ik = beta_i eta_ik sum_j K_k(i, j) eta_jk beta_j.
  Matrix gradient(const Matrix& z, const Matrix& eta, const Matrix& c) const;

  GatingKind kind = GatingKind::softmax;
  Matrix parameters;

 private:
  Matrix activations(const Matrix& z) const;
};

GatingKind read_gating(const std::string& name);
std::string gating_name(GatingKind kind);

}  // namespace mk
