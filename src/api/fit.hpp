// A fit as a front end asks for it: data, kernels, problem and learner in; models, the rows to
// keep and decision values out.
#pragma once

#include <string>
#include <vector>

#include "../learners/registry.hpp"
#include "../reduction/multiclass.hpp"
#include "kernel_items.hpp"

namespace mk {

struct FitRequest {
  SharedFeatures x;  // of no columns if all kernels are stored matrices
  std::vector<State> kernels;
  Problem problem;
  LearnerRequest learner;  // its points share what can be computed once
  State approximation;     // empty: none; see approximate() in fit.cpp
};

struct FitResult {
  std::vector<std::vector<SubModel>> models;  // of each point; their rows are positions in `kept`
  Indices kept;                               // training rows that any model needs
  Normalizers normalizers;
  std::vector<Matrix> decision;    // of each point: training rows x models
  Vector approximation_error;      // of each kernel, relative; empty if it is exact
  std::string approximation_form;  // of its features, see form_name(); empty if it is exact
};

FitResult fit(const FitRequest& request, const Runtime& runtime);

// A problem by the names of its fields; positions of `pairs` are optional, and so is `balance`.
Problem read_problem(const State& state);

// A fit of some or all of the two-class problems, as a process has made it.
struct StoredFit {
  Indices kept;
  std::vector<std::vector<State>> models;  // of each point
  std::vector<Matrix> decision;            // of each point; NaN where the process did not know it
};
// What one process would have given for the problems of all parts, one part after the other.
StoredFit join_fits(const SharedFeatures& x, const std::vector<State>& kernels,
                    const std::vector<StoredFit>& parts, const Runtime& runtime);

}  // namespace mk
