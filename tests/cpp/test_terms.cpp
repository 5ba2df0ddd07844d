// Decision values as sums over groups of kernels, against their definitions.
#include "api/predict.hpp"
#include "check.hpp"
#include "learners/cca_mhks.hpp"
#include "learners/lbmkl.hpp"
#include "learners/mkboost.hpp"
#include "learners/product_problem.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

struct Rows {
  Rows() : train(normal_matrix(12, 3, 1)), fresh(normal_matrix(7, 3, 2)) {}

  CrossBank cross(const TestRuntime& runtime) const {
    return make_cross(kernel_set(items, 3), Normalizers(items.size()),
                      dense_examples(view(fresh), {}), dense_examples(view(train), {}), runtime);
  }
  Matrix kernel(std::size_t m) const { return naive_matrix(items[m], fresh, train); }

  Matrix train, fresh;
  std::vector<State> items = {item("rbf", {{"gamma", 0.3}}), item("linear"),
                              item("rbf", {{"gamma", 1.5}})};
};

Expansion expansion(Index n, std::uint64_t seed) {
  Expansion e;
  e.rows = all_rows(n);
  e.coefficients = normal_matrix(n, 1, seed).col(0);
  e.weights = normal_matrix(3, 1, seed + 10).col(0).cwiseAbs();
  e.bias = 0.7;
  return e;
}

const KernelGroups each = {{0, 1, 2}, 3};
const KernelGroups outer_and_inner = {{1, 0, 1}, 2};

}  // namespace

TEST(terms_of_an_expansion_are_its_kernels_alone) {
  const TestRuntime runtime;
  const Rows rows;
  const CrossBank cross = rows.cross(runtime);
  const Expansion e = expansion(12, 3);
  const ExpansionModel model(e);
  const Terms terms = decision_terms({&model}, cross, each).front();
  for (Index m = 0; m < 3; ++m)
    CHECK(distance(Matrix(terms.values.col(m)),
                   Matrix(e.weights[m] * rows.kernel(at(m)) * e.coefficients)) < 1e-12);
  CHECK(terms.constant == 0.7);
  // Alone and in groups.
  CHECK(identical(model.terms(cross, each).values, terms.values));
  const Terms two = decision_terms({&model}, cross, outer_and_inner).front();
  CHECK(distance(Matrix(two.values.col(0)), Matrix(terms.values.col(1))) < 1e-12);
  CHECK(distance(Matrix(two.values.col(1)), Matrix(terms.values.col(0) + terms.values.col(2))) <
        1e-12);
}

TEST(terms_of_several_models_are_those_of_each) {
  const TestRuntime runtime;
  const Rows rows;
  const CrossBank cross = rows.cross(runtime);
  const ExpansionModel first(expansion(12, 3)), second(expansion(5, 4));
  PerKernelModel third;
  third.rows = all_rows(12);
  third.coefficients = normal_matrix(12, 3, 5);
  third.weights = Vector::Constant(3, 1.0 / 3.0);
  third.bias = -0.2;
  const std::vector<const Model*> models = {&first, &second, &third};
  const std::vector<Terms> terms = decision_terms(models, cross, each);
  const Matrix decision = decision_values(models, cross);
  for (std::size_t m = 0; m < models.size(); ++m) {
    CHECK(identical(terms[m].values, models[m]->terms(cross, each).values));
    const Vector sum = (terms[m].values.rowwise().sum().array() + terms[m].constant).matrix();
    CHECK(distance(sum, Vector(decision.col(static_cast<Index>(m)))) < 1e-12);
  }
}

TEST(votes_are_shared) {
  const TestRuntime runtime;
  const Rows rows;
  const CrossBank cross = rows.cross(runtime);
  VoteModel model;
  model.rows = all_rows(12);
  model.coefficients = normal_matrix(12, 3, 6);
  model.biases = normal_matrix(3, 1, 7).col(0);
  const Terms terms = model.terms(cross, each);
  CHECK(terms.constant == 0.0);
  CHECK(distance(Vector(terms.values.rowwise().sum()), model.decision(cross)) < 1e-12);
  for (Index m = 0; m < 3; ++m) {
    const Vector f = (rows.kernel(at(m)) * model.coefficients.col(m)).array() + model.biases[m];
    for (Index i = 0; i < f.size(); ++i) CHECK((f[i] >= 0.0) == (terms.values(i, m) > 0.0));
  }
}

TEST(a_trial_belongs_to_those_that_voted_for_it) {
  const TestRuntime runtime;
  const Rows rows;
  const CrossBank cross = rows.cross(runtime);
  // Constant machines: two for the positive class with votes 1 and 2, one against with vote 1.
  MkboostModel model;
  model.n_kernels = 3;
  const double votes[] = {1.0, 1.0, 2.0}, signs[] = {1.0, -1.0, 1.0};
  for (Index m = 0; m < 3; ++m) {
    BaseClassifier c;
    c.kernel = m;
    c.vote = votes[m];
    c.expansion.bias = signs[m];
    model.classifiers.push_back(c);
  }
  model.alpha = Vector::Constant(1, 0.6);
  model.used_trials = 1;
  const Terms terms = model.terms(cross, each);
  for (Index i = 0; i < 7; ++i) {
    CHECK_CLOSE(terms.values(i, 0), 0.2, 1e-15);
    CHECK(terms.values(i, 1) == 0.0);
    CHECK_CLOSE(terms.values(i, 2), 0.4, 1e-15);
  }
  // Votes of 0 decide for the positive class, together.
  for (BaseClassifier& c : model.classifiers) c.vote = 0.0;
  CHECK_CLOSE(model.terms(cross, each).values(0, 1), 0.2, 1e-15);
  CHECK_CLOSE(model.decision(cross)[0], 0.6, 1e-15);
}

TEST(products_of_label_based_kernels_count_for_their_kernels) {
  LbmklModel model;
  model.kernels = 2;
  model.coefficients = Matrix::Ones(4, 3);
  model.bias = 0.3;
  const Matrix values = normal_matrix(7, 3, 8);
  for (const double label : {-1.0, 1.0}) {
    PredictOptions options;
    options.assumed = label;
    model.prepare(options);
    const Terms terms = model.combine_terms(values, {{0, 1, 1}, 2});
    CHECK(terms.constant == 0.3);
    CHECK(identical(Vector(terms.values.col(0)), Vector(values.col(0))));
    CHECK(distance(Vector(terms.values.col(1)), Vector(values.col(1) + label * values.col(2))) <
          1e-15);
  }
}

TEST(training_rows_add_up_to_the_decision) {
  const TestRuntime runtime;
  const Rows rows;
  const CrossBank cross = rows.cross(runtime);
  const Expansion e = expansion(9, 3);
  const ExpansionModel model(e);
  const Matrix own = model.row_terms(cross);
  Matrix sum = Matrix::Zero(7, 12);
  for (Index m = 0; m < 3; ++m) sum += e.weights[m] * rows.kernel(at(m));
  CHECK(distance(Matrix(own.leftCols(9)), Matrix(sum.leftCols(9) * e.coefficients.asDiagonal())) <
        1e-12);
  CHECK(own.rightCols(3).isZero(0.0));
  PerKernelModel several;
  several.rows = all_rows(12);
  several.coefficients = normal_matrix(12, 3, 5);
  several.weights = Vector::Constant(3, 1.0 / 3.0);
  several.bias = -0.2;
  const Vector total = (several.row_terms(cross).rowwise().sum().array() - 0.2).matrix();
  CHECK(distance(total, several.decision(cross)) < 1e-12);
  VoteModel votes;
  votes.biases = Vector::Zero(3);
  CHECK_THROWS(votes.row_terms(cross), InvalidArgument, "votes");
}

TEST(a_product_of_kernels_has_no_terms_but_rows) {
  const TestRuntime runtime;
  const Rows rows;
  // Powers need positive kernels: the first and the last.
  Expansion e = expansion(12, 3);
  e.weights[1] = 0.0;
  const CrossBank cross = rows.cross(runtime);
  const ProductModel model(e);
  const Vector total = (model.row_terms(cross).rowwise().sum().array() + e.bias).matrix();
  CHECK(distance(total, model.decision(cross)) < 1e-12);
  CHECK_THROWS(decision_terms({&model}, cross, each), InvalidArgument, "multiplies");
}
