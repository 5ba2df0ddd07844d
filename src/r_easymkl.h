// EasyMKL whose passes over the kernels are run by other R processes.
#pragma once

#include <Rcpp.h>

#include <memory>

#include "learners/easymkl.hpp"

namespace mk {

// Passes by an R function(what, rows, values). R is called back, which only its own thread may do:
// `control` must say one thread.
std::shared_ptr<const KernelPasses> make_passes(const Rcpp::Function& run,
                                                const Rcpp::List& control);

}  // namespace mk
