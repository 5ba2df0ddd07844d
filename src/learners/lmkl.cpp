#include "lmkl.hpp"

#include <chrono>
#include <cmath>
#include <map>

#include "../base/errors.hpp"
#include "../base/memory.hpp"
#include "local_kernel.hpp"
#include "per_kernel_model.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The SVM at one setting of the gating model.
struct Point {
  Gating gating;
  Matrix eta;
  SvmSolution svm;
  KernelProducts products;  // with coefficients near those of the machine
  double objective() const { return svm.solved.objective; }
};

// `k` is the memory of the combined kernel, the same for all evaluations.
Point evaluate(const Gating& gating, const Matrix& z, const TrainingSet& data,
               const HeldKernels& kernels, const SvmOptions& options, const Vector& start,
               Matrix& k, const Runtime& runtime) {
  Point p;
  p.gating = gating;
  p.eta = gating.weights(z);
  if (!p.eta.allFinite())
    throw InvalidArgument("The gating model is not finite: scale the columns it sees.");
  LocalKernel q(kernels, p.eta, k, runtime);
  p.svm = solve_svm(q, data, options, runtime, start);
  check_solution(p.svm.solved, data.bank, Vector::Ones(data.bank.size()), runtime);
  p.products = q.take_products();
  return p;
}

// dJ/d(parameters) at a point: J is the value of a maximum over the coefficients, so these count as
// fixed (Danskin).
Matrix objective_gradient(const Point& p, const Matrix& z, const HeldKernels& kernels,
                          const Runtime& runtime) {
  const Matrix c = contributions(kernels, p.eta, p.svm.coefficients, p.products, runtime);
  return p.gating.gradient(z, p.eta, c);
}

struct Descent {
  Point point;
  std::vector<double> path;
  bool converged = false;
};

Descent descend(const Gating& start, const Matrix& z, const TrainingSet& data,
                const HeldKernels& kernels, const LmklOptions& options, Matrix& k,
                const Runtime& runtime) {
  Descent d;
  d.point = evaluate(start, z, data, kernels, options.svm, Vector(), k, runtime);
  d.path.push_back(d.point.objective());
  double step = 0.0;
  for (Index t = 0; t < options.iterations && !d.converged; ++t) {
    runtime.check_interrupt();
    const Matrix g = objective_gradient(d.point, z, kernels, runtime);
    const double slope = g.squaredNorm();
    if (!(slope > 0.0)) {
      d.converged = true;
      break;
    }
    const auto move = [&](double by) {
      Gating gating = d.point.gating;
      gating.parameters -= by * g;
      return evaluate(gating, z, data, kernels, options.svm, d.point.svm.coefficients, k, runtime);
    };
    if (!options.line_search) {
      d.point = move(options.step);
      d.path.push_back(d.point.objective());
      continue;
    }
    // The first step changes activations by about 1; later ones begin with the length of the last,
    // or twice that if it was taken at once.
    if (step == 0.0) step = 1.0 / std::sqrt(slope);
    const double before = d.point.objective();
    bool moved = false;
    for (int halving = 0; halving < 20 && !moved; ++halving) {
      Point next = move(step);
      if (next.objective() <= before - 1e-4 * step * slope) {
        d.point = std::move(next);
        moved = true;
        if (halving == 0) step *= 2.0;
      } else {
        step *= 0.5;
      }
    }
    if (!moved) {  // no descent along the gradient at this accuracy of the SVM
      d.converged = true;
      break;
    }
    d.path.push_back(d.point.objective());
    const double change = before - d.point.objective();
    if (change <= options.tolerance * std::max(std::abs(before), 1e-12)) d.converged = true;
  }
  if (!options.line_search) d.converged = true;  // a fixed number of steps was asked for
  return d;
}

GatingFeatures gating_features(const TrainingSet& data, const LmklOptions& options) {
  const Side& side = *data.bank.side();
  GatingFeatures f;
  f.columns = options.all_columns ? all_rows(side.x.cols) : options.columns;
  const Index q = static_cast<Index>(f.columns.size());
  f.center = Vector::Zero(q);
  f.scale = Vector::Ones(q);
  if (!options.standardize) return f;
  const Matrix z = f.of(side.x, side.rows);
  const double freedom = std::max<double>(1.0, static_cast<double>(z.rows() - 1));
  for (Index k = 0; k < q; ++k) {
    // In units of the largest value: its square may be out of the range of numbers.
    const double unit = z.col(k).cwiseAbs().maxCoeff();
    if (unit == 0.0) continue;
    const Vector column = z.col(k) / unit;
    const double mean = column.mean();
    const double sd = std::sqrt((column.array() - mean).square().sum() / freedom);
    f.center[k] = mean * unit;
    // A spread that is mere rounding of a constant says nothing about new rows.
    if (sd > 1e-14 && sd * unit > 0.0) f.scale[k] = sd * unit;
  }
  return f;
}

Index whole(const State& parameters, const char* name, Index if_missing) {
  const double value = parameters.number(name, static_cast<double>(if_missing));
  if (!(value >= 1.0 && value <= 1e6) || value != std::floor(value))
    throw InvalidArgument(name, "a whole number of at least 1", format_number(value));
  return static_cast<Index>(value);
}

}  // namespace

LmklOptions LmklOptions::read(const State& parameters, const SmoOptions& smo) {
  LmklOptions o;
  if (parameters.has("gating")) o.gating = read_gating(parameters.text("gating"));
  if (parameters.has("columns")) {
    o.columns = parameters.indices("columns");
    o.all_columns = false;
  }
  o.standardize = parameters.number("standardize", 1.0) != 0.0;
  o.line_search = parameters.number("line_search", 1.0) != 0.0;
  o.step = parameters.number("step", o.step);
  if (!(o.step > 0.0)) throw InvalidArgument("step", "a positive number", format_number(o.step));
  o.tolerance = parameters.number("tolerance", o.tolerance);
  if (!(o.tolerance >= 0.0))
    throw InvalidArgument("tolerance", "a number >= 0", format_number(o.tolerance));
  o.iterations = whole(parameters, "iterations", o.iterations);
  o.restarts = whole(parameters, "restarts", o.restarts);
  o.svm = SvmOptions::read(parameters, smo);
  return o;
}

Matrix GatingFeatures::of(const MatrixView& x, const Indices& rows) const {
  for (Index column : columns)
    if (column < 0 || column >= x.cols)
      throw InvalidArgument("columns",
                            "those of the gating model, from 1 to " + std::to_string(x.cols),
                            std::to_string(column + 1));
  Matrix z(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (Index k = 0; k < z.cols(); ++k) {
    const double* column = x.column(columns[at(k)]);
    for (Index i = 0; i < z.rows(); ++i) z(i, k) = (column[rows[at(i)]] - center[k]) / scale[k];
  }
  return z;
}

std::unique_ptr<Model> LmklLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  const auto begin = std::chrono::steady_clock::now();
  const Index n_kernels = data.bank.size();
  const GatingFeatures features = gating_features(data, options_);
  const Matrix z = features.of(data.bank.side()->x, data.bank.side()->rows);
  // One kernel under a softmax has weight 1 everywhere: nothing to learn by restarting.
  const bool trivial = n_kernels == 1 && options_.gating != GatingKind::sigmoid;
  const Index restarts = trivial ? 1 : options_.restarts;
  const HeldKernels kernels(data.bank, runtime);
  Matrix k(data.bank.rows(), data.bank.rows());
  prefer_huge_pages(k.data(), static_cast<std::size_t>(k.size()) * sizeof(double));
  Descent best;
  double iterations = 0.0;
  for (Index r = 0; r < restarts; ++r) {
    Random random(runtime.seed, static_cast<std::uint64_t>(1000 + r));
    Gating gating(options_.gating, z.cols(), n_kernels);
    gating.initialise(z, random);
    Descent d = descend(gating, z, data, kernels, options_, k, runtime);
    iterations += static_cast<double>(d.path.size() - 1);
    if (runtime.verbose)
      runtime.message("lmkl: start " + std::to_string(r + 1) + ", objective " +
                      format_number(d.point.objective()) + " after " +
                      std::to_string(d.path.size() - 1) + " steps");
    if (r == 0 || d.point.objective() < best.point.objective()) best = std::move(d);
  }

  auto model = std::make_unique<LmklModel>();
  const Point& p = best.point;
  model->gating = p.gating;
  model->features = features;
  model->bias = p.svm.solved.bias;
  model->mean_weights = p.eta.colwise().mean().transpose();
  const Matrix gradient = objective_gradient(p, z, kernels, runtime);
  // Its squares may be too large for numbers.
  model->gradient_norm = Eigen::Map<const Vector>(gradient.data(), gradient.size()).stableNorm();
  for (Index i = 0; i < p.svm.coefficients.size(); ++i)
    if (p.svm.coefficients[i] != 0.0) model->rows.push_back(i);
  model->coefficients.resize(static_cast<Index>(model->rows.size()), n_kernels);
  for (std::size_t k = 0; k < model->rows.size(); ++k) {
    const Index row = model->rows[k];
    model->coefficients.row(static_cast<Index>(k)) = p.svm.coefficients[row] * p.eta.row(row);
  }
  model->fitted = p.svm.fitted;
  model->report = svm_report(p.svm.solved);
  model->descended = best.converged;
  model->report.iterations = iterations;
  model->report.path =
      Eigen::Map<const Vector>(best.path.data(), static_cast<Index>(best.path.size()));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
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
  s.set("rows", Value(rows));
  s.set("coefficients", Value(coefficients));
  s.set("bias", bias);
  s.set("mean_weights", Value(mean_weights));
  s.set("gradient_norm", gradient_norm);
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
  model->rows = s.indices("rows");
  model->coefficients = s.matrix("coefficients");
  model->bias = s.number("bias");
  model->mean_weights = s.vector("mean_weights");
  model->gradient_norm = s.number("gradient_norm");
  model->descended = s.number("descended") != 0.0;
  const Index q = static_cast<Index>(model->features.columns.size());
  if (model->gating.parameters.rows() != q + 1 || model->features.center.size() != q ||
      model->features.scale.size() != q ||
      model->coefficients.rows() != static_cast<Index>(model->rows.size()) ||
      model->coefficients.cols() != model->gating.parameters.cols() ||
      model->mean_weights.size() != model->coefficients.cols())
    throw InvalidArgument("state", "that of a localized model", "of parts that do not fit");
  return model;
}

}  // namespace mk
