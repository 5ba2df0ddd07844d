// Canonical correlation of several views.
#include "check.hpp"

#include "fixtures.hpp"
#include "solvers/nmcca.hpp"

using namespace fixtures;
using namespace mk;

namespace {

// Views that share two directions.
std::vector<Matrix> some_views(Index n, const Indices& widths) {
  const Matrix shared = normal_matrix(n, 2, 1);
  std::vector<Matrix> views;
  for (std::size_t k = 0; k < widths.size(); ++k)
    views.push_back(shared * normal_matrix(2, widths[k], 10 + k) +
                    normal_matrix(n, widths[k], 20 + k));
  return views;
}

// sum_k W_k'(S_k'S_k + kappa I) W_k, and the value of the problem.
struct Judged {
  Matrix constraint;
  double value = 0.0;
};

Judged judge(const std::vector<Matrix>& views, const std::vector<Matrix>& w, double kappa) {
  Judged out;
  Matrix mean = Matrix::Zero(views[0].rows(), w[0].cols());
  for (std::size_t k = 0; k < views.size(); ++k)
    mean += views[k] * w[k] / static_cast<double>(views.size());
  out.constraint = Matrix::Zero(w[0].cols(), w[0].cols());
  for (std::size_t k = 0; k < views.size(); ++k) {
    const Matrix projected = views[k] * w[k];
    out.constraint += projected.transpose() * projected + kappa * w[k].transpose() * w[k];
    out.value += (projected - mean).squaredNorm() + kappa * w[k].squaredNorm();
  }
  return out;
}

}  // namespace

TEST(the_constraint_and_the_equation_hold) {
  for (int threads : {1, 3}) {
    const TestRuntime runtime(threads);
    for (double kappa : {0.0, 0.3, 50.0}) {
      for (Index n : {8, 40}) {  // fewer rows than columns, and more
        const auto views = some_views(n, {3, 5, 4});
        const Nmcca s = solve_nmcca(views, 0, kappa, runtime);
        const Judged j = judge(views, s.projections, kappa);
        const Index q = s.agreement.size();
        CHECK(q == (n == 8 ? 8 : 12));
        CHECK(distance(j.constraint, Matrix(Matrix::Identity(q, q))) < 1e-8);
        CHECK_CLOSE(j.value, (1.0 - s.agreement.array()).sum(), 1e-8);
        CHECK(s.violation < 1e-8);
        CHECK(s.agreement.maxCoeff() <= 1.0 + 1e-12 && s.agreement.minCoeff() > 0.0);
      }
    }
  }
}

TEST(fewer_components_are_the_first) {
  const TestRuntime runtime;
  const auto views = some_views(40, {3, 5});
  const Nmcca all = solve_nmcca(views, 0, 1.0, runtime), two = solve_nmcca(views, 2, 1.0, runtime);
  CHECK(identical(two.agreement, Vector(all.agreement.head(2))));
  CHECK(distance(two.projections[1], Matrix(all.projections[1].leftCols(2))) < 1e-12);
  CHECK(solve_nmcca(views, 99, 1.0, runtime).agreement.size() == 8);
}

TEST(identical_views_project_identically) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(30, 4, 3);
  const Nmcca s = solve_nmcca({x, x, x}, 4, 2.0, runtime);
  CHECK(distance(s.projections[0], s.projections[1]) < 1e-9);
  CHECK(distance(s.projections[0], s.projections[2]) < 1e-9);
  const Nmcca plain = solve_nmcca({x, x}, 4, 0.0, runtime);
  CHECK(distance(plain.agreement, Vector(Vector::Ones(4))) < 1e-9);
}

TEST(columns_that_depend_on_others_or_are_zero_change_nothing) {
  const TestRuntime runtime;
  const auto views = some_views(40, {3, 3});
  Matrix more(40, 5);
  more << views[0], views[0].col(0) - views[0].col(2), Vector::Zero(40);
  const Nmcca a = solve_nmcca(views, 3, 0.0, runtime);
  const Nmcca b = solve_nmcca({more, views[1]}, 3, 0.0, runtime);
  CHECK(distance(a.agreement, b.agreement) < 1e-9);
  const Nmcca none = solve_nmcca({Matrix::Zero(5, 2), Matrix::Zero(5, 1)}, 0, 1.0, runtime);
  CHECK(none.agreement.size() == 0 && none.projections[0].rows() == 2 &&
        none.projections[0].cols() == 0);
}

TEST(wrong_arguments_are_named) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(5, 2, 1);
  CHECK_THROWS(solve_nmcca({}, 0, 0.0, runtime), InvalidArgument, "views");
  CHECK_THROWS(solve_nmcca({x, normal_matrix(4, 2, 1)}, 0, 0.0, runtime), InvalidArgument,
               "view 2");
  CHECK_THROWS(solve_nmcca({x, Matrix(5, 0)}, 0, 0.0, runtime), InvalidArgument, "view 2");
  CHECK_THROWS(solve_nmcca({Matrix(1e200 * x)}, 0, 0.0, runtime), InvalidArgument, "scale");
  CHECK_THROWS(solve_nmcca({x}, -1, 0.0, runtime), InvalidArgument, "components");
  CHECK_THROWS(solve_nmcca({x}, 0, -1.0, runtime), InvalidArgument, "kappa");
  CHECK_THROWS(solve_nmcca({x}, 0, NAN, runtime), InvalidArgument, "kappa");
  TestRuntime stopped;
  stopped.interrupt_after = 0;
  CHECK_THROWS(solve_nmcca({x, x}, 0, 0.0, stopped), Interrupted, "");
}
