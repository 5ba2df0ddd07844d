#include "mkboost.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "../base/parameters.hpp"
#include "../base/random.hpp"

namespace mk {

namespace {

// 1/2 ln((1 - e) / e), with e kept away from 0 and 1 by half an example (eq. 2.9).
double vote_of(double error, Index n) {
  const double margin = 0.5 / static_cast<double>(n);
  const double e = std::min(std::max(error, margin), 1.0 - margin);
  return 0.5 * std::log((1.0 - e) / e);
}

// A sample drawn with replacement: its different rows and how often each came.
struct Sample {
  Indices rows;
  Vector counts;
};

class RowSampler {
 public:
  explicit RowSampler(const Vector& probability) : cumulative_(probability.size()) {
    double sum = 0.0;
    for (Index i = 0; i < probability.size(); ++i) cumulative_[i] = sum += probability[i];
  }
  Index draw(Random& random) const {
    const double u = random.uniform() * cumulative_[cumulative_.size() - 1];
    const double* found =
        std::upper_bound(cumulative_.data(), cumulative_.data() + cumulative_.size(), u);
    return std::min<Index>(found - cumulative_.data(), cumulative_.size() - 1);
  }

 private:
  Vector cumulative_;
};

Sample collect(const Vector& times) {
  const Indices rows = nonzero(times);
  return {rows, take(times, rows)};
}

bool has_both_classes(const Sample& sample, const Vector& y) {
  bool positive = false, negative = false;
  for (Index row : sample.rows) (y[row] > 0.0 ? positive : negative) = true;
  return positive && negative;
}

// A sample with one class only is drawn again; after 100 tries a row of the missing class is put
// in the place of the last one drawn.
Sample draw_sample(const Vector& distribution, const Vector& y, Index size, Random& random) {
  const RowSampler sampler(distribution);
  Vector times;
  Index last = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    times = Vector::Zero(y.size());
    for (Index k = 0; k < size; ++k) times[last = sampler.draw(random)] += 1.0;
    Sample sample = collect(times);
    if (has_both_classes(sample, y)) return sample;
  }
  Indices missing;
  for (Index i = 0; i < y.size(); ++i)
    if (y[i] * y[last] < 0.0) missing.push_back(i);
  if (size > 1) times[last] -= 1.0;
  times[missing[at(random.below(static_cast<Index>(missing.size())))]] += 1.0;
  return collect(times);
}

// Columns of K_m at the rows of a sample, over all rows: taken from the stored matrix, or computed
// for the sample alone where the memory budget has no room.
struct SampleColumns {
  Matrix block;
  std::vector<const double*> columns;
};

// `whole`, where not null, holds the matrix from its first use on: a bank of some rows only would
// cut it out of the matrix of all rows in each trial.
SampleColumns sample_columns(const KernelBank& bank, Index m, GramView* whole, const Sample& sample,
                             const Runtime& runtime) {
  SampleColumns out;
  if (whole != nullptr) {
    if (whole->view.data == nullptr) *whole = bank.matrix(m, runtime);
    for (Index row : sample.rows) out.columns.push_back(whole->view.column(row));
    return out;
  }
  out.block.resize(bank.rows(), static_cast<Index>(sample.rows.size()));
  bank.cross(all_rows(bank.rows()), sample.rows, runtime)->fill({m}, {out.block.data()});
  for (Index k = 0; k < out.block.cols(); ++k) out.columns.push_back(out.block.col(k).data());
  return out;
}

// The SVM of one kernel on a sample, and its outputs -1 / +1 on all rows.
struct Trained {
  BaseClassifier classifier;
  Vector output;
  double error = 0.0;
  Report report;
};

// A row drawn twice is two examples: twice the cost.
Target target_of(const TrainingSet& data, const Sample& sample) {
  Target target = data.rows(sample.rows);
  target.weights.array() *= sample.counts.array();
  return target;
}

// With its outputs for these decision values.
void judge_rows(const TrainingSet& data, const Vector& f, const Vector& distribution,
                Trained& out) {
  if (!f.allFinite()) refuse_kernel(data.bank, out.classifier.kernel);
  out.output = f.unaryExpr(&class_of);
  for (Index i = 0; i < f.size(); ++i)
    if (out.output[i] != data.y[i]) out.error += distribution[i];
}

// On the features of an approximated bank, whose part the sample is.
Trained train_on_features(const TrainingSet& data, Index m, const KernelBank& part,
                          const Sample& sample, const Vector& distribution,
                          const SvmOptions& options, const Runtime& runtime) {
  CachedQ q(part.row_evaluator(Vector::Unit(data.bank.size(), m), runtime), 0.8 * runtime.memory);
  const SvmSolution s =
      options.losses.of(data).solve(q, target_of(data, sample), options.smo, Vector(), runtime);
  Trained out;
  out.report = svm_report(s.solved);
  out.classifier.kernel = m;
  out.classifier.expansion.bias = s.solved.bias;
  out.classifier.v = part.features()->backward(m, s.coefficients, runtime);
  const Vector f = data.bank.features()->forward(m, out.classifier.v, runtime);
  judge_rows(data, (f.array() + s.solved.bias).matrix(), distribution, out);
  return out;
}

Trained train(const TrainingSet& data, Index m, GramView* whole, const Sample& sample,
              const Vector& distribution, const SvmOptions& options, const Runtime& runtime) {
  const SampleColumns k = sample_columns(data.bank, m, whole, sample, runtime);
  const Index size = static_cast<Index>(sample.rows.size());
  Matrix gram(size, size);
  for (Index j = 0; j < size; ++j)
    for (Index i = 0; i < size; ++i) gram(i, j) = k.columns[at(j)][sample.rows[at(i)]];
  const Target target = target_of(data, sample);
  StoredQ q(view(gram), runtime.memory, runtime);
  const SmoResult solved =
      options.losses.of(data).solve(q, target, options.smo, Vector(), runtime).solved;

  Trained out;
  out.report = svm_report(solved);
  Expansion& e = out.classifier.expansion;
  out.classifier.kernel = m;
  e.bias = solved.bias;
  Vector f = Vector::Constant(data.y.size(), solved.bias);
  std::vector<double> coefficients;
  for (Index j = 0; j < size; ++j) {
    if (solved.beta[j] == 0.0) continue;
    e.rows.push_back(sample.rows[at(j)]);
    coefficients.push_back(solved.beta[j]);
    runtime.simd->axpy(solved.beta[j], k.columns[at(j)], f.data(), f.size());
  }
  e.coefficients = as_vector(coefficients);
  judge_rows(data, f, distribution, out);
  return out;
}

Indices sample_kernels(const Vector& probability, Random& random) {
  Indices kernels;
  for (Index m = 0; m < probability.size(); ++m)
    if (random.uniform() < probability[m]) kernels.push_back(m);
  if (kernels.empty()) {
    Index best = 0;
    probability.maxCoeff(&best);
    kernels.push_back(best);
  }
  return kernels;
}

// The boosting loop, one trial after the other.
class Boosting {
 public:
  Boosting(const TrainingSet& data, const MkboostLearner& options, const Runtime& runtime)
      : data_(data),
        options_(options),
        runtime_(runtime),
        n_(data.y.size()),
        distribution_(Vector::Constant(n_, 1.0 / static_cast<double>(n_))),
        probability_(Vector::Ones(data.bank.size())) {
    if (data.bank.fits_all(0.0, runtime)) matrices_.resize(at(data.bank.size()));
    const double wanted = options.sampling * static_cast<double>(n_);
    sample_size_ = std::max<Index>(1, static_cast<Index>(std::llround(wanted)));
    model_.n_kernels = data.bank.size();
    model_.training = all_rows(n_);
    model_.fitted = Vector::Zero(n_);
    for (Vector* v : by_trial(model_)) *v = Vector::Zero(options.trials);
    model_.report.gap = std::nan("");  // boosting solves no problem that has one
  }

  void run_trial() {
    runtime_.check_interrupt();
    const Index t = model_.used_trials++;
    // Rows and kernels have streams of their own, so that S variants see the rows of D variants.
    Random row_stream(runtime_.seed, static_cast<std::uint64_t>(2 * t));
    Random kernel_stream(runtime_.seed, static_cast<std::uint64_t>(2 * t + 1));
    const Sample sample = draw_sample(distribution_, data_.y, sample_size_, row_stream);
    const Indices kernels = options_.stochastic ? sample_kernels(probability_, kernel_stream)
                                                : all_rows(data_.bank.size());
    std::vector<Trained> trained = train_all(kernels, sample);
    const std::size_t best = judge(t, trained);
    if (options_.vote) {
      Vector votes = Vector::Zero(n_);
      for (const Trained& one : trained) votes += one.classifier.vote * one.output;
      weigh(t, votes.unaryExpr(&class_of));
      for (Trained& one : trained) model_.classifiers.push_back(std::move(one.classifier));
    } else {
      weigh(t, trained[best].output);
      model_.classifiers.push_back(std::move(trained[best].classifier));
    }
    model_.tried[t] = static_cast<double>(kernels.size());
    measure(t);
  }

  Index trials() const { return model_.used_trials; }

  // The model of the trials so far.
  std::unique_ptr<Model> model() const {
    auto model = std::make_unique<MkboostModel>(model_);
    for (Vector* v : by_trial(*model)) v->conservativeResize(trials());
    Report& report = model->report;
    report.iterations = static_cast<double>(trials());
    // The exponential loss, which bounds the training error. Without clipped errors and discarded
    // trials it is the product of 2 sqrt(e_t (1 - e_t)); with them that product bounds nothing.
    report.objective = report.path[trials() - 1];
    report.seconds = watch_.seconds();
    return model;
  }

 private:
  static std::array<Vector*, 5> by_trial(MkboostModel& m) {
    return {&m.alpha, &m.error, &m.tried, &m.training_error, &m.report.path};
  }

  std::vector<Trained> train_all(const Indices& kernels, const Sample& sample) {
    std::vector<Trained> trained(kernels.size());
    if (data_.bank.features() != nullptr) {
      const KernelBank part = data_.bank.subset(sample.rows);
      runtime_.parallel_for(static_cast<Index>(kernels.size()), [&](Index k) {
        trained[at(k)] = train_on_features(data_, kernels[at(k)], part, sample, distribution_,
                                           options_.svm, runtime_);
      });
      return trained;
    }
    runtime_.parallel_for(static_cast<Index>(kernels.size()), [&](Index k) {
      const Index m = kernels[at(k)];
      trained[at(k)] = train(data_, m, matrices_.empty() ? nullptr : &matrices_[at(m)], sample,
                             distribution_, options_.svm, runtime_);
    });
    return trained;
  }

  // Votes, what the solver reports, and how likely each kernel is sampled from now on. The position
  // of the smallest error.
  std::size_t judge(Index t, std::vector<Trained>& trained) {
    std::size_t best = 0;
    Report& report = model_.report;
    for (std::size_t k = 0; k < trained.size(); ++k) {
      Trained& one = trained[k];
      one.classifier.trial = t;
      one.classifier.vote = options_.vote ? vote_of(one.error, n_) : 1.0;
      report.converged = report.converged && one.report.converged;
      report.indefinite = report.indefinite || one.report.indefinite;
      report.violation = std::max(report.violation, one.report.violation);
      if (one.error < trained[best].error) best = k;
      if (options_.stochastic)
        probability_[one.classifier.kernel] *= std::pow(options_.decay, one.error);
    }
    if (options_.stochastic) probability_ /= probability_.maxCoeff();
    return best;
  }

  // The weight of a trial with these outputs, and the distribution of the next one.
  void weigh(Index t, const Vector& output) {
    double error = 0.0;
    for (Index i = 0; i < n_; ++i)
      if (output[i] != data_.y[i]) error += distribution_[i];
    model_.error[t] = error;
    if (error >= 0.5) {  // no better than chance: discarded
      distribution_.setConstant(1.0 / static_cast<double>(n_));
      return;
    }
    const double alpha = vote_of(error, n_);
    model_.alpha[t] = alpha;
    model_.fitted += alpha * output;
    for (Index i = 0; i < n_; ++i) distribution_[i] *= std::exp(-alpha * data_.y[i] * output[i]);
    distribution_ /= distribution_.sum();
  }

  void measure(Index t) {
    double wrong = 0.0, loss = 0.0;
    for (Index i = 0; i < n_; ++i) {
      if (class_of(model_.fitted[i]) != data_.y[i]) wrong += 1.0;
      loss += std::exp(-data_.y[i] * model_.fitted[i]);
    }
    model_.training_error[t] = wrong / static_cast<double>(n_);
    model_.report.path[t] = loss / static_cast<double>(n_);
  }

  const TrainingSet& data_;
  const MkboostLearner& options_;
  const Runtime& runtime_;
  const Index n_;
  const Stopwatch watch_;
  Index sample_size_;
  std::vector<GramView> matrices_;  // of all kernels, if there is room for them
  Vector distribution_;             // of the rows
  Vector probability_;              // of the kernels: S_t
  MkboostModel model_;
};

}  // namespace

MkboostLearner::MkboostLearner(const State& parameters, const SmoOptions& smo) {
  const std::string variant = read_choice(parameters, "variant", {"D1", "D2", "S1", "S2"});
  stochastic = variant[0] == 'S';
  vote = variant[1] == '2';
  const Range share = {0.0, 1.0, true};
  trials = read_count(parameters, "trials", 100, 1, 1e6);
  sampling = read_number(parameters, "sampling", 0.2, share);
  decay = read_number(parameters, "decay", 0.03125, share);
  svm = SvmOptions::read(parameters, smo);
  // Weak SVMs need not be exact: the limit is smaller unless the user sets one.
  if (svm.smo.max_iter == SmoOptions().max_iter) svm.smo.max_iter = 1e6;
}

Models MkboostLearner::fit_path(const std::vector<MkboostLearner>& points, const TrainingSet& data,
                                const Runtime& runtime) {
  require_classes(data, "MKBoost");
  const auto alike = [&](const MkboostLearner& a, const MkboostLearner& b) {
    const Loss &loss = a.svm.losses.of(data), &other = b.svm.losses.of(data);
    return a.vote == b.vote && a.stochastic == b.stochastic && a.sampling == b.sampling &&
           a.decay == b.decay && differ_in_cost_alone(loss, other) && loss.cost == other.cost;
  };
  const auto shorter = [&](Index a, Index b) {
    return points[at(a)].trials < points[at(b)].trials;
  };
  Models models(points.size());
  for (Indices& group : group_points(points, alike)) {
    std::stable_sort(group.begin(), group.end(), shorter);
    Boosting boosting(data, points[at(group.back())], runtime);
    for (const Index p : group) {
      while (boosting.trials() < points[at(p)].trials) boosting.run_trial();
      models[at(p)] = boosting.model();
    }
  }
  return models;
}

}  // namespace mk
