// The one road from R's lists to a fit, for the entries that bring a learner of their own.
#pragma once

#include <Rcpp.h>

#include <functional>
#include <memory>
#include <vector>

#include "learners/learner.hpp"

namespace mk {

using LearnerFactory = std::function<std::unique_ptr<Learner>()>;
using LearnersFactory = std::function<std::vector<std::unique_ptr<Learner>>()>;

Rcpp::List fit_learner(const Rcpp::NumericMatrix& x, const Rcpp::List& problem,
                       const Rcpp::List& kernels, const LearnerFactory& make_method,
                       const Rcpp::List& control);

// Several learners on the same kernels, which are computed once. `models` and `decision` are lists
// with an element per learner; `kept` are the rows that any of them needs.
Rcpp::List fit_learners(const Rcpp::NumericMatrix& x, const Rcpp::List& problem,
                        const Rcpp::List& kernels, const LearnersFactory& make_methods,
                        const Rcpp::List& control);

}  // namespace mk
