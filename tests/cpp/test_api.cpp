// A front end without R: reads a table with a text column of classes, fits and predicts through
// src/api, and writes the decision values of the new rows to the file that the environment variable
// MULTIKERNEL_API_VALUES names. tests/testthat/test-api.R compares them with those of mkl().
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "api/fit.hpp"
#include "api/kernel_matrix.hpp"
#include "api/predict.hpp"
#include "api/scaling.hpp"
#include "check.hpp"
#include "features/dense.hpp"
#include "features/views.hpp"
#include "learners/registry.hpp"
#include "runtime.hpp"

using namespace mk;

namespace {

// Four measurements, the species and whether a row is for training.
struct Table {
  Matrix numbers;
  Texts species;
};

Table read_table(const std::string& part) {
  const std::string here = __FILE__;
  std::ifstream file(here.substr(0, here.find_last_of('/')) + "/flowers.csv");
  std::string line, field;
  std::getline(file, line);
  std::vector<double> values;
  Table out;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::vector<std::string> row;
    while (std::getline(fields, field, ',')) row.push_back(field);
    if (row.size() != 6 || row[5] != part) continue;
    for (int j = 0; j < 4; ++j) values.push_back(std::stod(row[static_cast<std::size_t>(j)]));
    out.species.push_back(row[4]);
  }
  out.numbers =
      Eigen::Map<const Matrix>(values.data(), 4, static_cast<Index>(values.size()) / 4).transpose();
  return out;
}

State kernel(const std::string& family, const std::string& name, const State& parameters) {
  State out;
  out.set("family", family);
  out.set("name", name);
  out.set("parameters", Value(std::vector<State>{parameters}));
  out.set("normalize", "trace");
  return out;
}

State rbf(double sigma) {
  State parameters;
  parameters.set("gamma", 1.0 / (2.0 * sigma * sigma));
  return kernel("rbf", "rbf", parameters);
}

State parameters(const std::vector<std::pair<std::string, double>>& values) {
  State out;
  for (const auto& value : values) out.set(value.first, value.second);
  return out;
}

Matrix standardized(const Matrix& x, const ColumnScaling& scaling) {
  Matrix out(x.rows(), x.cols());
  scale_columns(view(x), all_rows(x.rows()), scaling, out.data());
  return out;
}

// What R's mkl() does of itself: standardizes, sets widths by a rule, fits and predicts.
struct Session {
  TestRuntime runtime;
  Matrix train, fresh;
  std::vector<State> kernels;

  Session(const Matrix& x, const Matrix& new_x) {
    const ColumnScaling scaling = column_scaling(view(x), all_rows(x.rows()), {});
    train = standardized(x, scaling);
    fresh = standardized(new_x, scaling);
    const Indices columns = all_rows(x.cols());
    kernels = {rbf(kernel_width(DenseFeatures(view(train)), columns, "median", runtime)), rbf(1.0),
               rbf(4.0), kernel("linear", "linear", State())};
  }

  Vector decision(Problem problem, const std::string& learner, const State& options) {
    SmoOptions smo;
    smo.tol = 1e-10;
    FitRequest request;
    request.x = std::make_shared<DenseFeatures>(view(train));
    request.kernels = kernels;
    problem.weights = Vector::Ones(train.rows());
    request.problem = problem;
    request.learner = {learner, {options}, smo, nullptr};
    const FitResult result = fit(request, runtime);
    CHECK(result.models.size() == 1 && result.models[0].size() == 1);
    CHECK(result.models[0][0].model->report.converged);

    Matrix kept(static_cast<Index>(result.kept.size()), train.cols());
    for (Index i = 0; i < kept.rows(); ++i) kept.row(i) = train.row(result.kept[at(i)]);
    PredictRequest ask;
    ask.x = std::make_shared<DenseFeatures>(view(fresh));
    ask.train = std::make_shared<DenseFeatures>(view(kept));
    ask.kernels = kernels;
    for (const ItemNormalizer& item : result.normalizers)
      ask.normalizers.push_back(normalizer_state(item));
    ask.models.push_back({result.models[0][0].model->state(), {}});
    return predict(ask, runtime).col(0);
  }
};

void write_values(const std::vector<std::pair<std::string, Vector>>& columns) {
  const char* name = std::getenv("MULTIKERNEL_API_VALUES");
  if (name == nullptr) return;
  std::ofstream file(name);
  file.precision(17);
  for (const auto& column : columns)
    for (Index i = 0; i < column.second.size(); ++i)
      file << column.first << ',' << i + 1 << ',' << column.second[i] << '\n';
}

}  // namespace

TEST(a_table_is_fitted_and_predicted) {
  const Table train = read_table("train"), fresh = read_table("new");
  CHECK(train.numbers.rows() == 80 && fresh.numbers.rows() == 10);
  const Texts species = {"versicolor", "virginica"};  // the second one is the positive class

  Session session(train.numbers, fresh.numbers);
  Problem classes;
  classes.y.resize(80);
  for (Index i = 0; i < 80; ++i) classes.y[i] = train.species[at(i)] == species[1] ? 1.0 : 0.0;
  State options = parameters({{"lambda", 0.1}});
  options.set("norm", "two");
  options.set("final", "komd");
  const Vector easymkl = session.decision(classes, "easymkl", options);
  options = parameters({{"cost", 1.0}, {"gap", 1e-8}, {"iterations", 1000}});
  options.set("direction", "newton");
  const Vector simplemkl = session.decision(classes, "simplemkl", options);
  Indices right;
  for (Index i = 0; i < simplemkl.size(); ++i)
    if ((simplemkl[i] >= 0.0) == (fresh.species[at(i)] == species[1])) right.push_back(i);
  CHECK(right.size() >= 9);

  // The first measurement from the others, by a kernel of a width set by the same rule.
  Session numbers(train.numbers.rightCols(3), fresh.numbers.rightCols(3));
  numbers.kernels.resize(1);
  Problem regression_problem;
  regression_problem.kind = regression();
  const Vector y = train.numbers.col(0);
  const ResponseScaling scaling = response_scaling(y, Vector::Ones(y.size()));
  regression_problem.y = scale_response(y, scaling, 1e-10);
  options = parameters({{"cost", 1.0}, {"epsilon", 0.1}});
  options.set("weights", Value(Vector(Vector::Ones(1))));
  const Vector svm = (numbers.decision(regression_problem, "svm", options).array() * scaling.scale +
                      scaling.center)
                         .matrix();
  CHECK((svm - fresh.numbers.col(0)).norm() <
        (fresh.numbers.col(0).array() - y.mean()).matrix().norm());
  write_values({{"easymkl", easymkl}, {"simplemkl", simplemkl}, {"svm", svm}});
}

TEST(new_rows_have_the_columns_of_each_view) {
  const TestRuntime runtime;
  const auto features = [](Index first, Index second) -> SharedFeatures {
    const Matrix x = Matrix::Identity(6, 6);
    return std::make_shared<ViewFeatures>(
        std::vector<SharedFeatures>{own_dense(x.leftCols(first)), own_dense(x.leftCols(second))},
        Texts{"a", "b"}, Matrix());
  };
  FitRequest request;
  request.x = features(2, 3);
  request.kernels = {rbf(1.0)};
  request.kernels[0].set("view", Value(Indices{1}));
  request.learner = {"average", {State()}, SmoOptions(), nullptr};
  request.problem.y = Vector::Unit(6, 0) + Vector::Unit(6, 3);
  request.problem.weights = Vector::Ones(6);
  const FitResult result = fit(request, runtime);
  PredictRequest ask;
  ask.train = request.x;
  ask.kernels = request.kernels;
  for (const ItemNormalizer& item : result.normalizers)
    ask.normalizers.push_back(normalizer_state(item));
  ask.models.push_back({result.models[0][0].model->state(), {}});
  ask.x = features(2, 3);
  CHECK(predict(ask, runtime).rows() == 6);
  ask.x = features(3, 2);  // as many in all
  CHECK_THROWS(predict(ask, runtime), InvalidArgument, "`x$a` must be of 2 columns, not of 3");
  ask.x = own_dense(Matrix::Identity(6, 5));
  CHECK_THROWS(predict(ask, runtime), InvalidArgument, "`x` must be of 2 views, not of 0");
}

TEST(requests_are_checked) {
  const TestRuntime runtime;
  const Matrix x = Matrix::Ones(3, 2);
  FitRequest request;
  request.x = std::make_shared<DenseFeatures>(view(x));
  request.kernels = {rbf(1.0)};
  CHECK_THROWS(fit(request, runtime), InvalidArgument, "`points` must be");
  request.learner = {"average", {State()}, SmoOptions(), nullptr};
  request.problem.weights = Vector::Ones(4);
  CHECK_THROWS(fit(request, runtime), InvalidArgument,
               "`weights` must be of length 3, not of length 4");
  CHECK_THROWS(kernel_width(DenseFeatures(view(x)), {2}, "median", runtime), InvalidArgument,
               "`columns` must be positions from 1 to 2, not 3");
}
