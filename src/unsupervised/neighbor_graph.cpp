#include "neighbor_graph.hpp"

#include <algorithm>
#include <set>

#include "../kernels/row_blocks.hpp"

namespace mk {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Edges = std::vector<std::pair<Index, Index>>;

// Adds the inner products of each of `left` with the blocks; each pair is summed by one thread.
template <class Left>
void add_pairs(const std::vector<Matrix>& blocks, const Left& left, Matrix& products,
               const Runtime& runtime) {
  runtime.parallel_for(products.rows(), [&](Index k) {
    runtime.check_interrupt();
    const Matrix one = left(blocks[at(k)]);
    for (Index l = 0; l <= k; ++l)
      products(k, l) += runtime.simd->dot(one.data(), blocks[at(l)].data(), one.size());
  });
}

Matrix both_triangles(const Matrix& lower) {
  Matrix whole = lower.selfadjointView<Eigen::Lower>();
  check_kernel_values(whole);
  return whole;
}

// The nearest rows of one row, by half their squared distances less a constant.
Indices nearest(const Eigen::Ref<const Matrix>& values, const Vector& diagonal, Index own,
                Index neighbors) {
  const Vector far = 0.5 * diagonal - values.transpose();
  Indices others;
  for (Index j = 0; j < far.size(); ++j)
    if (j != own) others.push_back(j);
  const auto nearer = [&](Index a, Index b) {
    return far[a] < far[b] || (far[a] == far[b] && a < b);
  };
  const Index count = std::min(neighbors, static_cast<Index>(others.size()));
  std::partial_sort(others.begin(), others.begin() + count, others.end(), nearer);
  others.resize(at(count));
  return others;
}

}  // namespace

Matrix kernel_products(const KernelBank& bank, const Runtime& runtime) {
  Matrix products = Matrix::Zero(bank.size(), bank.size());
  each_row_block(
      bank, all_rows(bank.size()),
      [&](const Indices&, std::vector<Matrix>& blocks) {
        add_pairs(
            blocks, [](const Matrix& block) -> const Matrix& { return block; }, products, runtime);
      },
      runtime);
  return both_triangles(products);
}

Sparse neighbor_graph(const KernelBank& bank, Index neighbors, const Runtime& runtime) {
  const Indices kernels = all_rows(bank.size());
  const Matrix diagonals = kernel_diagonals(bank, kernels, runtime);
  check_kernel_values(diagonals);
  std::vector<Edges> edges(kernels.size());
  each_row_block(
      bank, kernels,
      [&](const Indices& rows, std::vector<Matrix>& blocks) {
        runtime.parallel_for(bank.size(), [&](Index k) {
          for (Index i = 0; i < static_cast<Index>(rows.size()); ++i)
            for (const Index j :
                 nearest(blocks[at(k)].row(i), diagonals.col(k), rows[at(i)], neighbors))
              edges[at(k)].emplace_back(std::min(rows[at(i)], j), std::max(rows[at(i)], j));
        });
      },
      runtime);
  std::vector<Eigen::Triplet<double>> entries;
  for (const Edges& own : edges)
    for (const auto& [i, j] : std::set<std::pair<Index, Index>>(own.begin(), own.end())) {
      entries.emplace_back(static_cast<int>(i), static_cast<int>(j), 1.0);
      entries.emplace_back(static_cast<int>(j), static_cast<int>(i), 1.0);
    }
  Sparse graph(bank.rows(), bank.rows());
  graph.setFromTriplets(entries.begin(), entries.end());  // sums the kernels
  return graph;
}

Matrix graph_products(const KernelBank& bank, const Sparse& graph, const Runtime& runtime) {
  const Vector degrees = graph * Vector::Ones(graph.cols());
  Sparse laplacian = -graph;
  for (Index i = 0; i < graph.rows(); ++i)
    laplacian.coeffRef(static_cast<int>(i), static_cast<int>(i)) = degrees[i];
  laplacian.makeCompressed();
  Matrix products = Matrix::Zero(bank.size(), bank.size());
  each_row_block(
      bank, all_rows(bank.size()),
      [&](const Indices&, std::vector<Matrix>& blocks) {
        add_pairs(
            blocks, [&](const Matrix& block) -> Matrix { return block * laplacian; }, products,
            runtime);
      },
      runtime);
  return 2.0 * both_triangles(products);
}

}  // namespace mk
