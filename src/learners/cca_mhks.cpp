#include "cca_mhks.hpp"

#include <cmath>

#include "../base/errors.hpp"
#include "../base/parameters.hpp"
#include "../solvers/nmcca.hpp"

namespace mk {

namespace {

// The projected views.
struct Projected {
  Indices rows;                // the rows that the maps are built on
  std::vector<Matrix> to;      // from weights of projected coordinates to coefficients of a kernel
  std::vector<Matrix> values;  // Z_k on the training rows
};

Projected project(const KernelBank& bank, const CcaMhksLearner& options, const Runtime& runtime) {
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

// An MHKS model on given coordinates.
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
  const auto map = std::make_shared<const MapDecomposition>(
      MapDecomposition{{}, std::move(thin.values), std::move(thin.u), {}});
  const MhksSolution s = solve_mhks({MhksView(map)}, y, {options.point}, options, runtime).front();
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

// The report of all models together: sums, each path lengthened by its last value.
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

CcaMhksLearner::CcaMhksLearner(const State& parameters, const SmoOptions& smo)
    : vote(read_choice(parameters, "combine", {"concatenate", "vote"}) == "vote"),
      components(read_count(parameters, "components", 0, 0)),
      kappa(read_number(parameters, "kappa", 0.01, Range::at_least(0.0))),
      mhks(MhksOptions::read(parameters, smo)) {
  mhks.point.lambda = 0.0;
}

std::unique_ptr<Model> CcaMhksLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  require_classes(data, "MHKS");
  const Projected p = project(data.bank, *this, runtime);
  return vote ? fit_votes(p, data.y, mhks, runtime) : fit_concatenated(p, data.y, mhks, runtime);
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

Terms VoteModel::combine_terms(const Eigen::Ref<const Matrix>& values,
                               const KernelGroups& groups) const {
  const double m = static_cast<double>(biases.size());
  const Matrix scores = values.rowwise() + biases.transpose();
  const Eigen::ArrayXd shares = (m + scores.rowwise().sum().array().abs()).inverse();
  const Matrix votes = scores.unaryExpr([](double f) { return f >= 0.0 ? 1.0 : -1.0; });
  return {sum_groups((votes + Matrix(scores.array().colwise() * shares)) / m, groups), 0.0};
}

State VoteModel::state() const {
  State s = facts();
  s.set("type", "vote");
  s.set("biases", Value(biases));
  return s;
}

std::unique_ptr<Model> VoteModel::restore(const State& s) {
  constexpr const char* what = "that of machines that vote";
  auto model = std::make_unique<VoteModel>();
  model->read_coefficients(s, what);
  model->biases = s.vector("biases");
  if (model->coefficients.cols() != model->biases.size() || model->biases.size() == 0 ||
      !model->biases.allFinite())
    throw InvalidArgument("state", what, "of parts that do not fit");
  return model;
}

}  // namespace mk
