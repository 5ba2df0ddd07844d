// Learners on kernels sharpened by the labels of a two-class problem (see kernels/label_based.hpp).
//
// The learner sees K**_m for each label-based kernel, or K_m itself for a plain one, and must give
// a decision function that is linear in them, with coefficients a_m for kernel m (d_m b for kernel
// weights d). With v_m = K*_m a_m (a_m for a plain kernel) the model is a LbmklModel.
#pragma once

#include "../learners/moments.hpp"

namespace mk {

// Fits the points to the kernels of the training set, some of which may be label-based. `known`:
// the moments of an approximated training set, where the caller has them.
Models fit_points(const LearnerPath& path, const TrainingSet& data, const Runtime& runtime,
                  const Moments* known = nullptr);

}  // namespace mk
