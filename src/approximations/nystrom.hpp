// The Nystrom approximation (Williams & Seeger 2001): with landmarks L among the rows,
//   K ~ K_nL K_LL^+ K_Ln = Z Z',  Z = K_nL W,  W W' = K_LL^+.
// A function of the features, z(x)'v = k(x, L) W v, is an expansion on the landmarks.
#pragma once

#include <memory>
#include <vector>

#include "../kernels/kernel_bank.hpp"

namespace mk {

struct Nystrom {
  Indices landmarks;  // in increasing order
  std::shared_ptr<const KernelFeatures> features;
  std::shared_ptr<const FeatureMaker> maker;  // of the same features for any examples
  std::vector<Matrix> back;  // of each kernel: from v to coefficients of the landmarks, W
  // Of each kernel: trace(K - ZZ') / trace(K), on some of the rows where there are many.
  Vector error;
  // Of each kernel: whether its matrix of the landmarks is not positive semi-definite. Z Z' then
  // leaves out a part that no number of landmarks brings back.
  std::vector<bool> indefinite;
};

// The features of all rows of the bank, held as the memory allows.
Nystrom make_nystrom(const KernelBank& bank, const Indices& landmarks, const Runtime& runtime);

}  // namespace mk
