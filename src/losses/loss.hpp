// The losses of support vector machines and of all learners built on them. A loss knows its dual on
// a kernel matrix K,
//   max_b  p'b - 1/2 b'(K + R)b   over bounds of b and of its sum,
// in signed coefficients b = y * alpha, one per row, with a diagonal R that most losses lack.
#pragma once

#include <string>

#include "../base/state.hpp"
#include "../solvers/smo.hpp"
#include "target.hpp"

namespace mk {

// The dual on a given matrix, solved.
struct SvmSolution {
  Vector coefficients;  // signed, one per row
  Vector fitted;        // decision values on the rows
  SmoResult solved;     // its objective is that of the loss
};

class Loss {
 public:
  virtual ~Loss() = default;

  const std::string name;
  const TargetKind* const target;  // the kind of response that it takes, or the first of them
  const double cost;               // the price of an error
  const Vector shape;              // all other parameters

  virtual bool takes(const TargetKind* kind) const { return kind == target; }
  // Whether the loss is a quadratic function, so that the rows act through their first and second
  // moments alone.
  virtual bool is_quadratic() const { return false; }

  // `start`: signed coefficients near the solution, or empty. The tolerance of the options refers
  // to gradients of the size of labels, 1; each loss knows the size of its own.
  virtual SvmSolution solve(QMatrix& k, const Target& target, const SmoOptions& options,
                            const Vector& start, const Runtime& runtime) const = 0;

  // The diagonal R; empty where there is none.
  virtual Vector ridge(const Target& /*target*/) const { return {}; }
  // b'Rb
  double ridge_form(const Vector& coefficients, const Target& target) const;

  // Rows whose coefficients are strictly between their bounds, 0 and the cost times the weight of
  // the row: those that move when K changes a little.
  virtual Indices free_rows(const Vector& coefficients, const Target& target) const;

  // The solution at another cost as a start at this one: what was at the bound is at the bound.
  virtual Vector rescaled(Vector coefficients, double old_cost, const Target& target) const;

  // Whether the coefficients have a sum other than 0, so that their multiples are not feasible and
  // a kernel of twice the size has twice the objective.
  virtual bool has_fixed_sum() const { return false; }

 protected:
  Loss(const char* its_name, const TargetKind* kind, double price, Vector others = Vector())
      : name(its_name), target(kind), cost(price), shape(std::move(others)) {}
};

// Whether a solution for one is a good start for the other.
bool differ_in_cost_alone(const Loss& a, const Loss& b);

// ---- for the losses themselves
// -------------------------------------------------------------------

// A positive number, 1 if missing.
double read_cost(const State& parameters);

// The largest coefficients, the cost times the weights. Throws InvalidArgument if they overflow.
Vector largest_coefficients(const Target& target, double cost);

// `factor` / weight of each row, the diagonal of a quadratic loss; 0 for rows without a weight.
Vector inverse_costs(const Target& target, double factor);

// The size of a numeric response, 1 at the most, in whose units gradients are: a response whose
// values are less than 1 apart would be no larger than the tolerance itself.
double response_size(const Vector& y);

// For problems with a variable per row.
SvmSolution solve_dual(QMatrix& k, const SmoProblem& problem, const SmoOptions& options,
                       const Vector& start, const Runtime& runtime);

}  // namespace mk
