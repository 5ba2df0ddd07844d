// Linear systems of Newton's method and of squared losses on a matrix of low rank,
//   (I + s Z'(D - sum_g d_g d_g' / 1'd_g) Z) x = right,
// with curvatures d_g >= 0 of the examples in each of a few groups, D = diag(sum_g d_g): what is
// taken off belongs to multipliers of the groups, or biases, that move along.
//
// Products of all rows of Z with each other are what would take the time. With many rows those of
// some of them, or of an earlier D, are a preconditioner for conjugate gradients, whose iterations
// take a pass over the rows each.
#pragma once

#include <optional>
#include <vector>

#include "../base/cholesky.hpp"
#include "low_rank.hpp"

namespace mk {

class LowRankSystem {
 public:
  LowRankSystem(const LowRank& z, double scale, const Runtime& runtime)
      : z_(z), scale_(scale), runtime_(runtime) {}

  // From now on the curvatures are these.
  void set(std::vector<Vector> groups);

  // x up to `tol` of its length, as the matrix measures it. If `rough`, the solution for some of
  // the rows will do.
  Vector solve(const Vector& right, double tol, bool rough);

 private:
  Indices active() const;
  void build(bool rough);
  bool factor(double ridge);
  void take_off(const std::vector<Vector>& groups, Matrix& h) const;
  Vector precondition(Vector right) const;
  Vector multiply(const Vector& x);
  Vector border(const Vector& curvature) const { return z_.backward(curvature); }
  bool iterate(const Vector& right, double tol, int most, Vector& x);

  const LowRank& z_;
  const double scale_;
  const Runtime& runtime_;
  std::vector<Vector> groups_;
  Vector curvature_;             // their sum
  std::vector<Vector> borders_;  // Z'd_g; empty until they are needed
  Matrix matrix_, factored_;     // of some rows or of an earlier D
  std::optional<Cholesky> factor_;
  bool all_rows_ = false;  // of its D
  int patience_ = 0;       // iterations that take as long as another matrix
  int iterations_ = 0;     // of the last solution
  int usual_ = 0;          // with a matrix of its own
};

}  // namespace mk
