// Fitted models as lists for R.
#pragma once

#include <Rcpp.h>

#include "reduction/multiclass.hpp"

namespace mk {

// positive, negative, weights, platt, report, state
Rcpp::List model_list(const SubModel& sub);

}  // namespace mk
