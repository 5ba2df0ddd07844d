#include "mkboost.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "../base/errors.hpp"
#include "../base/random.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

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
  Sample sample;
  for (Index i = 0; i < times.size(); ++i)
    if (times[i] > 0.0) sample.rows.push_back(i);
  sample.counts.resize(static_cast<Index>(sample.rows.size()));
  for (Index k = 0; k < sample.counts.size(); ++k) sample.counts[k] = times[sample.rows[at(k)]];
  return sample;
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
  double violation = 0.0;
  bool converged = true;
  bool indefinite = false;
};

Trained train(const TrainingSet& data, Index m, GramView* whole, const Sample& sample,
              const Vector& distribution, const SvmOptions& options, const Runtime& runtime) {
  const SampleColumns k = sample_columns(data.bank, m, whole, sample, runtime);
  const Index size = static_cast<Index>(sample.rows.size());
  Matrix gram(size, size);
  SmoProblem problem;
  problem.linear.resize(size);
  problem.lower = Vector::Zero(size);
  problem.upper = Vector::Zero(size);
  for (Index j = 0; j < size; ++j) {
    const Index row = sample.rows[at(j)];
    for (Index i = 0; i < size; ++i) gram(i, j) = k.columns[at(j)][sample.rows[at(i)]];
    problem.linear[j] = data.y[row];
    // A row drawn twice is two examples: twice the cost.
    const double bound = options.cost * data.weights[row] * sample.counts[j];
    (data.y[row] > 0.0 ? problem.upper : problem.lower)[j] = data.y[row] * bound;
  }
  StoredQ q(view(gram), runtime.memory, runtime);
  const SmoResult solved = solve_smo(q, problem, Vector(), options.smo, runtime);

  Trained out;
  out.converged = solved.converged;
  out.violation = solved.violation;
  out.indefinite = solved.indefinite;
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
  e.coefficients =
      Eigen::Map<const Vector>(coefficients.data(), static_cast<Index>(coefficients.size()));
  if (!f.allFinite())
    throw InvalidArgument("Kernel `" + data.bank.set().item_name(data.bank.set().locate(m).first) +
                          "` has values that are not finite on the training rows: scale the "
                          "features or choose other kernel parameters.");
  out.output = f.unaryExpr(&class_of);
  for (Index i = 0; i < f.size(); ++i)
    if (out.output[i] != data.y[i]) out.error += distribution[i];
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

double share(const State& parameters, const char* name, double if_missing) {
  const double value = parameters.number(name, if_missing);
  if (!(value > 0.0 && value <= 1.0))
    throw InvalidArgument(name, "a number in (0, 1]", format_number(value));
  return value;
}

}  // namespace

MkboostOptions MkboostOptions::read(const State& parameters, const SmoOptions& smo) {
  MkboostOptions o;
  const std::string variant = parameters.has("variant") ? parameters.text("variant") : "D1";
  if (variant != "D1" && variant != "D2" && variant != "S1" && variant != "S2")
    throw InvalidArgument("variant", "\"D1\", \"D2\", \"S1\" or \"S2\"", "\"" + variant + "\"");
  o.stochastic = variant[0] == 'S';
  o.vote = variant[1] == '2';
  const double trials = parameters.number("trials", 100.0);
  if (!(trials >= 1.0 && trials <= 1e6) || trials != std::floor(trials))
    throw InvalidArgument("trials", "a whole number from 1 to 1000000", format_number(trials));
  o.trials = static_cast<Index>(trials);
  o.sampling = share(parameters, "sampling", o.sampling);
  o.decay = share(parameters, "decay", o.decay);
  o.svm = SvmOptions::read(parameters, smo);
  // A weak machine need not be exact: without a limit of the user's own it gets a smaller one.
  if (o.svm.smo.max_iter == SmoOptions().max_iter) o.svm.smo.max_iter = 1e6;
  return o;
}

std::unique_ptr<Model> MkboostLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  if (data.task != Task::classification)
    throw InvalidArgument("MKBoost is a classifier: the response must be classes.");
  const auto begin = std::chrono::steady_clock::now();
  const Index n = data.y.size(), n_kernels = data.bank.size(), trials = options_.trials;
  std::vector<GramView> matrices;  // of all kernels, if there is room for them
  if (data.bank.fits_all(0.0, runtime)) matrices.resize(at(n_kernels));
  const double wanted = options_.sampling * static_cast<double>(n);
  const Index size = std::max<Index>(1, static_cast<Index>(std::llround(wanted)));

  auto model = std::make_unique<MkboostModel>();
  model->n_kernels = n_kernels;
  model->training = all_rows(n);
  model->used_trials = trials;
  for (Vector* v : {&model->alpha, &model->error, &model->tried, &model->training_error})
    *v = Vector::Zero(trials);
  model->fitted = Vector::Zero(n);
  Vector distribution = Vector::Constant(n, 1.0 / static_cast<double>(n));
  Vector probability = Vector::Ones(n_kernels);  // S_t
  model->report.path.resize(trials);
  for (Index t = 0; t < trials; ++t) {
    runtime.check_interrupt();
    // Rows and kernels have streams of their own, so that S variants see the rows of D variants.
    Random row_stream(runtime.seed, static_cast<std::uint64_t>(2 * t));
    Random kernel_stream(runtime.seed, static_cast<std::uint64_t>(2 * t + 1));
    const Sample sample = draw_sample(distribution, data.y, size, row_stream);
    const Indices kernels =
        options_.stochastic ? sample_kernels(probability, kernel_stream) : all_rows(n_kernels);
    std::vector<Trained> trained(kernels.size());
    runtime.parallel_for(static_cast<Index>(kernels.size()), [&](Index k) {
      const Index m = kernels[at(k)];
      trained[at(k)] = train(data, m, matrices.empty() ? nullptr : &matrices[at(m)], sample,
                             distribution, options_.svm, runtime);
    });

    std::size_t best = 0;
    for (std::size_t k = 0; k < trained.size(); ++k) {
      trained[k].classifier.trial = t;
      trained[k].classifier.vote = options_.vote ? vote_of(trained[k].error, n) : 1.0;
      model->report.converged = model->report.converged && trained[k].converged;
      model->report.indefinite = model->report.indefinite || trained[k].indefinite;
      model->report.violation = std::max(model->report.violation, trained[k].violation);
      if (trained[k].error < trained[best].error) best = k;
      if (options_.stochastic)
        probability[trained[k].classifier.kernel] *= std::pow(options_.decay, trained[k].error);
    }
    if (options_.stochastic) probability /= probability.maxCoeff();

    Vector output = trained[best].output;
    if (options_.vote) {
      output.setZero();
      for (const Trained& one : trained) output += one.classifier.vote * one.output;
      output = output.unaryExpr(&class_of).eval();
    }
    double error = 0.0;
    for (Index i = 0; i < n; ++i)
      if (output[i] != data.y[i]) error += distribution[i];
    model->error[t] = error;
    model->tried[t] = static_cast<double>(kernels.size());
    if (options_.vote)
      for (Trained& one : trained) model->classifiers.push_back(std::move(one.classifier));
    else model->classifiers.push_back(std::move(trained[best].classifier));

    if (error >= 0.5) {  // no better than chance: discarded
      distribution.setConstant(1.0 / static_cast<double>(n));
    } else {
      const double alpha = vote_of(error, n);
      model->alpha[t] = alpha;
      model->fitted += alpha * output;
      for (Index i = 0; i < n; ++i) distribution[i] *= std::exp(-alpha * data.y[i] * output[i]);
      distribution /= distribution.sum();
    }
    double wrong = 0.0, loss = 0.0;
    for (Index i = 0; i < n; ++i) {
      if (class_of(model->fitted[i]) != data.y[i]) wrong += 1.0;
      loss += std::exp(-data.y[i] * model->fitted[i]);
    }
    model->training_error[t] = wrong / static_cast<double>(n);
    model->report.path[t] = loss / static_cast<double>(n);
  }
  model->report.iterations = static_cast<double>(trials);
  // The exponential loss, which bounds the training error. Without clipped errors and discarded
  // trials it is the product of 2 sqrt(e_t (1 - e_t)); with them that product bounds nothing.
  model->report.objective = model->report.path[trials - 1];
  model->report.gap = std::nan("");  // boosting solves no problem that has one
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
}

}  // namespace mk
