#include "mhks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../base/errors.hpp"
#include "../base/parameters.hpp"
#include "feature_model.hpp"

namespace mk {

namespace {

// A matrix times another that may have one column only: Eigen treats that case badly.
template <class A>
Matrix product(const A& a, const Matrix& b) {
  if (b.cols() == 1) return a * b.col(0);
  return a * b;
}

// Least squares on one view for the points of a block (eq. 9):
//   min over w, w0 of  a ||U s w + w0 - t / a||^2 + c ||w||^2, s the singular values.
struct ViewSteps {
  Matrix shrink;  // values / (a values + c), one column per point
  Matrix weigh;   // sqrt(values) / (a values + c)
  Vector below;   // what the constant is divided by; 0 where the view has a constant of its own
};

// The points of one block, step by step together: products with U serve them all.
class Block {
 public:
  Block(const std::vector<MhksView>& views, const Vector& y, const MhksPoint* points, Index count,
        const MhksOptions& options)
      : views_(views),
        y_(y),
        points_(points),
        options_(options),
        count_(count),
        n_(y.size()),
        m_(static_cast<Index>(views.size())) {
    a_.resize(count_);
    for (Index p = 0; p < count_; ++p) {
      a_[p] = 1.0 + points_[p].lambda * static_cast<double>(m_ - 1) / static_cast<double>(m_);
      active_.push_back(p);
    }
    sum_ = Matrix::Constant(n_, count_, static_cast<double>(m_));
    biases_ = Matrix::Ones(m_, count_);
    paths_.resize(at(count_));
    for (const MhksView& view : views_) {
      steps_.push_back(make_steps(view));
      // Every view starts at the unit vector of the constant: all outputs are 1. Other unit vectors
      // would depend on signs and bases of eigenvectors, which are a matter of chance.
      weights_.push_back(Matrix::Zero(view.values.size(), count_));
      outputs_.push_back(Matrix::Ones(n_, count_));
      margins_.push_back(Matrix::Constant(n_, count_, options.margin));
    }
  }

  void run(MhksSolution* solutions, const Runtime& runtime) {
    update(0);  // step 4 of table 1
    for (Index p : active_) paths_[at(p)].push_back(criterion(p));
    for (double k = 0.0; k < options_.iterations && !active_.empty(); ++k) {
      for (Index l = 0; l < m_; ++l) {  // in turn, each seeing the newest outputs of the others
        runtime.check_interrupt();
        for (Index p : active_) raise_margins(l, p);
        update(l);
      }
      Indices still;
      for (Index p : active_) {
        std::vector<double>& path = paths_[at(p)];
        path.push_back(criterion(p));
        if (runtime.verbose && count_ == 1)
          runtime.message("mhks: iteration " + std::to_string(path.size() - 1) +
                          ", L = " + format_number(path.back()));
        // A huge L cannot change by less than its rounding.
        const double rounding = 16.0 * std::numeric_limits<double>::epsilon() * path.back();
        const double change = std::abs(path[path.size() - 1] - path[path.size() - 2]);
        if (change <= std::max(options_.tolerance, rounding)) solutions[p].converged = true;
        else if (!std::isfinite(path.back()))
          continue;  // nothing will come of it: reported at the end
        else still.push_back(p);
      }
      active_ = std::move(still);
    }
    for (Index p = 0; p < count_; ++p) write(p, solutions[p]);
  }

 private:
  ViewSteps make_steps(const MhksView& view) const {
    ViewSteps s;
    s.shrink.resize(view.values.size(), count_);
    s.weigh.resize(view.values.size(), count_);
    s.below.resize(count_);
    for (Index p = 0; p < count_; ++p) {
      const Eigen::ArrayXd divisor = a_[p] * view.values.array() + points_[p].c;
      s.shrink.col(p) = view.values.array() / divisor;
      s.weigh.col(p) = view.values.array().sqrt() / divisor;
      const double all = a_[p] * static_cast<double>(n_);
      const double below =
          all - a_[p] * a_[p] * (s.shrink.col(p).array() * view.ones.array().square()).sum();
      s.below[p] = below > 1e-10 * all ? below : 0.0;
    }
    return s;
  }

  void raise_margins(Index l, Index p) {  // eq. (10) and (11)
    auto b = margins_[at(l)].col(p).array();
    const Eigen::ArrayXd e = y_.array() * outputs_[at(l)].col(p).array() - b - 1.0;
    b += options_.rho * (e + e.abs());
  }

  void update(Index l) {
    const MhksView& view = views_[at(l)];
    const ViewSteps& steps = steps_[at(l)];
    const Index count = static_cast<Index>(active_.size());
    Matrix t(n_, count);
    for (Index j = 0; j < count; ++j) {
      const Index p = active_[at(j)];
      const double share = points_[p].lambda / static_cast<double>(m_);
      t.col(j) = y_.array() * (margins_[at(l)].col(p).array() + 1.0) +
                 share * (sum_.col(p) - outputs_[at(l)].col(p)).array();
    }
    Matrix inner = view.inner(t);
    for (Index j = 0; j < count; ++j) {
      const Index p = active_[at(j)];
      const auto shrink = steps.shrink.col(p).array();
      auto u = inner.col(j).array();
      const double above = t.col(j).sum() - a_[p] * (view.ones.array() * shrink * u).sum();
      biases_(l, p) = steps.below[p] > 0.0 ? above / steps.below[p] : 0.0;
      u -= a_[p] * biases_(l, p) * view.ones.array();
      weights_[at(l)].col(p) = steps.weigh.col(p).array() * u;
      u *= shrink;
    }
    t = view.outer(inner);
    for (Index j = 0; j < count; ++j) {
      const Index p = active_[at(j)];
      t.col(j).array() += biases_(l, p);
      outputs_[at(l)].col(p) = t.col(j);
      sum_.col(p).setZero();  // anew, so that rounding does not pile up
      for (Index k = 0; k < m_; ++k) sum_.col(p) += outputs_[at(k)].col(p);
    }
  }

  double criterion(Index p) const {
    const Vector mean = sum_.col(p) / static_cast<double>(m_);
    double total = 0.0;
    for (Index l = 0; l < m_; ++l) {
      const auto f = outputs_[at(l)].col(p);
      total += (y_.array() * f.array() - 1.0 - margins_[at(l)].col(p).array()).square().sum();
      total += points_[p].c * weights_[at(l)].col(p).squaredNorm();
      total += points_[p].lambda * (f - mean).squaredNorm();
    }
    return total;
  }

  void write(Index p, MhksSolution& s) {
    s.biases = biases_.col(p);
    s.outputs.resize(n_, m_);
    s.margins.resize(n_, m_);
    for (Index l = 0; l < m_; ++l) {
      s.weights.push_back(weights_[at(l)].col(p));
      s.outputs.col(l) = outputs_[at(l)].col(p);
      s.margins.col(l) = margins_[at(l)].col(p);
    }
    s.path = std::move(paths_[at(p)]);
  }

  const std::vector<MhksView>& views_;
  const Vector& y_;
  const MhksPoint* points_;
  const MhksOptions& options_;
  const Index count_, n_, m_;
  Vector a_;
  Indices active_;  // points that have not converged
  std::vector<ViewSteps> steps_;
  std::vector<Matrix> weights_, outputs_, margins_;  // one per view, points in columns
  Matrix sum_;                                       // of the outputs over the views
  Matrix biases_;                                    // views x points
  std::vector<std::vector<double>> paths_;
};

// Of fixed size, so that results do not depend on the number of threads.
constexpr Index block_points = 16;

[[noreturn]] void stop_out_of_range() {
  throw InvalidArgument(
      "The solution is beyond the range of numbers: scale the features or the kernels.");
}

// On explicit features the weights of a view are those of its features.
std::unique_ptr<Model> feature_model(const std::vector<MhksView>& views, const MhksSolution& s) {
  const double share = 1.0 / static_cast<double>(views.size());
  auto model = std::make_unique<FeatureModel>();
  for (std::size_t l = 0; l < views.size(); ++l)
    model->v.emplace_back(share *
                          (views[l].to_u * views[l].values.cwiseSqrt().cwiseProduct(s.weights[l])));
  model->bias = share * s.biases.sum();
  model->weights = Vector::Constant(static_cast<Index>(views.size()), share);
  model->fitted = share * s.outputs.rowwise().sum();
  if (!model->fitted.allFinite()) stop_out_of_range();
  model->report = mhks_report(s);
  return model;
}

std::unique_ptr<Model> make_model(const std::vector<MhksView>& views, const MhksSolution& s) {
  if (views.front().features != nullptr) return feature_model(views, s);
  const Index m = static_cast<Index>(views.size());
  const double share = 1.0 / static_cast<double>(m);
  auto model = std::make_unique<PerKernelModel>();
  model->rows = views.front().map->rows;
  model->coefficients.resize(static_cast<Index>(model->rows.size()), m);
  for (Index l = 0; l < m; ++l)
    model->coefficients.col(l) = share * views[at(l)].map->coefficients(s.weights[at(l)]);
  model->bias = share * s.biases.sum();
  model->weights = Vector::Constant(m, share);
  model->fitted = share * s.outputs.rowwise().sum();
  if (!model->coefficients.allFinite() || !model->fitted.allFinite()) stop_out_of_range();
  model->report = mhks_report(s);
  return model;
}

}  // namespace

Report mhks_report(const MhksSolution& s) {
  for (const double value : s.path)
    if (!std::isfinite(value)) stop_out_of_range();
  Report report;
  report.converged = s.converged;
  report.iterations = static_cast<double>(s.path.size() - 1);
  report.objective = s.path.back();
  report.gap = std::nan("");  // the margins are found by a rule, not by a problem with a dual
  report.path = as_vector(s.path);
  if (s.path.size() > 1)
    report.violation = std::abs(s.path[s.path.size() - 1] - s.path[s.path.size() - 2]);
  return report;
}

MhksOptions MhksOptions::read(const State& parameters, const SmoOptions& smo) {
  MhksOptions o;
  o.point.c = read_number(parameters, "c", o.point.c, Range::at_least(0.0));
  o.point.lambda = read_number(parameters, "lambda", o.point.lambda, Range::at_least(0.0));
  o.rho = read_number(parameters, "rho", o.rho, {0.0, 1.0, true, true});
  o.margin = read_number(parameters, "margin", o.margin, Range::at_least(0.0));
  o.tolerance = smo.tol;
  o.iterations = smo.max_iter;
  o.rank = read_count(parameters, "rank", 0, 0);
  o.landmarks = read_count(parameters, "landmarks", 0, 0);
  return o;
}

MhksView::MhksView(const KernelBank& bank, Index m, Index rank, const Runtime& with)
    : features(bank.features()), kernel(m), runtime(&with) {
  const auto shared = bank.row_evaluator(Vector::Unit(bank.size(), m), with);
  const auto& z = dynamic_cast<const FeatureSum&>(*shared);
  Matrix gram = z.gram(Vector::Ones(bank.rows()));
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  Spectrum s = leading_spectrum(std::move(gram), rank, with);
  if (s.values.size() == 0)
    throw InvalidArgument("Kernel `" + bank.set().item_name(bank.set().locate(m).first) +
                          "` has no positive eigenvalue: its features are all 0.");
  values = std::move(s.values);
  to_u = s.vectors * values.cwiseSqrt().cwiseInverse().asDiagonal();
  ones = inner(Vector::Ones(bank.rows()));
}

Matrix MhksView::inner(const Matrix& t) const {
  if (features == nullptr) return product(map->u.transpose(), t);
  Matrix sums(to_u.rows(), t.cols());
  for (Index c = 0; c < t.cols(); ++c) sums.col(c) = features->backward(kernel, t.col(c), *runtime);
  return product(to_u.transpose(), sums);
}

Matrix MhksView::outer(const Matrix& in) const {
  if (features == nullptr) return product(map->u, in);
  const Matrix weights = product(to_u, in);
  Matrix out(features->rows(), in.cols());
  for (Index c = 0; c < in.cols(); ++c)
    out.col(c) = features->forward(kernel, weights.col(c), *runtime);
  return out;
}

std::vector<MhksView> make_views(const KernelBank& bank, const MhksOptions& options,
                                 const Runtime& runtime) {
  if (bank.features() != nullptr) {
    if (options.landmarks > 0)
      throw InvalidArgument("landmarks", "left out of a fit that is approximated already",
                            std::to_string(options.landmarks));
    std::vector<MhksView> views;
    for (Index m = 0; m < bank.size(); ++m) views.emplace_back(bank, m, options.rank, runtime);
    return views;
  }
  const bool all = options.landmarks == 0 || options.landmarks >= bank.rows();
  const Indices landmarks = all ? Indices() : spread_rows(bank.rows(), options.landmarks);
  std::vector<std::shared_ptr<const MapDecomposition>> maps(at(bank.size()));
  runtime.parallel_for(bank.size(), [&](Index m) {
    maps[at(m)] = decompose_map(bank, m, landmarks, options.rank, runtime);
  });
  return std::vector<MhksView>(maps.begin(), maps.end());
}

std::vector<MhksSolution> solve_mhks(const std::vector<MhksView>& views, const Vector& y,
                                     const std::vector<MhksPoint>& points,
                                     const MhksOptions& options, const Runtime& runtime) {
  const Index count = static_cast<Index>(points.size());
  std::vector<MhksSolution> solutions(points.size());
  runtime.parallel_for((count + block_points - 1) / block_points, [&](Index b) {
    const Index first = b * block_points;
    Block block(views, y, points.data() + first, std::min(block_points, count - first), options);
    block.run(solutions.data() + first, runtime);
  });
  return solutions;
}

Models MhksLearner::fit_path(const std::vector<MhksLearner>& points, const TrainingSet& data,
                             const Runtime& runtime) {
  require_classes(data, "MHKS");
  const auto alike = [](const MhksLearner& left, const MhksLearner& right) {
    const MhksOptions &a = left.options, &b = right.options;
    return a.rho == b.rho && a.margin == b.margin && a.rank == b.rank && a.landmarks == b.landmarks;
  };
  Models models(points.size());
  for (const Indices& group : group_points(points, alike)) {
    const Stopwatch watch;
    const MhksOptions& options = points[at(group.front())].options;
    std::vector<MhksPoint> own;
    for (const Index p : group) own.push_back(points[at(p)].options.point);
    const std::vector<MhksView> views = make_views(data.bank, options, runtime);
    const auto solutions = solve_mhks(views, data.y, own, options, runtime);
    for (std::size_t g = 0; g < group.size(); ++g)
      models[at(group[g])] = make_model(views, solutions[g]);
    const double seconds = watch.seconds() / static_cast<double>(group.size());
    for (const Index p : group) models[at(p)]->report.seconds = seconds;
  }
  return models;
}

}  // namespace mk
