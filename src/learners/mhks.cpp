#include "mhks.hpp"

#include <chrono>
#include <cmath>

#include "../base/errors.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double at_least(const State& parameters, const char* name, double if_missing, double least,
                bool open) {
  const double value = parameters.number(name, if_missing);
  if (!(open ? value > least : value >= least) || std::isinf(value))
    throw InvalidArgument(name,
                          (open ? "a finite number above " : "a finite number of at least ") +
                              format_number(least),
                          format_number(value));
  return value;
}

// Ridge regression of a target t on one view with a free constant (eq. 9):
//   min a ||U s w + w0 - t / a||^2 + c ||w||^2, s the singular values.
struct RidgeFit {
  Vector weights;
  double bias = 0.0;
  Vector outputs;
};

RidgeFit ridge(const MhksView& view, const Vector& t, double a, double c) {
  const Vector& values = view.thin.values;
  const Vector u = view.thin.u.transpose() * t;
  const Vector shrink = (values.array() / (a * values.array() + c)).matrix();
  const double n = static_cast<double>(t.size());
  const double above = t.sum() - a * view.ones.dot((shrink.array() * u.array()).matrix());
  const double below =
      a * n - a * a * (shrink.array() * view.ones.array().square()).sum();
  RidgeFit fit;
  // A constant that the view has already (c = 0) leaves nothing for the bias.
  if (below > 1e-10 * a * n) fit.bias = above / below;
  const Vector rest = u - a * fit.bias * view.ones;
  fit.weights = (rest.array() * values.array().sqrt() / (a * values.array() + c)).matrix();
  fit.outputs = ((view.thin.u * (shrink.array() * rest.array()).matrix()).array() + fit.bias).matrix();
  return fit;
}

}  // namespace

MhksOptions MhksOptions::read(const State& parameters) {
  MhksOptions o;
  o.c = at_least(parameters, "c", o.c, 0.0, false);
  o.lambda = at_least(parameters, "lambda", o.lambda, 0.0, false);
  o.rho = parameters.number("rho", o.rho);
  if (!(o.rho > 0.0 && o.rho < 1.0))
    throw InvalidArgument("rho", "a number in (0, 1)", format_number(o.rho));
  o.margin = at_least(parameters, "margin", o.margin, 0.0, false);
  o.tolerance = at_least(parameters, "tolerance", o.tolerance, 0.0, true);
  o.iterations = static_cast<Index>(at_least(parameters, "iterations", 1000.0, 1.0, false));
  o.rank = static_cast<Index>(at_least(parameters, "rank", 0.0, 0.0, false));
  o.landmarks = static_cast<Index>(at_least(parameters, "landmarks", 0.0, 0.0, false));
  return o;
}

std::vector<MhksView> make_views(const KernelBank& bank, const MhksOptions& options,
                                 const Runtime& runtime) {
  Indices landmarks;
  if (options.landmarks > 0 && options.landmarks < bank.rows())
    landmarks = spread_rows(bank.rows(), options.landmarks);
  std::vector<MhksView> views(at(bank.size()));
  runtime.parallel_for(bank.size(), [&](Index m) {
    MhksView& view = views[at(m)];
    view.map = make_empirical_map(bank, m, landmarks, options.rank, runtime);
    if (landmarks.empty()) {
      // The map's own eigenvectors are the thin decomposition.
      view.thin.values = view.map.values;
      view.thin.u = view.map.training * view.map.values.cwiseSqrt().cwiseInverse().asDiagonal();
      view.thin.v = Matrix::Identity(view.map.values.size(), view.map.values.size());
    } else {
      view.thin = decompose(view.map.training, runtime);
    }
    view.ones = view.thin.u.colwise().sum().transpose();
  });
  return views;
}

MhksSolution solve_mhks(const std::vector<MhksView>& views, const Vector& y,
                        const MhksOptions& options, const Runtime& runtime) {
  const Index n = y.size(), m = static_cast<Index>(views.size());
  const double a = 1.0 + options.lambda * static_cast<double>(m - 1) / static_cast<double>(m);
  const double share = options.lambda / static_cast<double>(m);
  MhksSolution s;
  Index longest = 0;
  for (const MhksView& view : views) longest = std::max<Index>(longest, view.thin.values.size());
  s.weights = Matrix::Zero(longest, m);
  s.biases = Vector::Zero(m);
  s.outputs = Matrix::Zero(n, m);
  Matrix margins = Matrix::Constant(n, m, options.margin);  // b_l

  // Every view starts at the constant unit vector; the first is solved at once (step 4).
  for (Index l = 0; l < m; ++l) {
    const MhksView& view = views[at(l)];
    const Index r = view.map.training.cols();
    const double entry = 1.0 / std::sqrt(static_cast<double>(r + 1));
    s.biases[l] = entry;
    s.outputs.col(l) = ((view.map.training.rowwise().sum() * entry).array() + entry).matrix();
    s.weights.col(l).head(view.thin.values.size()) =
        entry * view.thin.v.colwise().sum().transpose();
  }
  const auto update = [&](Index l) {
    const Vector others = s.outputs.rowwise().sum() - s.outputs.col(l);
    const Vector target =
        (y.array() * (margins.col(l).array() + 1.0) + share * others.array()).matrix();
    RidgeFit fit = ridge(views[at(l)], target, a, options.c);
    s.weights.col(l).setZero();
    s.weights.col(l).head(fit.weights.size()) = fit.weights;
    s.biases[l] = fit.bias;
    s.outputs.col(l) = fit.outputs;
  };
  const auto criterion = [&] {
    const Vector mean = s.outputs.rowwise().mean();
    double total = 0.0;
    for (Index l = 0; l < m; ++l) {
      total += (y.array() * s.outputs.col(l).array() - 1.0 - margins.col(l).array())
                   .square()
                   .sum();
      total += options.c * s.weights.col(l).squaredNorm();
      total += options.lambda * (s.outputs.col(l) - mean).squaredNorm();
    }
    return total;
  };
  update(0);
  s.path.push_back(criterion());
  for (Index k = 0; k < options.iterations && !s.converged; ++k) {
    runtime.check_interrupt();
    for (Index l = 0; l < m; ++l) {  // in turn, each seeing the newest outputs of the others
      const Eigen::ArrayXd e =
          y.array() * s.outputs.col(l).array() - margins.col(l).array() - 1.0;
      margins.col(l).array() += options.rho * (e + e.abs());  // eq. (11)
      update(l);
    }
    s.path.push_back(criterion());
    const std::size_t last = s.path.size() - 1;
    s.converged = std::abs(s.path[last] - s.path[last - 1]) <= options.tolerance;
  }
  return s;
}

std::unique_ptr<Model> MhksLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  if (data.task != Task::classification)
    throw InvalidArgument("MHKS is a classifier: the response must be classes.");
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<MhksView> views = make_views(data.bank, options_, runtime);
  const MhksSolution s = solve_mhks(views, data.y, options_, runtime);
  const Index m = data.bank.size();
  const double share = 1.0 / static_cast<double>(m);

  auto model = std::make_unique<PerKernelModel>();
  model->rows = views.front().map.rows;
  model->coefficients.resize(static_cast<Index>(model->rows.size()), m);
  for (Index l = 0; l < m; ++l) {
    const MhksView& view = views[at(l)];
    model->coefficients.col(l) =
        share * (view.map.projection *
                 (view.thin.v * s.weights.col(l).head(view.thin.values.size())));
  }
  model->bias = share * s.biases.sum();
  model->weights = Vector::Constant(m, share);
  model->fitted = share * s.outputs.rowwise().sum();
  model->report.converged = s.converged;
  model->report.iterations = static_cast<double>(s.path.size() - 1);
  model->report.objective = s.path.back();
  model->report.path =
      Eigen::Map<const Vector>(s.path.data(), static_cast<Index>(s.path.size()));
  if (s.path.size() > 1)
    model->report.violation = std::abs(s.path[s.path.size() - 1] - s.path[s.path.size() - 2]);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
}

}  // namespace mk
