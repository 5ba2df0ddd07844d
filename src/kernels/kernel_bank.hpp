// The M kernels of one training set, with their normalizers fitted on it.
//   visit()        streams the matrices one at a time: constant memory
//   matrix(m)      random access; kept while the memory budget lasts, else computed anew
//   triangles()    all of them, as far as the memory budget goes, made together
//   combination()  sum_m d_m K_m, formed tile by tile without any single K_m in memory
//   row_evaluator  rows of a combination on demand, for problems whose matrix does not fit
// An approximated bank (approximate()) has features in the place of matrices: row evaluators of low
// rank and quadratic forms, in time that is linear in the rows, and nothing else.
// subset() gives the bank of some of the rows: the same kernels, the same normalizers.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "feature_sum.hpp"
#include "gram_store.hpp"
#include "kernel_block.hpp"
#include "row_evaluator.hpp"
#include "tile_writer.hpp"

namespace mk {

class CrossBank;

class KernelBank {
 public:
  KernelBank(std::shared_ptr<const KernelSet> set, Examples examples, const Runtime& runtime);

  Index size() const { return set().size(); }
  Index rows() const { return group_->count(); }
  const Normalizers& normalizers() const { return fitted_->normalizers; }
  const KernelSet& set() const { return *fitted_->set; }
  // The kernels for new examples, and the training examples of this bank.
  const std::shared_ptr<const FittedKernels>& fitted() const { return fitted_; }
  const RowGroup& group() const { return *group_; }
  const std::shared_ptr<const RowGroup>& shared_group() const { return group_; }

  // Bytes of one n x n matrix, and whether `count` more of them fit the budget.
  double matrix_bytes() const {
    return 8.0 * static_cast<double>(rows()) * static_cast<double>(rows());
  }
  bool fits(double count) const;
  // Whether there is room for the matrices of all kernels, those that are kept already included,
  // and `extra` more.
  bool fits_all(double extra, const Runtime& runtime) const;

  // Takes the memory of `count` matrices out of the budget as long as the handle lives: for those
  // that the caller makes.
  std::shared_ptr<const void> reserve(double count) const;

  // From now on the last combination is kept, if there is room: for several fits on one bank.
  void keep_sums() { *keeps_sums_ = true; }

  // Several problems are going to be solved on these rows, or on parts of them.
  void share() { *shared_ = true; }
  // Whether the matrix of sum_m weights_m K_m had better be formed at once: it is in memory, others
  // can use it too, it is small, or its rows take too long one by one.
  bool forms_at_once(const Vector& weights, const Runtime& runtime) const;

  KernelBank subset(const Indices& positions) const;

  // The same kernels, each replaced by an approximation of low rank.
  KernelBank approximate(std::shared_ptr<const KernelFeatures> features) const;
  // Null unless the bank is approximated.
  const KernelFeatures* features() const { return features_.get(); }

  GramView matrix(Index m, const Runtime& runtime) const;
  // One view per kernel, kept from now on; without data for those beyond the budget.
  std::vector<TriangleView> triangles(const Runtime& runtime) const;
  using Visitor = std::function<void(Index, const Matrix&)>;
  void visit(const Visitor& f, const Runtime& runtime) const;
  // The same with the logarithms of the matrices: -inf for 0, NaN for negative values.
  void visit_logs(const Visitor& f, const Runtime& runtime) const;
  // The error of products of kernels for examples that lack a view.
  [[noreturn]] static void refuse_missing_views();
  GramView combination(const Vector& weights, const Runtime& runtime) const;
  std::unique_ptr<RowSource> row_evaluator(const Vector& weights, const Runtime& runtime) const;

  // Writes sum_m weights_m K_m, n x n.
  void sum(const Vector& weights, double* out, const Runtime& runtime,
           Reader reader = Reader::soon) const;

  // b'K_m b for the given kernels, streamed: no matrix is stored.
  Vector quadratic_forms(const Indices& kernels, const Vector& b, const Runtime& runtime) const;

  // Writes the matrices of the given kernels, each n x n.
  void fill(const Indices& kernels, const std::vector<double*>& out, const Runtime& runtime,
            Reader reader = Reader::soon) const;

  // What find() gives, found once and then kept if there is room: for several problems on these
  // rows, such as one class against the rest.
  std::shared_ptr<const MapDecomposition> decomposition(
      const MapKey& key, const std::function<MapDecomposition()>& find,
      const Runtime& runtime) const;

  // Rows at positions `fresh` against rows at positions `training`, as if the first were new: for
  // decision values on training rows and for inner cross-validation.
  std::unique_ptr<CrossBank> cross(const Indices& fresh, const Indices& training,
                                   const Runtime& runtime) const;

 private:
  void require_matrices() const;
  KernelBlock block(const Indices& kernels, const Runtime& runtime) const;
  // Runs a task on every tile of the lower triangle, block of kernels by block of kernels; the last
  // argument but one is the position of the block's first kernel in the list, the last one takes
  // the tile to its matrix.
  using TileTask = std::function<void(const KernelBlock&, const Tile&, Index, TileWriter&)>;
  void each_tile(const Indices& kernels, const Runtime& runtime, Reader reader,
                 const TileTask& task) const;
  MatrixView users_matrix(Index m) const;
  GramView stored_matrix(Index m, const Runtime& runtime) const;
  std::vector<TriangleView> known_triangles() const;
  void fill_triangles(const Indices& kernels, const std::vector<double*>& out,
                      const Runtime& runtime) const;
  GramView compute(Index m, const Runtime& runtime) const;
  std::shared_ptr<const Matrix> kept_sum(const Vector& weights, const Runtime& runtime) const;
  GramView part_of(const MatrixView& whole) const;
  void copy_part(const TriangleView& whole, double* out) const;

  // Shared with all subsets.
  std::shared_ptr<const FittedKernels> fitted_;
  std::shared_ptr<MemoryBudget> budget_;
  std::shared_ptr<bool> keeps_sums_, shared_;

  std::shared_ptr<const RowGroup> group_;
  std::shared_ptr<GramStore> store_;
  std::shared_ptr<const KernelFeatures> features_;
  std::shared_ptr<const KernelBank> parent_;
  Indices positions_;  // in the parent
};

}  // namespace mk
