// Kernels between the nodes of a graph: closed forms, parts that no edge joins, damaged data.
#include "kernels/graph_laplacian.hpp"

#include "base/errors.hpp"
#include "check.hpp"
#include "features/nodes.hpp"
#include "runtime.hpp"

using namespace mk;

namespace {

// Two nodes joined by an edge of weight 3, and one alone.
WeightedGraph small_graph() { return {3, {1}, {0}, Vector::Constant(1, 3.0)}; }

State graph_state(Indices from, Indices to, Vector weights) {
  State state;
  state.set("nodes", 3.0);
  state.set("from", Value(std::move(from)));
  state.set("to", Value(std::move(to)));
  state.set("weights", Value(std::move(weights)));
  return state;
}

}  // namespace

TEST(closed_forms) {
  const TestRuntime runtime;
  // eigenvalues 0 and 6 of the pair; normalized 0 and 2
  for (const bool normalized : {false, true}) {
    const double top = normalized ? 2.0 : 6.0, beta = 0.4;
    const auto kernels = laplacian_functions(
        small_graph(), normalized,
        {spectral_function("diffusion", beta), spectral_function("laplacian_graph", beta)},
        runtime);
    for (int k = 0; k < 2; ++k) {
      const double f = k == 0 ? std::exp(-beta * top) : 1.0 / (1.0 + beta * top);
      const PackedTriangle kernel(3, kernels[at(k)]);
      CHECK_CLOSE(kernel(0, 0), 0.5 * (1.0 + f), 1e-14);
      CHECK_CLOSE(kernel(1, 0), 0.5 * (1.0 - f), 1e-14);
      CHECK(kernel(0, 1) == kernel(1, 0));
      CHECK_CLOSE(kernel(2, 2), 1.0, 1e-15);
      CHECK_CLOSE(kernel(2, 0), 0.0, 1e-15);
    }
  }
}

TEST(threads_and_interrupts) {
  WeightedGraph ring{200, {}, {}, Vector::Ones(200)};
  for (Index i = 0; i < 200; ++i) {
    ring.from.push_back(i);
    ring.to.push_back((i + 1) % 200);
  }
  TestRuntime one(1), four(4);
  const auto f = spectral_function("diffusion", 1.0);
  CHECK(laplacian_functions(ring, true, {f}, one)[0] ==
        laplacian_functions(ring, true, {f}, four)[0]);
  one.interrupt_after = one.looks + 20;
  CHECK_THROWS(laplacian_functions(ring, true, {f}, one), Interrupted, "");
}

TEST(damaged_graphs_are_refused) {
  CHECK(read_weighted_graph(graph_state({1}, {0}, Vector::Ones(1))).nodes == 3);
  CHECK_THROWS(read_weighted_graph(graph_state({3}, {0}, Vector::Ones(1))), InvalidArgument, "4");
  CHECK_THROWS(read_weighted_graph(graph_state({1}, {0}, Vector::Ones(2))), InvalidArgument,
               "edge");
  CHECK_THROWS(read_weighted_graph(graph_state({1}, {}, Vector::Ones(1))), InvalidArgument, "edge");
  CHECK_THROWS(read_weighted_graph(graph_state({1}, {0}, -Vector::Ones(1))), InvalidArgument,
               "non-negative");
  CHECK_THROWS(spectral_function("diffusion", 0.0), InvalidArgument, "beta");
  CHECK_THROWS(spectral_function("other", 1.0), InvalidArgument, "diffusion");
}

TEST(damaged_kernels_of_nodes_are_refused) {
  const auto state = [](const Texts& nodes, const Vector& values) {
    State out;
    out.set("nodes", Value(nodes));
    out.set("values", Value(values));
    return out;
  };
  CHECK(make_node_map(state({"a", "b"}, Vector::Ones(3)))->columns(1) == 0);
  CHECK_THROWS(make_node_map(state({"a", "b"}, Vector::Ones(4))), InvalidArgument, "length 3");
  CHECK_THROWS(make_node_map(state({"a", "a"}, Vector::Ones(3))), InvalidArgument, "twice");
  CHECK_THROWS(make_node_map(state({"a"}, Vector::Constant(1, std::nan("")))), InvalidArgument,
               "finite");
}
