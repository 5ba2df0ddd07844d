// Predictions of stored models as a front end asks for them.
#pragma once

#include <memory>
#include <vector>

#include "../learners/registry.hpp"
#include "../reduction/multiclass.hpp"
#include "kernel_items.hpp"

namespace mk {

// A stored model, and what of it is to predict.
struct ModelRequest {
  State state;
  PredictOptions options;
};

// A model whose rows are positions below n_train.
std::unique_ptr<Model> restore_checked(const State& state, Index n_train);

// Throws InvalidArgument naming the first row with values that are not finite.
void check_decision(const Matrix& values);

struct PredictRequest {
  SharedFeatures x, train;  // new rows and the training rows that the fit kept, standardized
  std::vector<State> kernels, normalizers;
  std::vector<ModelRequest> models;
};
// One column of decision values for each model.
Matrix predict(const PredictRequest& request, const Runtime& runtime);
// The decision values as sums over groups of the kernels in the request, one for each model.
std::vector<Terms> predict_terms(const PredictRequest& request, KernelGroups groups,
                                 const Runtime& runtime);
// What each training row (columns) contributes to the decision value of each new row, for each
// model: all but its constant.
std::vector<Matrix> predict_row_terms(const PredictRequest& request, const Runtime& runtime);

// sum_m weights_m K_m between the new rows and the training rows.
Matrix predict_sum(const PredictRequest& request, const Vector& weights, const Runtime& runtime);

// The class of each row, and its class probabilities, from finite decision values.
Indices predict_classes(const MatrixView& decision, const std::vector<FittedPair>& pairs,
                        Index classes);
Matrix predict_probabilities(const MatrixView& decision, const std::vector<FittedPair>& pairs,
                             Index classes);

}  // namespace mk
