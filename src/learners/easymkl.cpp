#include "easymkl.hpp"

#include <algorithm>
#include <cmath>

#include "../base/parameters.hpp"

namespace mk {

namespace {

// The kernel set of a single stored matrix.
std::shared_ptr<const KernelSet> stored_set() {
  State item;
  item.set("family", "precomputed");
  item.set("name", "sum of the kernels");
  return std::make_shared<KernelSet>(std::vector<State>{item}, 0);
}

// The same problem on sum_m weights_m K_m, as one stored matrix.
struct Summed {
  Summed(const TrainingSet& data, const Vector& weights, const KernelPasses& passes,
         const Runtime& runtime)
      : k(passes.sum(data.bank, weights, runtime)),
        bank(stored_set(), stored_examples({view(k)}), runtime),
        problem(bank, data) {
    if (k.allFinite()) return;
    SmoResult none;  // the sum has no name that a user knows: the kernel in it is looked for
    none.objective = std::nan("");
    check_solution(none, data.bank, weights, runtime);
  }
  Matrix k;
  KernelBank bank;
  TrainingSet problem;
};

// The model of an ordered problem in terms of the rows and kernels that it came from.
std::unique_ptr<Model> put_back(const Model& model, const Indices& order, const Vector& weights) {
  const Expansion& e = *model.expansion();
  const Index n = static_cast<Index>(order.size());
  const Vector coefficients = spread(spread(e.coefficients, e.rows, n), order, n);
  auto out = std::make_unique<ExpansionModel>(make_expansion(coefficients, weights, e.bias));
  out->report = model.report;
  out->fitted = spread(model.fitted, order, n);
  return out;
}

// Fits points to one training set, best in an order in which those with the same lambda, and of
// these those with the same norm, follow each other.
class EasymklFits {
 public:
  EasymklFits(const TrainingSet& data, const KernelPasses& passes, bool several,
              const Runtime& runtime)
      : passes_(passes),
        runtime_(runtime),
        order_(positives_first(data.y)),
        bank_(data.bank.subset(order_)),
        data_(bank_, data.rows(order_)),
        stored_(bank_.fits(2.0)),
        keep_(several && bank_.fits(4.0)) {}

  std::unique_ptr<Model> fit(const EasymklLearner& options) {
    const Stopwatch watch;
    if (forms_.size() == 0 || first_lambda_ != options.komd.lambda) solve_first(options.komd);
    if (eta_.size() == 0 || eta_norm_ != options.norm) weigh(options.norm);
    std::unique_ptr<Model> model = put_back(*train(options), order_, eta_);
    Report& report = model->report;
    report.converged = report.converged && first_.solved.converged;
    report.indefinite = report.indefinite || first_.solved.indefinite;
    report.overlap = report.overlap || first_.overlap;
    report.iterations += first_.solved.iterations;
    report.violation = std::max(report.violation, first_.solved.violation);
    report.seconds = watch.seconds();
    return model;
  }

 private:
  std::shared_ptr<const Summed> add_up(const Vector& weights) const {
    return std::make_shared<const Summed>(data_, weights, passes_, runtime_);
  }

  // KOMD on the sum of the kernels, and the forms of all kernels at its solution.
  void solve_first(const KomdOptions& options) {
    const Index m = bank_.size();
    if (stored_ && sum_ == nullptr) {
      if (runtime_.verbose)
        runtime_.message("easymkl: adding up " + std::to_string(m) + " kernels");
      sum_ = add_up(Vector::Ones(m));
    }
    first_ = stored_ ? solve_komd(sum_->problem, Vector::Ones(1), options, runtime_)
                     : solve_komd(data_, Vector::Ones(m), options, runtime_);
    first_lambda_ = options.lambda;
    if (!keep_) sum_.reset();
    if (runtime_.verbose) runtime_.message("easymkl: sum of the kernels solved, weighing them");
    // Rows without a coefficient do not count.
    const Indices rows = nonzero(first_.beta);
    forms_ = passes_.forms(bank_.subset(rows), take(first_.beta, rows), runtime_);
    eta_.resize(0);
  }

  // eta: the forms of all kernels, scaled to norm 1.
  void weigh(EtaNorm norm) {
    // Rounding and indefinite kernels aside the forms are >= 0.
    eta_ = forms_.cwiseMax(0.0);
    // Class means that coincide under every kernel leave nothing to choose by.
    if (!(eta_.maxCoeff() > 0.0)) eta_.setOnes();
    eta_ /= eta_.maxCoeff();  // squares of the forms may be out of range
    eta_ /= norm == EtaNorm::two ? eta_.norm() : eta_.sum();
    eta_norm_ = norm;
    weighted_.reset();
  }

  // What is asked for on the learned kernel, in the order of the ordered rows.
  std::unique_ptr<Model> train(const EasymklLearner& options) {
    if (stored_ && weighted_ == nullptr) weighted_ = add_up(eta_);
    const TrainingSet& problem = stored_ ? weighted_->problem : data_;
    const Vector weights = stored_ ? Vector(Vector::Ones(1)) : eta_;
    auto model = options.final_svm
                     ? fit_svm(problem, weights, options.svm, runtime_)
                     : komd_model(solve_komd(problem, weights, options.komd, runtime_, first_.beta),
                                  weights);
    if (!keep_) weighted_.reset();
    return model;
  }

  const KernelPasses& passes_;
  const Runtime& runtime_;
  const Indices order_;  // rows with the positive class first
  const KernelBank bank_;
  const TrainingSet data_;
  const bool stored_;  // a sum and the block that is added to it; otherwise rows on demand
  const bool keep_;    // sums stay for the points that follow
  std::shared_ptr<const Summed> sum_, weighted_;
  double first_lambda_ = 0.0;
  KomdSolution first_;
  Vector forms_;  // at first_; empty before the first point
  EtaNorm eta_norm_ = EtaNorm::two;
  Vector eta_;  // empty until forms_ are weighed
};

}  // namespace

Indices kernel_blocks(Index n_kernels) {
  constexpr Index unit = 256, most = 32;  // whole blocks of the streaming loops: see for_blocks()
  const Index size = unit * std::max<Index>(1, (n_kernels + unit * most - 1) / (unit * most));
  Indices bounds;
  for (Index first = 0; first < n_kernels; first += size) bounds.push_back(first);
  bounds.push_back(n_kernels);
  return bounds;
}

Matrix KernelPasses::sum(const KernelBank& bank, const Vector& weights,
                         const Runtime& runtime) const {
  const Indices bounds = kernel_blocks(bank.size());
  Matrix total(bank.rows(), bank.rows()), part;
  for (std::size_t b = 0; b + 1 < bounds.size(); ++b) {
    Vector some = Vector::Zero(weights.size());
    const Index size = bounds[b + 1] - bounds[b];
    some.segment(bounds[b], size) = weights.segment(bounds[b], size);
    if (b == 0) {
      bank.sum(some, total.data(), runtime);
      continue;
    }
    part.resize(total.rows(), total.cols());
    bank.sum(some, part.data(), runtime);
    total += part;
  }
  return total;
}

Vector KernelPasses::forms(const KernelBank& bank, const Vector& b, const Runtime& runtime) const {
  return bank.quadratic_forms(all_rows(bank.size()), b, runtime);
}

EasymklLearner::EasymklLearner(const State& parameters, const SmoOptions& smo,
                               std::shared_ptr<const KernelPasses> given)
    : komd(KomdOptions::read(parameters, smo)),
      svm(SvmOptions::read(parameters, smo)),
      passes(given != nullptr ? std::move(given) : std::make_shared<KernelPasses>()) {
  const bool two = read_choice(parameters, "norm", {"two", "sum"}) == "two";
  norm = two ? EtaNorm::two : EtaNorm::sum;
  final_svm = read_choice(parameters, "final", {"komd", "svm"}) == "svm";
}

Models EasymklLearner::fit_path(const std::vector<EasymklLearner>& points, const TrainingSet& data,
                                const Runtime& runtime) {
  require_classes(data, "EasyMKL");
  Indices order = all_rows(static_cast<Index>(points.size()));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    const EasymklLearner &left = points[at(a)], &right = points[at(b)];
    return std::make_pair(left.komd.lambda, left.norm) <
           std::make_pair(right.komd.lambda, right.norm);
  });
  EasymklFits fits(data, *points.front().passes, points.size() > 1, runtime);
  Models models(points.size());
  for (const Index p : order) models[at(p)] = fits.fit(points[at(p)]);
  return models;
}

}  // namespace mk
