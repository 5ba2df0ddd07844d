// Weisfeiler-Lehman subtree kernels of small graphs, counted by hand; damaged graphs.
#include "base/errors.hpp"
#include "check.hpp"
#include "features/registry.hpp"
#include "kernels/registry.hpp"
#include "runtime.hpp"

using namespace mk;

namespace {

State graph(double nodes, Indices from, Indices to, const Texts& labels = {}) {
  State state;
  state.set("nodes", nodes);
  state.set("from", Value(std::move(from)));
  state.set("to", Value(std::move(to)));
  if (!labels.empty()) state.set("labels", Value(labels));
  return state;
}

SharedFeatures graphs(std::vector<State> values) {
  State state;
  state.set("type", "graphs");
  state.set("values", Value(std::move(values)));
  return make_features(state);
}

Matrix subtree_kernel(const SharedFeatures& x, double rounds, const TestRuntime& runtime) {
  State parameters;
  parameters.set("h", rounds);
  const Factor factor = make_factor("subtree", parameters);
  const SharedFeatures mapped = factor.examples->apply({*x, {0}, "subtree", "x"}, runtime);
  const Index n = mapped->rows();
  const auto rows = mapped->pack(std::make_shared<const Indices>(all_rows(n)), nullptr);
  Matrix out(panel_rows, n);
  rows->sums(*rows, {0, n, 0, n}, factor.sum, *runtime.simd, nullptr, out.data());
  CHECK(rows->self_sums(factor.sum) == out.topRows(n).diagonal());
  return out.topRows(n);
}

}  // namespace

TEST(counts_by_hand) {
  const TestRuntime runtime;
  // a path a - b - c, the same with its nodes in another order, and a path of two nodes
  const SharedFeatures x =
      graphs({graph(3, {0, 1}, {1, 2}, {"a", "b", "c"}), graph(3, {0, 0}, {1, 2}, {"b", "c", "a"}),
              graph(2, {0}, {1}, {"a", "b"}), graph(0, {}, {})});
  const Matrix labels = subtree_kernel(x, 0.0, runtime), once = subtree_kernel(x, 1.0, runtime);
  CHECK(labels(0, 0) == 3.0);
  CHECK(labels(0, 2) == 2.0);
  CHECK(once(0, 0) == 6.0);  // and (a; b), (b; a c), (c; b)
  CHECK(once(0, 2) == 3.0);  // (a; b) is in both, (b; a) is not
  CHECK(once.row(0) == once.row(1));
  CHECK(once(3, 3) == 0.0);
  CHECK(once == once.transpose());
}

TEST(damaged_graphs_are_refused) {
  CHECK_THROWS(graphs({graph(2, {}, {}), graph(2, {2}, {0})}), InvalidArgument, "example 2");
  CHECK_THROWS(graphs({graph(2, {0}, {})}), InvalidArgument, "example 1");
  CHECK_THROWS(graphs({graph(2, {}, {}, {"a"})}), InvalidArgument, "example 1");
  CHECK_THROWS(graphs({graph(-1, {}, {})}), InvalidArgument, "nodes");
}
