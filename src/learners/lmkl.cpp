#include "lmkl.hpp"

#include <chrono>
#include <cmath>
#include <map>

#include "../base/errors.hpp"
#include "per_kernel_model.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Index whole(const State& parameters, const char* name, Index if_missing, Index least) {
  const double value = parameters.number(name, static_cast<double>(if_missing));
  if (!(value >= static_cast<double>(least) && value <= 1e6) || value != std::floor(value))
    throw InvalidArgument(name, "a whole number of at least " + std::to_string(least),
                          format_number(value));
  return static_cast<Index>(value);
}

double non_negative(const State& parameters, const char* name, double if_missing) {
  const double value = parameters.number(name, if_missing);
  if (!(value >= 0.0) || std::isinf(value))
    throw InvalidArgument(name, "a number >= 0", format_number(value));
  return value;
}

}  // namespace

LmklOptions LmklOptions::read(const State& parameters, const SmoOptions& smo) {
  LmklOptions o;
  if (parameters.has("gating")) o.gating = read_gating(parameters.text("gating"));
  if (parameters.has("columns")) {
    o.features.columns = parameters.indices("columns");
    o.features.all_columns = false;
  }
  o.features.standardize = parameters.number("standardize", 1.0) != 0.0;
  if (parameters.has("rank")) o.features.rank = whole(parameters, "rank", 0, 0);
  DescentOptions& d = o.descent;
  d.line_search = parameters.number("line_search", 1.0) != 0.0;
  d.step = parameters.number("step", d.step);
  if (!(d.step > 0.0)) throw InvalidArgument("step", "a positive number", format_number(d.step));
  d.penalty = non_negative(parameters, "penalty", d.penalty);
  d.tolerance = non_negative(parameters, "tolerance", d.tolerance);
  d.iterations = whole(parameters, "iterations", d.iterations, 1);
  d.svm = SvmOptions::read(parameters, smo);
  o.restarts = whole(parameters, "restarts", o.restarts, 1);
  return o;
}

std::unique_ptr<Model> LmklLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  const auto begin = std::chrono::steady_clock::now();
  const Index n_kernels = data.bank.size();
  const Side& side = *data.bank.side();
  auto model = std::make_unique<LmklModel>();
  model->features = gating_features(side.x, side.rows, options_.features, runtime);
  const Matrix z = model->features.of(side.x, side.rows);
  // One kernel under a softmax has weight 1 everywhere: nothing to learn by restarting.
  const bool trivial = n_kernels == 1 && options_.gating != GatingKind::sigmoid;
  const Index restarts = trivial ? 1 : options_.restarts;
  const HeldKernels kernels(data.bank, runtime);
  GatingDescent descent(z, data, kernels, options_.descent, runtime);
  model->starts.resize(restarts);
  model->open.resize(restarts);
  Descent best;
  double iterations = 0.0;
  for (Index r = 0; r < restarts; ++r) {
    Random random(runtime.seed, static_cast<std::uint64_t>(1000 + r));
    Gating gating(options_.gating, z.cols(), n_kernels);
    if (trivial) gating.neutralize();
    else gating.initialise(z, random);
    Descent d = descent.from(gating);
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
  model->report.converged = model->report.violation <= options_.descent.svm.smo.tol;
  model->report.objective = best.objective();
  model->report.iterations = iterations;
  model->report.path =
      Eigen::Map<const Vector>(best.path.data(), static_cast<Index>(best.path.size()));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
}

void LmklModel::take(const Descent& best) {
  const LocalSvm& p = best.point;
  gating = p.gating;
  bias = p.svm.solved.bias;
  mean_weights = p.eta.colwise().mean().transpose();
  gradient_norm = best.gradient_norm;
  for (Index i = 0; i < p.svm.coefficients.size(); ++i)
    if (p.svm.coefficients[i] != 0.0) rows.push_back(i);
  coefficients.resize(static_cast<Index>(rows.size()), p.eta.cols());
  for (std::size_t k = 0; k < rows.size(); ++k)
    coefficients.row(static_cast<Index>(k)) = p.svm.coefficients[rows[k]] * p.eta.row(rows[k]);
  fitted = p.svm.fitted;
}

Matrix LmklModel::gating_weights(const MatrixView& x, const Indices& at_rows) const {
  return gating.weights(features.of(x, at_rows));
}

// K_m(x, x_i) is evaluated only where eta_m(x) and eta_m(x_i) are not 0 (paper, section 3.1).
// Kernels that count at the same new rows go together, so that they share their distances.
Vector LmklModel::decision(const CrossBank& cross) const {
  const Matrix eta = gating_weights(cross.fresh().x, cross.fresh().rows);
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
  return ((eta.array() * scores.array()).rowwise().sum() + bias).matrix();
}

void LmklModel::remap(const Indices& new_position) {
  for (Index& row : rows) row = new_position[at(row)];
}

State LmklModel::state() const {
  State s;
  s.set("type", Value(std::string("lmkl")));
  s.set("gating", Value(gating_name(gating.kind)));
  s.set("parameters", Value(gating.parameters));
  s.set("columns", Value(features.columns));
  s.set("center", Value(features.center));
  s.set("scale", Value(features.scale));
  if (features.rotation.cols() > 0) s.set("rotation", Value(features.rotation));
  s.set("rows", Value(rows));
  s.set("coefficients", Value(coefficients));
  s.set("bias", bias);
  s.set("mean_weights", Value(mean_weights));
  s.set("gradient_norm", gradient_norm);
  s.set("starts", Value(starts));
  s.set("open", Value(open));
  s.set("descended", descended ? 1.0 : 0.0);
  return s;
}

std::unique_ptr<Model> LmklModel::restore(const State& s) {
  auto model = std::make_unique<LmklModel>();
  model->gating.kind = read_gating(s.text("gating"));
  model->gating.parameters = s.matrix("parameters");
  model->features.columns = s.indices("columns");
  model->features.center = s.vector("center");
  model->features.scale = s.vector("scale");
  const Index q = static_cast<Index>(model->features.columns.size());
  model->features.rotation = s.has("rotation") ? s.matrix("rotation") : Matrix(q, 0);
  model->rows = s.indices("rows");
  model->coefficients = s.matrix("coefficients");
  model->bias = s.number("bias");
  model->mean_weights = s.vector("mean_weights");
  model->gradient_norm = s.number("gradient_norm");
  model->descended = s.number("descended") != 0.0;
  if (s.has("starts")) model->starts = s.vector("starts");
  if (s.has("open")) model->open = s.vector("open");
  if (model->features.center.size() != q || model->features.scale.size() != q ||
      model->features.rotation.rows() != q ||
      model->gating.parameters.rows() != model->features.size() + 1 ||
      model->coefficients.rows() != static_cast<Index>(model->rows.size()) ||
      model->coefficients.cols() != model->gating.parameters.cols() ||
      model->mean_weights.size() != model->coefficients.cols())
    throw InvalidArgument("state", "that of a localized model", "of parts that do not fit");
  return model;
}

}  // namespace mk
