// What several test files share: random data, kernel items as the R side sends them, and every
// kernel and normaliser written naively from its definition.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/state.hpp"
#include "kernels/cross_bank.hpp"
#include "runtime.hpp"

namespace fixtures {

using mk::Index;
using mk::Indices;
using mk::Matrix;
using mk::State;
using mk::Value;
using mk::Vector;

// ---- random data ---------------------------------------------------------------------------

inline double normal(mk::Random& random) {
  return std::sqrt(-2.0 * std::log(random.uniform())) *
         std::cos(6.283185307179586 * random.uniform());
}

inline Matrix normal_matrix(Index rows, Index cols, std::uint64_t seed) {
  mk::Random random(seed, 77);
  Matrix x(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) x(i, j) = normal(random);
  return x;
}

// Non-negative, with zeros among the entries, as histograms have.
inline Matrix histogram_matrix(Index rows, Index cols, std::uint64_t seed) {
  mk::Random random(seed, 78);
  Matrix x(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i)
      x(i, j) = random.uniform() < 0.3 ? 0.0 : 2.0 * random.uniform();
  return x;
}

// x x' + x-like noise on the diagonal: a positive definite matrix that no kernel made.
inline Matrix definite_matrix(Index n, std::uint64_t seed) {
  const Matrix a = normal_matrix(n, n, seed);
  Matrix k(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) {
      double sum = i == j ? 0.1 : 0.0;
      for (Index l = 0; l < n; ++l) sum += a(i, l) * a(j, l) / static_cast<double>(n);
      k(i, j) = k(j, i) = sum;
    }
  return k;
}

inline bool identical(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  return std::equal(a.data(), a.data() + a.size(), b.data());
}
inline bool identical(const Vector& a, const Vector& b) {
  return a.size() == b.size() && std::equal(a.data(), a.data() + a.size(), b.data());
}

// The largest |a - b| / max(1, |a|, |b|); NaN and different shapes count as infinite.
template <class A, class B>
double distance(const A& a, const B& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return INFINITY;
  double worst = 0.0;
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i < a.rows(); ++i) {
      const double scale = std::max({1.0, std::fabs(a(i, j)), std::fabs(b(i, j))});
      const double d = std::fabs(a(i, j) - b(i, j)) / scale;
      if (!(d <= worst)) worst = std::isnan(d) ? INFINITY : d;
    }
  return worst;
}

inline Matrix to_matrix(const mk::MatrixView& view) {
  Matrix m(view.rows, view.cols);
  std::copy(view.data, view.data + view.rows * view.cols, m.data());
  return m;
}

inline Matrix submatrix(const Matrix& m, const Indices& rows, const Indices& cols) {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(cols.size()));
  for (Index j = 0; j < out.cols(); ++j)
    for (Index i = 0; i < out.rows(); ++i)
      out(i, j) = m(rows[static_cast<std::size_t>(i)], cols[static_cast<std::size_t>(j)]);
  return out;
}

// ---- kernel items --------------------------------------------------------------------------

using Parameters = std::vector<std::pair<std::string, double>>;

inline State item(const std::string& family, const Parameters& parameters = {},
                  const std::vector<std::string>& normalize = {}) {
  State state, values;
  for (const auto& p : parameters) values.set(p.first, p.second);
  state.set("family", family);
  state.set("name", family);
  state.set("parameters", Value(std::vector<State>{values}));
  state.set("normalize", Value(normalize));
  return state;
}

inline State on(State state, const Indices& columns) {
  state.set("columns", Value(columns));
  return state;
}

inline State product(const std::vector<State>& factors,
                     const std::vector<std::string>& normalize = {}) {
  State state = item("product", {}, normalize);
  state.set("factors", Value(factors));
  return state;
}

inline std::shared_ptr<const mk::KernelSet> kernel_set(const std::vector<State>& items,
                                                       Index features) {
  return std::make_shared<mk::KernelSet>(items, features);
}

// A bank of kernels on the rows of x; `stored` must outlive it.
inline mk::KernelBank make_bank(const std::vector<State>& items, const Matrix& x,
                                const TestRuntime& runtime,
                                const std::vector<const Matrix*>& stored = {}) {
  std::vector<mk::MatrixView> views;
  for (const Matrix* m : stored) views.push_back(mk::view(*m));
  return mk::KernelBank(kernel_set(items, x.cols()), mk::dense_examples(mk::view(x), views),
                        runtime);
}

// Kernels between new and training examples, as a stored fit has them: with fitted normalizers.
inline mk::CrossBank make_cross(std::shared_ptr<const mk::KernelSet> set,
                                const mk::Normalizers& normalizers, const mk::Examples& fresh,
                                const mk::Examples& training, const TestRuntime& runtime) {
  const auto group = mk::whole_group(training, true);
  return mk::CrossBank(
      std::make_shared<mk::FittedKernels>(mk::FittedKernels{std::move(set), group, normalizers}),
      mk::whole_group(fresh, false), group, runtime);
}

// One item of every family, with parameters that give values of moderate size.
inline std::vector<State> every_family() {
  return {item("linear"),
          item("polynomial", {{"scale", 0.5}, {"offset", 1.0}, {"degree", 3}}),
          item("sigmoid", {{"scale", 0.3}, {"offset", -0.2}}),
          item("rbf", {{"gamma", 0.2}}),
          item("laplacian", {{"sigma", 3.0}}),
          item("matern", {{"nu", 0.5}, {"sigma", 2.0}}),
          item("matern", {{"nu", 1.5}, {"sigma", 2.0}}),
          item("matern", {{"nu", 2.5}, {"sigma", 2.0}}),
          item("rational_quadratic", {{"sigma", 1.5}, {"alpha", 0.7}}),
          item("cauchy", {{"sigma", 1.2}}),
          item("anova", {{"sigma", 0.4}, {"degree", 2}}),
          item("chisq", {{"gamma", 0.3}}),
          item("intersection")};
}

// ---- the kernels by their definitions ------------------------------------------------------

inline double naive_kernel(const State& it, const Matrix& x, Index i, const Matrix& z, Index j) {
  const std::string family = it.text("family");
  if (family == "product") {
    double value = 1.0;
    for (const State& factor : it.list("factors")) value *= naive_kernel(factor, x, i, z, j);
    return value;
  }
  Indices columns = mk::all_rows(x.cols());
  if (it.has("columns")) columns = it.indices("columns");
  const State& p = it.list("parameters").front();
  double dot = 0.0, square = 0.0, absolute = 0.0, minimum = 0.0, chi = 0.0, anova = 0.0;
  for (Index f : columns) {
    const double a = x(i, f), b = z(j, f), d = a - b;
    dot += a * b;
    square += d * d;
    absolute += std::fabs(d);
    minimum += std::min(a, b);
    if (a + b > 0.0) chi += d * d / (a + b);
    if (family == "anova") anova += std::exp(-p.number("sigma") * d * d);
  }
  if (family == "linear") return dot;
  if (family == "polynomial")
    return std::pow(p.number("scale") * dot + p.number("offset"), p.number("degree"));
  if (family == "sigmoid") return std::tanh(p.number("scale") * dot + p.number("offset"));
  if (family == "rbf") return std::exp(-p.number("gamma") * square);
  if (family == "laplacian") return std::exp(-absolute / p.number("sigma"));
  if (family == "matern") {
    const double nu = p.number("nu");
    const double r = std::sqrt(2.0 * nu * square) / p.number("sigma");
    const double polynomial = nu == 0.5 ? 1.0 : nu == 1.5 ? 1.0 + r : 1.0 + r + r * r / 3.0;
    return polynomial * std::exp(-r);
  }
  if (family == "rational_quadratic") {
    const double alpha = p.number("alpha"), sigma = p.number("sigma");
    return std::pow(1.0 + square / (2.0 * alpha * sigma * sigma), -alpha);
  }
  if (family == "cauchy") return 1.0 / (1.0 + square / std::pow(p.number("sigma"), 2));
  if (family == "anova") return std::pow(anova, p.number("degree"));
  if (family == "chisq") return std::exp(-p.number("gamma") * chi);
  if (family == "intersection") return minimum;
  throw std::logic_error("no naive form of " + family);
}

inline Matrix naive_matrix(const State& it, const Matrix& x, const Matrix& z) {
  Matrix k(x.rows(), z.rows());
  for (Index j = 0; j < z.rows(); ++j)
    for (Index i = 0; i < x.rows(); ++i) k(i, j) = naive_kernel(it, x, i, z, j);
  return k;
}

// ---- the normalisers by their definitions ----------------------------------------------------

// Raw kernels among the training rows, between new and training rows, and of new rows with
// themselves; `apply` takes all three through one stage.
struct NaiveKernel {
  Matrix train, cross;
  Vector own;

  void apply(const std::string& stage) {
    const Index n = train.rows(), m = cross.rows();
    if (stage == "trace" || stage == "unit_trace") {
      double sum = 0.0;
      for (Index i = 0; i < n; ++i) sum += train(i, i);
      const double divisor = stage == "trace" ? sum / static_cast<double>(n) : sum;
      train /= divisor;
      cross /= divisor;
      own /= divisor;
    } else if (stage == "cosine") {
      const Vector d = train.diagonal();
      for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i) train(i, j) /= std::sqrt(d[i] * d[j]);
        for (Index i = 0; i < m; ++i) cross(i, j) /= std::sqrt(own[i] * d[j]);
      }
      own.setOnes();
    } else if (stage == "center") {
      Vector mean = Vector::Zero(n), new_mean = Vector::Zero(m);
      double grand = 0.0;
      for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i) mean[i] += train(i, j) / static_cast<double>(n);
        for (Index i = 0; i < m; ++i) new_mean[i] += cross(i, j) / static_cast<double>(n);
      }
      for (Index i = 0; i < n; ++i) grand += mean[i] / static_cast<double>(n);
      for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i) train(i, j) += grand - mean[i] - mean[j];
        for (Index i = 0; i < m; ++i) cross(i, j) += grand - new_mean[i] - mean[j];
      }
      for (Index i = 0; i < m; ++i) own[i] += grand - 2.0 * new_mean[i];
    } else {
      throw std::logic_error("no naive form of " + stage);
    }
  }
};

inline NaiveKernel naive_normalized(const State& it, const Matrix& x, const Matrix& fresh) {
  NaiveKernel k;
  k.train = naive_matrix(it, x, x);
  k.cross = naive_matrix(it, fresh, x);
  k.own.resize(fresh.rows());
  for (Index i = 0; i < fresh.rows(); ++i) k.own[i] = naive_kernel(it, fresh, i, fresh, i);
  for (const std::string& stage : it.texts("normalize")) k.apply(stage);
  return k;
}

}  // namespace fixtures
