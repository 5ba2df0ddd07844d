// The kernel of LMKL, column by column, against the dense sum; with the matrices of all kernels in
// memory (columns made when asked for) and without room for them (all columns at once).
#include "check.hpp"
#include "fixtures.hpp"
#include "learners/local_kernel.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

Matrix some_weights(Index n, Index n_kernels) {
  Matrix eta = normal_matrix(n, n_kernels, 9).cwiseAbs();
  eta(3, 0) = eta(4, 1) = 0.0;  // a kernel may not count at all
  return eta;
}

struct Budget : TestRuntime {
  explicit Budget(double bytes) { memory = bytes; }
};

struct Local {
  explicit Local(double memory)
      : runtime(memory),
        x(normal_matrix(600, 4, 1)),
        bank(make_bank(three_kernels(), x, runtime)),
        kernels(bank, runtime),
        eta(some_weights(600, 3)),
        room(Matrix::Constant(600, 600, -77.0)),
        dense(Matrix::Zero(600, 600)) {
    bank.visit(
        [&](Index m, const Matrix& k) {
          dense += eta.col(m).asDiagonal() * k * eta.col(m).asDiagonal();
        },
        runtime);
  }
  // sum_j K_m(i, j) eta_jm b_j
  Matrix products(const Vector& b) const {
    Matrix u(600, 3);
    bank.visit(
        [&](Index m, const Matrix& k) { u.col(m) = k * (eta.col(m).array() * b.array()).matrix(); },
        runtime);
    return u;
  }

  Budget runtime;
  Matrix x;
  KernelBank bank;
  HeldKernels kernels;
  Matrix eta, room, dense;
};

const double budgets[] = {1e9, 600.0 * 600.0 * 8.0 * 2.5, 600.0 * 600.0 * 8.0 * 1.5};

}  // namespace

TEST(columns_are_those_of_the_sum) {
  for (double memory : budgets) {
    Local local(memory);
    LocalKernel q(local.kernels, local.eta, local.room, local.runtime);
    CHECK(q.size() == 600);
    CHECK_CLOSE(distance(local.dense.diagonal(),
                         Vector::NullaryExpr(600, [&](Index v) { return q.diagonal(v); })),
                0.0, 1e-12);
    const Indices active = {599, 2, 3, 4, 511, 512};
    for (int round = 0; round < 2; ++round) {
      q.activate({});
      for (Index j : {0, 4, 513, 0})
        CHECK_CLOSE(distance(Eigen::Map<const Vector>(q.column(j), 600), local.dense.col(j)), 0.0,
                    1e-12);
      q.activate(active);
      for (std::size_t j = 0; j < active.size(); ++j) {
        const double* column = q.column(static_cast<Index>(j));
        for (std::size_t i = 0; i < active.size(); ++i)
          CHECK_CLOSE(column[i], local.dense(active[i], active[j]), 1e-12);
      }
    }
  }
}

// Nobody asks for every column, and those that nobody asked for cost nothing.
TEST(columns_are_made_on_demand) {
  Local local(1e9);
  LocalKernel q(local.kernels, local.eta, local.room, local.runtime);
  q.column(7);
  q.multiply(Vector::Ones(600), local.runtime);
  CHECK(local.room(0, 6) == -77.0 && local.room(0, 8) == -77.0);
  CHECK_CLOSE(local.room(0, 7), local.dense(0, 7), 1e-12);
}

TEST(products_and_contributions) {
  for (double memory : budgets) {
    Local local(memory);
    LocalKernel q(local.kernels, local.eta, local.room, local.runtime);
    Vector b = normal_matrix(600, 1, 5);
    for (Index i = 0; i < 600; i += 3) b[i] = 0.0;
    CHECK_CLOSE(distance(q.multiply(b, local.runtime), Vector(local.dense * b)), 0.0, 1e-9);
    const KernelProducts near = q.take_products();
    Vector beta = b;
    beta[0] = 2.0;
    beta[1] = 0.0;
    beta[2] += 0.5;
    const Matrix expected =
        beta.asDiagonal() * Matrix(local.eta.array() * local.products(beta).array());
    for (const KernelProducts& known : {near, KernelProducts()})
      CHECK_CLOSE(
          distance(contributions(local.kernels, local.eta, beta, known, local.runtime), expected),
          0.0, 1e-9);
  }
}

// Parts of a bank are copies that nobody keeps: they are held too, if there is room, and booked.
TEST(kernels_are_held_within_the_budget) {
  Local local(1e9);
  CHECK(local.kernels.all().size() == 3);
  const double part = 300.0 * 300.0 * 8.0;
  for (double room : {1e9, 1.5 * part}) {
    const Budget runtime(room);
    const auto bank = make_bank(three_kernels(), local.x, runtime).subset(all_rows(300));
    const HeldKernels held(bank, runtime);
    CHECK(held.all().size() == (room == 1e9 ? 3u : 0u));
    Index seen = 0;
    held.each_group(runtime, [&](Index first, const std::vector<GramView>& group) {
      CHECK(first == seen && group[0].view.rows == 300);
      seen += static_cast<Index>(group.size());
    });
    CHECK(seen == 3);
  }
}
