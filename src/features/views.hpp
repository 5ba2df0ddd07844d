// Several sources of data of the same examples: each view is features of its own. An example may
// lack some views.
//
// A kernel sees one view. Of an example that lacks its view it sees nothing: with a_im = 1 if
// example i has view m, else 0,
//   k(i, j) = s_i a_im k_m(i, j) a_jm s_j,    s_i = sqrt(M / sum_m a_im),
// the product of two kernels, so that it stays positive semi-definite. The factors s make up for
// what an example lacks: its similarities to others are as large as those of complete examples.
#pragma once

#include "../base/state.hpp"
#include "features.hpp"

namespace mk {

class ViewFeatures final : public Features {
 public:
  // `present`: examples x views, 1 or 0; without rows all examples have all views.
  ViewFeatures(std::vector<SharedFeatures> views, Texts names, Matrix present);

  const char* type() const override { return "views"; }
  Index rows() const override { return views_.front()->rows(); }
  // Those of the views of numbers, one view after the other.
  Index columns() const override;
  void check(const PairSum& sum, const std::string& kernel,
             const std::string& argument) const override;
  void check_finite(const std::string& argument) const override;
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows,
                                          const Origin& origin) const override;
  Matrix values(const Indices& rows, const Indices& columns) const override;
  const ViewFeatures* views() const override { return this; }

  Index count() const { return static_cast<Index>(views_.size()); }
  const SharedFeatures& view(Index v) const { return views_[at(v)]; }
  std::string name(Index v, const std::string& argument) const;
  // Whether any example may lack a view.
  bool masked() const { return present_.rows() > 0; }
  bool has(Index row, Index v) const { return !masked() || present_(row, v) != 0.0; }
  // s_i
  double share(Index row) const;

 private:
  std::vector<SharedFeatures> views_;
  Texts names_;
  Matrix present_;
};

}  // namespace mk
