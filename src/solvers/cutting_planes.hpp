// A convex function on the simplex known from below by cuts f(d) >= c_t + g_t'd, and the two small
// programs that cutting plane methods solve on them.
#pragma once

#include "interior_point.hpp"

namespace mk {

class CuttingPlanes {
 public:
  explicit CuttingPlanes(Index size) : size_(size) {}

  void add(double constant, const Vector& gradient);

  struct Point {
    Vector d;
    double value = 0.0;  // of the model, a lower bound of the function over the simplex
    bool solved = false;
  };
  // Minimum of the largest cut: a linear program. `upper`: a value of the function.
  Point minimum(double upper, const Runtime& runtime) const;

  // The point nearest to `centre` at which no cut exceeds `level`: a quadratic program.
  Vector project(const Vector& centre, double level, const Runtime& runtime) const;

  // Forgets the cuts that were slack at the last `rounds` minima, so that the programs stay
  // small.
  void forget_slack(int rounds);

 private:
  struct Cut {
    double constant;
    Vector gradient;
    mutable int idle = 0;  // minima in a row at which it did not bind
  };
  // Rows: one per cut and the sum of d. Columns: d, then `extra`, then one slack per cut.
  QpProblem programme(double scale, Index extra) const;
  double scale() const;

  Index size_;
  std::vector<Cut> cuts_;
};

}  // namespace mk
