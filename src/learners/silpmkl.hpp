// Convex MKL by a semi-infinite linear programme (Sonnenburg et al. 2006). Every SVM solution a
// gives a cut J(d) >= sum(a) - 1/2 d'S(a); the next weights minimise the largest of the cuts so
// far.
#pragma once

#include "mkl_search.hpp"

namespace mk {

class SilpmklLearner final : public MklLearner {
 public:
  SilpmklLearner(const State& parameters, const SmoOptions& smo)
      : MklLearner("silpmkl", MklOptions::read(parameters, smo)) {}

 private:
  void run(MklSearch& search, const Runtime& runtime) const override;
};

}  // namespace mk
