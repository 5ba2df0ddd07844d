#include "lmkl.hpp"

#include <cmath>
#include <map>

#include "../base/errors.hpp"
#include "../base/memory.hpp"
#include "../base/parameters.hpp"
#include "../features/views.hpp"

namespace mk {

namespace {

Matrix seen_views(const KernelSet& set, const Features& x) {
  if (x.views() == nullptr) return {};
  Matrix sees = Matrix::Zero(set.size(), x.views()->count());
  for (Index m = 0; m < set.size(); ++m)
    for (const Factor& factor : set.kernel(m).factors)
      if (factor.view >= 0) sees(m, factor.view) = 1.0;
  return sees;
}

}  // namespace

LmklLearner::LmklLearner(const State& parameters, const SmoOptions& smo) {
  if (parameters.has("gating")) gating = read_gating(parameters.text("gating"));
  if (parameters.has("columns")) {
    features.columns = parameters.indices("columns");
    features.all_columns = false;
  }
  features.standardize = parameters.number("standardize", 1.0) != 0.0;
  if (parameters.has("rank")) features.rank = read_count(parameters, "rank", 0, 0);
  DescentOptions& d = descent;
  d.line_search = parameters.number("line_search", 1.0) != 0.0;
  d.step = read_number(parameters, "step", d.step, Range::positive());
  d.penalty = read_number(parameters, "penalty", d.penalty, Range::at_least(0.0));
  d.tolerance = read_number(parameters, "tolerance", d.tolerance, Range::at_least(0.0));
  d.iterations = read_count(parameters, "iterations", d.iterations, 1, 1e6);
  d.svm = SvmOptions::read(parameters, smo);
  restarts = read_count(parameters, "restarts", 3, 1, 1e6);
}

std::unique_ptr<Model> LmklLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  const Index n_kernels = data.bank.size();
  const RowGroup& group = data.bank.group();
  auto model = std::make_unique<LmklModel>();
  const Features& x = group.examples().features();
  model->features = gating_features(x, group.rows(), features, runtime);
  const Matrix z = model->features.of(x, group.rows());
  model->sees = seen_views(data.bank.set(), x);
  const Matrix open = model->open_gates(x, group.rows());
  // One kernel under a softmax has weight 1 everywhere: nothing to learn by restarting.
  const bool trivial = n_kernels == 1 && gating != GatingKind::sigmoid;
  const Index starts = trivial ? 1 : restarts;
  const HeldKernels kernels(data.bank, runtime);
  const Index n = data.bank.rows();
  LocalProblem problem{z, open, data, kernels, descent, runtime, Matrix(n, n)};
  prefer_huge_pages(problem.k.data(), static_cast<std::size_t>(n * n) * sizeof(double));
  model->starts.resize(starts);
  model->open.resize(starts);
  Descent best;
  double iterations = 0.0;
  for (Index r = 0; r < starts; ++r) {
    Random random(runtime.seed, static_cast<std::uint64_t>(1000 + r));
    Gating start(gating, z.cols(), n_kernels);
    if (trivial) start.neutralize();
    else start.initialise(z, random);
    Descent d = descend(problem, start);
    const double steps = static_cast<double>(d.path.size() - 1);
    iterations += steps;
    if (runtime.verbose)
      runtime.message("lmkl: start " + std::to_string(r + 1) + ", objective " +
                      format_number(d.objective()) + " after " + format_number(steps) + " steps");
    model->starts[r] = d.objective();
    model->open[r] = d.converged ? 0.0 : d.at_limit ? 1.0 : 2.0;
    if (r == 0 || d.objective() < best.objective()) best = std::move(d);
  }
  // A start that has not come to its end may still have passed the one that is kept.
  model->descended = model->open.isZero(0.0);
  model->take(best);
  model->report = svm_report(best.point.svm.solved);
  // The descent may have asked for a smaller violation than the user.
  model->report.converged = model->report.violation <= descent.svm.smo.tol;
  model->report.objective = best.objective();
  model->report.iterations = iterations;
  model->report.path = as_vector(best.path);
  return model;
}

void LmklModel::take(const Descent& best) {
  const LocalSvm& p = best.point;
  gating = p.gating;
  bias = p.svm.solved.bias;
  mean_weights = p.eta.colwise().mean().transpose();
  gradient_norm = best.gradient_norm;
  rows = nonzero(p.svm.coefficients);
  coefficients.resize(static_cast<Index>(rows.size()), p.eta.cols());
  for (std::size_t k = 0; k < rows.size(); ++k)
    coefficients.row(static_cast<Index>(k)) = p.svm.coefficients[rows[k]] * p.eta.row(rows[k]);
  fitted = p.svm.fitted;
}

Matrix LmklModel::gating_weights(const Features& x, const Indices& at_rows) const {
  return gating.weights(features.of(x, at_rows), open_gates(x, at_rows));
}

Matrix LmklModel::open_gates(const Features& x, const Indices& at_rows) const {
  const ViewFeatures* views = x.views();
  if ((views == nullptr ? 0 : views->count()) != sees.cols())
    throw InvalidArgument("x", std::to_string(sees.cols()) + " views, as the fit has", "others");
  if (views == nullptr || !views->masked()) return {};
  Matrix open(static_cast<Index>(at_rows.size()), sees.rows());
  for (Index i = 0; i < open.rows(); ++i)
    for (Index m = 0; m < open.cols(); ++m) {
      bool whole = true;
      for (Index v = 0; v < sees.cols(); ++v)
        whole = whole && (sees(m, v) == 0.0 || views->has(at_rows[at(i)], v));
      open(i, m) = whole ? 1.0 : 0.0;
    }
  return open;
}

// K_m(x, x_i) is evaluated only where eta_m(x) and eta_m(x_i) are not 0 (paper, section 3.1).
// Kernels that count at the same new rows go together, so that they share their distances.
Matrix LmklModel::gated_scores(const CrossBank& cross) const {
  const Matrix eta = gating_weights(cross.fresh().examples().features(), cross.fresh().rows());
  std::map<Indices, Indices> kernels_at;
  for (Index m = 0; m < eta.cols(); ++m) {
    Indices counted;
    for (Index i = 0; i < eta.rows(); ++i)
      if (eta(i, m) != 0.0) counted.push_back(i);
    if (!counted.empty()) kernels_at[counted].push_back(m);
  }
  Matrix scores = Matrix::Zero(eta.rows(), eta.cols());
  for (const auto& group : kernels_at) {
    const Indices& fresh = group.first;
    Matrix own = Matrix::Zero(coefficients.rows(), coefficients.cols());
    for (const Index m : group.second) own.col(m) = coefficients.col(m);
    const bool all = static_cast<Index>(fresh.size()) == eta.rows();
    const auto expansions = kernel_expansions(rows, own, eta.cols());
    const Matrix part = all ? cross.expand(expansions) : cross.part(fresh).expand(expansions);
    for (const Index m : group.second)
      for (std::size_t i = 0; i < fresh.size(); ++i)
        scores(fresh[i], m) = part(static_cast<Index>(i), m);
  }
  return (eta.array() * scores.array()).matrix();
}

Vector LmklModel::decision(const CrossBank& cross) const {
  return (gated_scores(cross).rowwise().sum().array() + bias).matrix();
}

Matrix LmklModel::row_terms(const CrossBank& cross) const {
  const Matrix eta = gating_weights(cross.fresh().examples().features(), cross.fresh().rows());
  return expansion_rows(cross, kernel_expansions(rows, coefficients, eta.cols()), eta);
}

Terms LmklModel::terms(const CrossBank& cross, const KernelGroups& groups) const {
  return {sum_groups(gated_scores(cross), groups), bias};
}

State LmklModel::state() const {
  State s = facts();
  s.set("type", "lmkl");
  s.set("gating", gating_name(gating.kind));
  s.set("parameters", Value(gating.parameters));
  s.set("columns", Value(features.columns));
  s.set("center", Value(features.center));
  s.set("scale", Value(features.scale));
  if (features.rotation.cols() > 0) s.set("rotation", Value(features.rotation));
  s.set("mean_weights", Value(mean_weights));
  if (sees.rows() > 0) s.set("sees", Value(sees));
  return s;
}

// Besides, of the descent of the gating model: `gradient_norm` and `descended` (0 or 1), and of
// each start the objective in `starts` and in `open` why it ended: 0 converged, 1 limit of steps, 2
// no progress.
State LmklModel::facts() const {
  State facts = CoefficientsModel::facts();
  facts.set("bias", bias);
  facts.set("gradient_norm", gradient_norm);
  facts.set("descended", descended ? 1.0 : 0.0);
  facts.set("starts", Value(starts));
  facts.set("open", Value(open));
  return facts;
}

bool LmklModel::fits_together() const {
  const GatingFeatures& f = features;
  const Matrix& v = gating.parameters;
  const Index q = static_cast<Index>(f.columns.size());
  const bool sizes = f.center.size() == q && f.scale.size() == q && f.rotation.rows() == q &&
                     v.rows() == f.size() + 1 && v.cols() == mean_weights.size() &&
                     coefficients.cols() == v.cols() && starts.size() == open.size() &&
                     (sees.rows() == 0 || sees.rows() == v.cols());
  return sizes && f.center.allFinite() && f.scale.allFinite() && (f.scale.array() != 0.0).all() &&
         f.rotation.allFinite() && v.allFinite() && mean_weights.allFinite() && std::isfinite(bias);
}

std::unique_ptr<Model> LmklModel::restore(const State& s) {
  constexpr const char* what = "that of a localized model";
  auto model = std::make_unique<LmklModel>();
  model->read_coefficients(s, what);
  model->gating.kind = read_gating(s.text("gating"));
  model->gating.parameters = s.matrix("parameters");
  model->features.columns = s.indices("columns");
  model->features.center = s.vector("center");
  model->features.scale = s.vector("scale");
  const Index q = static_cast<Index>(model->features.columns.size());
  model->features.rotation = s.has("rotation") ? Matrix(s.matrix("rotation")) : Matrix(q, 0);
  model->bias = s.number("bias");
  model->mean_weights = s.vector("mean_weights");
  model->gradient_norm = s.number("gradient_norm");
  model->descended = s.number("descended") != 0.0;
  if (s.has("sees")) model->sees = s.matrix("sees");
  if (s.has("starts")) model->starts = s.vector("starts");
  if (s.has("open")) model->open = s.vector("open");
  if (!model->fits_together()) throw InvalidArgument("state", what, "of parts that do not fit");
  return model;
}

}  // namespace mk
