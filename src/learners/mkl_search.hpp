// What all solvers of convex multiple kernel learning,
//   min J(d)  over  d >= 0, ||d||_p <= 1   (p = 1: the simplex),
// share: evaluations with warm-started SVMs, the best point so far, bounds on the optimum from
// above and below, the path of the objective.
//
// Any coefficients a of an SVM bound the optimum from below: J* >= J_a(d) + (d'S - ||S||_q) / 2
// with the dual norm q (p = 1: max_m S_m). The SVM is solved only as well as the outer gap asks
// for.
#pragma once

#include "mkl_problem.hpp"

namespace mk {

struct MklOptions {
  double p = 1.0;
  double gap = 1e-2;       // relative duality gap that ends the search
  double svm_share = 0.2;  // of the outer gap: the SVM's own gap is brought below it
  Index iterations = 1000;
  SvmOptions svm;

  // gap, iterations and those of the SVM by name.
  static MklOptions read(const State& parameters, const SmoOptions& smo);
};

class MklSearch {
 public:
  MklSearch(const TrainingSet& data, const MklOptions& options, const std::string& name,
            const Start& start, const Runtime& runtime);

  Index size() const { return problem_.size(); }
  Vector equal_weights() const;
  // Those of the start; without one, equal weights.
  Vector first_weights() const {
    return first_weights_.size() == size() ? first_weights_ : equal_weights();
  }

  // J and its derivatives at d. Keeps the bounds; the best point becomes the result.
  MklProblem::Value evaluate(const Vector& d);
  // J alone, and what evaluate() adds to it: the derivatives and the bound from below.
  MklProblem::Value solve(const Vector& d);
  void complete(const Vector& d, MklProblem::Value& value);

  // J alone on the line from + t * direction (`d`: that point, up to rounding), and its slope
  // there.
  void aim(const Vector& from, const Vector& direction) { problem_.aim(from, direction); }
  MklProblem::Value solve_along(const Vector& d, double t);
  double slope(const MklProblem::Value& value) const { return problem_.slope(value); }

  // What rounding may add to a lower bound that comes from this solution.
  double rounding(const MklProblem::Value& value);

  // A lower bound that the caller knows from elsewhere (a model of cuts).
  void raise_lower(double bound) { lower_ = std::max(lower_, bound); }
  double lower() const { return lower_; }
  double upper() const { return upper_; }
  double gap() const;  // relative
  bool done() const { return gap() <= options_.gap; }
  bool exhausted() const { return static_cast<Index>(path_.size()) >= options_.iterations; }
  // Makes the SVMs ten times as exact; false if there is nothing to gain.
  bool tighten();

  // Ends an iteration: adds the objective to the path, reports progress, checks for an interrupt.
  void record(double objective);

  MklProblem& problem() { return problem_; }
  std::unique_ptr<Model> model() const;

 private:
  template <class Solve>
  MklProblem::Value solve_exactly(const Vector& d, const Solve& solve_once);
  bool exact(const MklProblem::Value& value) const;
  bool feasible(const Vector& d) const;

  MklOptions options_;
  std::string name_;
  const Runtime& runtime_;
  MklProblem problem_;
  double tol_;
  Vector first_weights_, start_;
  Vector best_d_;
  MklProblem::Value best_;
  double upper_, lower_;
  bool indefinite_ = false;
  std::vector<double> path_;
};

// A solver of the convex problem.
struct MklLearner : Learner, MklOptions {
  using Solver = std::function<void(MklSearch&, const Runtime&)>;

  // `different`: a number by which learners of one type differ besides their options.
  MklLearner(const char* learner, const MklOptions& options, Solver solver, double different = 0.0)
      : MklOptions(options), name(learner), run(std::move(solver)), variant(different) {}
  static Models fit_path(const std::vector<MklLearner>& points, const TrainingSet& data,
                         const Runtime& runtime);

  std::string name;
  Solver run;
  double variant;
};

// max over d >= 0, ||d||_p <= 1 of d'S.
double dual_norm(const Vector& forms, double p);

}  // namespace mk
