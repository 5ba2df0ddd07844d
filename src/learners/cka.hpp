// Kernel weights by centered alignment with the response (Cortes, Mohri & Rostamizadeh 2012), then
// an SVM on the weighted sum. With r_m the correlation of the centered kernel K_m with yy' and C
// the correlations of the centered kernels with each other, "independent" gives kernel m the weight
// r_m, and "alignf" finds the weighted sum of the largest correlation, max r'd / sqrt(d'Cd), d >=
// 0, for kernels of norm 1.
//
// A row of weight 2 acts as two rows. Blocks of rows of the kernels are made within the memory
// budget: once if whole kernels fit, else twice, for the means and for the centered values.
#pragma once

#include "svm.hpp"

namespace mk {

// Correlations of centered kernels: cosines of the angles between them as vectors of entries. Those
// of a kernel that is constant are 0.
struct Alignments {
  Vector target;  // with yy'
  Matrix pairs;   // with each other; the diagonal alone unless they were asked for
  Vector norms;   // of the centered kernels, 0 for constant ones
};

Alignments alignments(const TrainingSet& data, bool pairs, const Runtime& runtime);

struct AlignmentWeights {
  Vector weights;  // of sum 1
  // Alignment of the sum below the largest possible one, as a share of it: an upper bound for
  // positive semi-definite kernels.
  double gap = 0.0;
  int iterations = 0;
};

AlignmentWeights alignf_weights(const Alignments& known, const Runtime& runtime);
AlignmentWeights independent_weights(const Alignments& known);

struct CkaLearner : Learner {
  CkaLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const;

  SvmOptions svm;
  bool alignf;
};

}  // namespace mk
