#include "cca_mhks.hpp"

#include <chrono>
#include <cmath>

#include "../base/errors.hpp"
#include "../solvers/nmcca.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The projected views.
struct Projected {
  Indices rows;                // the rows that the maps are built on
  std::vector<Matrix> to;      // from weights of projected coordinates to coefficients of a kernel
  std::vector<Matrix> values;  // Z_k on the training rows
};

Projected project(const KernelBank& bank, const CcaMhksOptions& options, const Runtime& runtime) {
  std::vector<EmpiricalMap> maps =
      make_empirical_maps(bank, options.mhks.landmarks, options.mhks.rank, runtime);
  std::vector<Matrix> views;
  double size = 0.0;
  for (EmpiricalMap& map : maps) {
    views.push_back(std::move(map.training));
    size += views.back().squaredNorm() / static_cast<double>(maps.size());
  }
  const Nmcca cca = solve_nmcca(views, options.components, options.kappa * size, runtime);
  Projected p;
  p.rows = maps.front().rows;
  for (std::size_t k = 0; k < maps.size(); ++k) {
    p.to.push_back(maps[k].projection * cca.projections[k]);
    p.values.push_back(views[k] * cca.projections[k]);
  }
  return p;
}

// A machine on given coordinates.
struct Machine {
  Vector weights;  // one per coordinate
  double bias = 0.0;
  Vector outputs;
  Report report;
};

Machine fit_machine(const Matrix& z, const Vector& y, const MhksOptions& options,
                    const Runtime& runtime) {
  // Through the smaller of Z'Z and ZZ'.
  const bool wide = z.cols() > z.rows();
  ThinDecomposition thin = wide ? decompose(z.transpose(), runtime) : decompose(z, runtime);
  if (wide) thin.u.swap(thin.v);
  MhksView view;
  view.u = std::move(thin.u);
  view.values = std::move(thin.values);
  view.ones = view.u.colwise().sum().transpose();
  const MhksSolution s = solve_mhks({view}, y, {options.point}, options, runtime).front();
  Machine machine;
  machine.weights = thin.v * s.weights.front();
  machine.bias = s.biases[0];
  machine.outputs = s.outputs.col(0);
  machine.report = mhks_report(s);
  return machine;
}

std::unique_ptr<Model> fit_concatenated(const Projected& p, const Vector& y,
                                        const MhksOptions& options, const Runtime& runtime) {
  const Machine machine = fit_machine(side_by_side(p.values), y, options, runtime);
  const Index m = static_cast<Index>(p.to.size());
  auto model = std::make_unique<PerKernelModel>();
  model->rows = p.rows;
  model->coefficients.resize(static_cast<Index>(p.rows.size()), m);
  Index from = 0;
  for (Index k = 0; k < m; ++k) {
    const Index width = p.to[at(k)].cols();
    model->coefficients.col(k) = p.to[at(k)] * machine.weights.segment(from, width);
    from += width;
  }
  model->bias = machine.bias;
  model->weights = Vector::Constant(m, 1.0 / static_cast<double>(m));
  model->fitted = machine.outputs;
  model->report = machine.report;
  return model;
}

// Of all machines together: sums, each path lengthened by its last value.
Report joint_report(const std::vector<Machine>& machines) {
  Report total = machines.front().report;
  for (std::size_t k = 1; k < machines.size(); ++k) {
    const Report& r = machines[k].report;
    total.converged = total.converged && r.converged;
    total.iterations += r.iterations;
    total.objective += r.objective;
    total.violation = std::max(total.violation, r.violation);
    const auto value = [](const Vector& path, Index t) {
      return path[std::min(t, path.size() - 1)];
    };
    Vector path(std::max(total.path.size(), r.path.size()));
    for (Index t = 0; t < path.size(); ++t) path[t] = value(total.path, t) + value(r.path, t);
    total.path = std::move(path);
  }
  return total;
}

std::unique_ptr<Model> fit_votes(const Projected& p, const Vector& y, const MhksOptions& options,
                                 const Runtime& runtime) {
  const Index m = static_cast<Index>(p.to.size());
  std::vector<Machine> machines(p.to.size());
  runtime.parallel_for(
      m, [&](Index k) { machines[at(k)] = fit_machine(p.values[at(k)], y, options, runtime); });
  auto model = std::make_unique<VoteModel>();
  model->rows = p.rows;
  model->coefficients.resize(static_cast<Index>(p.rows.size()), m);
  model->biases.resize(m);
  Matrix scores(y.size(), m);
  for (Index k = 0; k < m; ++k) {
    const Machine& machine = machines[at(k)];
    model->coefficients.col(k) = p.to[at(k)] * machine.weights;
    model->biases[k] = machine.bias;
    scores.col(k) = machine.outputs;
  }
  model->fitted = VoteModel::vote(scores);
  model->report = joint_report(machines);
  return model;
}

}  // namespace

CcaMhksOptions CcaMhksOptions::read(const State& parameters, const SmoOptions& smo) {
  CcaMhksOptions o;
  if (parameters.has("combine")) {
    const std::string& combine = parameters.text("combine");
    if (combine != "concatenate" && combine != "vote")
      throw InvalidArgument("combine", "\"concatenate\" or \"vote\"", "\"" + combine + "\"");
    o.vote = combine == "vote";
  }
  const double components = parameters.number("components", 0.0);
  if (!(components >= 0.0 && components <= 9e15) || components != std::floor(components))
    throw InvalidArgument("components", "a whole number of at least 0", format_number(components));
  o.components = static_cast<Index>(components);
  o.kappa = parameters.number("kappa", o.kappa);
  if (!(o.kappa >= 0.0) || std::isinf(o.kappa))
    throw InvalidArgument("kappa", "a finite number of at least 0", format_number(o.kappa));
  o.mhks = MhksOptions::read(parameters, smo);
  o.mhks.point.lambda = 0.0;
  return o;
}

std::unique_ptr<Model> CcaMhksLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  const auto begin = std::chrono::steady_clock::now();
  check_mhks_task(data);
  const Projected p = project(data.bank, options_, runtime);
  auto model = options_.vote ? fit_votes(p, data.y, options_.mhks, runtime)
                             : fit_concatenated(p, data.y, options_.mhks, runtime);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
}

Vector VoteModel::vote(const Matrix& scores) {
  const double m = static_cast<double>(scores.cols());
  Vector f(scores.rows());
  for (Index i = 0; i < f.size(); ++i) {
    double votes = 0.0, sum = 0.0;
    for (Index k = 0; k < scores.cols(); ++k) {
      votes += scores(i, k) >= 0.0 ? 1.0 : -1.0;
      sum += scores(i, k);
    }
    const double mean = sum / m;
    f[i] = (votes + mean / (1.0 + std::abs(mean))) / m;
  }
  return f;
}

std::vector<Expansion> VoteModel::parts(Index most) const {
  if (coefficients.cols() > most) return {};
  return kernel_expansions(rows, coefficients, biases.size());
}

Vector VoteModel::combine(const Eigen::Ref<const Matrix>& values) const {
  return vote(values.rowwise() + biases.transpose());
}

void VoteModel::remap(const Indices& new_position) {
  for (Index& row : rows) row = new_position[at(row)];
}

State VoteModel::state() const {
  State s;
  s.set("type", Value(std::string("vote")));
  s.set("rows", Value(rows));
  s.set("coefficients", Value(coefficients));
  s.set("biases", Value(biases));
  return s;
}

std::unique_ptr<Model> VoteModel::restore(const State& s) {
  auto model = std::make_unique<VoteModel>();
  model->rows = s.indices("rows");
  model->coefficients = s.matrix("coefficients");
  model->biases = s.vector("biases");
  if (model->coefficients.rows() != static_cast<Index>(model->rows.size()) ||
      model->coefficients.cols() != model->biases.size() || model->biases.size() == 0 ||
      !model->coefficients.allFinite() || !model->biases.allFinite())
    throw InvalidArgument("state", "that of machines that vote", "of parts that do not fit");
  return model;
}

}  // namespace mk
