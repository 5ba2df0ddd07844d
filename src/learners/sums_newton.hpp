// Newton's method for problems whose rows are known by sums only (approximations/row_sums.hpp):
//   min over w, bias of  Omega(w) + sum_i loss_i(z_i'w + bias).
// The losses are quadratic between a few kinks. A pass over all rows gives losses and slopes at
// several steps along a line, and gradient and second derivatives at the first of them, so that
// most steps need one pass. Losses without second derivatives are rounded around the coefficients
// of the pass before (proximal points in the dual, Rockafellar 1976), less from round to round.
//
// The certificate is a duality gap on all rows: the coefficients of the rows at w, with those of
// one sign made smaller so that they add up to 0, are feasible for the dual.
#pragma once

#include <functional>
#include <vector>

#include "../approximations/row_sums.hpp"
#include "block_norm.hpp"
#include "learner.hpp"

namespace mk {

struct SumsOptions {
  double tol = 1e-3;   // of the violation: how far decision values are off at the most
  double gap = 0.0;    // relative; > 0: ends the search in place of `tol`
  Index passes = 500;  // at the most
  double reach = 1.0;  // length of the longest feature vector
};

// One problem. The next pass is request(); receive() takes its sums.
class SumsNewton {
 public:
  SumsNewton(BlockNorm norm, RowLoss loss, const SumsOptions& options, const Vector& start);

  bool done() const { return done_; }
  const SumsRequest& request() const { return request_; }
  void receive(const RowSums& sums, const Runtime& runtime);

  // The last point whose objective, gap and violation were computed; the bias last.
  const Vector& solution() const { return certified_; }
  Vector weights() const { return norm_.weights(certified_); }
  const Report& report() const { return report_; }

 private:
  void ask_here();
  void arrive(const RowSums& sums, const Runtime& runtime);
  void certify(const RowSums& sums);
  bool good_enough() const;
  bool round_off(bool finished);
  void search(const Runtime& runtime);
  void follow(const RowSums& sums, const Runtime& runtime);
  double step_between(const RowSums& sums);

  BlockNorm norm_;
  RowLoss loss_;
  SumsOptions options_;
  SumsRequest request_;
  Vector x_, direction_, certified_;
  Quadratic model_;              // of the losses around x
  double objective_ = infinity;  // at x, of the rounded losses
  double slope_ = 0.0;           // at x along the direction
  double primal_ = 0.0, dual_ = 0.0, violation_ = infinity;
  // Where the last search began, and a step there that is known to be lower.
  Vector from_;
  double from_objective_ = infinity, safe_step_ = 0.0;
  double guess_ = 0.0;   // the step that led to x, if it is one that was not tried before
  int short_steps_ = 0;  // of this round
  bool searching_ = false, done_ = false;
  double within_ = 0.0;  // of the violation, for the rounded problem
  Report report_;
};

// All passes: the sums of each of the requests.
using SumsOracle = std::function<std::vector<RowSums>(const std::vector<Index>& problems,
                                                      const std::vector<SumsRequest>& requests)>;

// Solves several problems, each pass serves those that are not done.
void minimize_sums(std::vector<SumsNewton>& problems, const SumsOracle& oracle,
                   const Runtime& runtime);

}  // namespace mk
