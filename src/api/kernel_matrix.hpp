// Kernel matrices as a front end asks for them, written to memory of the front end.
#pragma once

#include <vector>

#include "../kernels/cross_bank.hpp"
#include "kernel_items.hpp"

namespace mk {

struct KernelRequest {
  SharedFeatures x;            // training rows, on which normalizers are fitted
  SharedFeatures z;            // new rows
  std::vector<State> kernels;  // with stored matrices of x against x
  std::vector<State> fresh;    // the same with those of z against x; empty: x against x is wanted
  Vector weights;              // empty, or those of the sum that is wanted
};

class KernelMatrices {
 public:
  // Checks the request; it must outlive the matrices.
  KernelMatrices(const KernelRequest& request, const Runtime& runtime);

  Index count() const { return request_.weights.size() == 0 ? bank_.size() : 1; }
  Index rows() const { return request_.fresh.empty() ? request_.x->rows() : request_.z->rows(); }
  Index cols() const { return request_.x->rows(); }
  // Column-major values of each matrix; throws InvalidArgument if one is beyond the range of
  // numbers.
  void fill(const std::vector<double*>& target) const;

 private:
  void fill_symmetric(const std::vector<double*>& target) const;
  void fill_cross(const std::vector<double*>& target) const;
  void check_overflow(const std::vector<double*>& target) const;

  const KernelRequest& request_;
  const Runtime& runtime_;
  KernelBank bank_;
  KernelItems fresh_;
};

// The normalized width that a rule gives for a Gaussian kernel on the given columns of x.
double kernel_width(const Features& x, const Indices& columns, const std::string& rule,
                    const Runtime& runtime);

}  // namespace mk
