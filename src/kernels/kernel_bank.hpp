// The M kernels of one training set, with their normalisers fitted on it.
//   visit()        streams the matrices one at a time: constant memory
//   matrix(m)      random access; kept while the memory budget lasts, else computed anew
//   triangles()    all of them, as far as the memory budget goes, made together
//   combination()  sum_m d_m K_m, formed tile by tile without any single K_m in memory
//   row_evaluator  rows of a combination on demand, for problems whose matrix does not fit
// subset() gives the bank of some of the rows: the same kernels, the same normalisers.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "kernel_block.hpp"
#include "row_source.hpp"
#include "tile_writer.hpp"
#include "triangle.hpp"

namespace mk {

// A Gram matrix that is either owned here or lives elsewhere (a user's matrix).
struct GramView {
  std::shared_ptr<const Matrix> owner;
  MatrixView view;
};

class CrossBank;

class KernelBank {
 public:
  KernelBank(std::shared_ptr<const KernelSet> set, const MatrixView& x,
             std::vector<MatrixView> stored, Index n, const Runtime& runtime);

  Index size() const { return context_->set->size(); }
  Index rows() const { return side_->count(); }
  const Normalizers& normalizers() const { return context_->normalizers; }
  const KernelSet& set() const { return *context_->set; }
  std::shared_ptr<const Side> side() const { return side_; }

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
  void keep_sums() { context_->keeps_sums = true; }
  bool keeps_sums() const { return context_->keeps_sums; }

  KernelBank subset(const Indices& positions) const;

  GramView matrix(Index m, const Runtime& runtime) const;
  // One view per kernel, kept from now on; without data for those beyond the budget.
  std::vector<TriangleView> triangles(const Runtime& runtime) const;
  using Visitor = std::function<void(Index, const Matrix&)>;
  void visit(const Visitor& f, const Runtime& runtime) const;
  // The same with the logarithms of the matrices: -inf for 0, NaN for negative values.
  void visit_logs(const Visitor& f, const Runtime& runtime) const;
  GramView combination(const Vector& weights, const Runtime& runtime) const;
  std::unique_ptr<RowEvaluator> row_evaluator(const Vector& weights, const Runtime& runtime) const;

  // Writes sum_m weights_m K_m, n x n.
  void sum(const Vector& weights, double* out, const Runtime& runtime,
           Reader reader = Reader::soon) const;

  // b'K_m b for every kernel, or for the given ones, streamed: no matrix is stored.
  Vector quadratic_forms(const Vector& b, const Runtime& runtime) const;
  Vector quadratic_forms(const Indices& kernels, const Vector& b, const Runtime& runtime) const;

  // Writes the matrices of the given kernels, each n x n.
  void fill(const Indices& kernels, const std::vector<double*>& out, const Runtime& runtime,
            Reader reader = Reader::soon) const;
  // Their logarithms: -inf for 0, NaN for negative values.
  void fill_logs(const Indices& kernels, const std::vector<double*>& out,
                 const Runtime& runtime) const;

  // Rows at positions `fresh` against rows at positions `training`, as if the first were new: for
  // decision values on training rows and for inner cross-validation.
  std::unique_ptr<CrossBank> cross(const Indices& fresh, const Indices& training,
                                   const Runtime& runtime) const;

 private:
  struct Context {
    std::shared_ptr<const KernelSet> set;
    MatrixView x;
    std::vector<MatrixView> stored;
    std::vector<Vector> stored_diagonals;
    Normalizers normalizers;
    std::shared_ptr<const Side> training;
    double budget = 0.0;
    std::atomic<double> used{0.0};
    bool keeps_sums = false;
    void use(double bytes);  // more of the budget, or less
  };
  // Matrices kept so far; gives its bytes back to the budget when it goes.
  struct Store {
    explicit Store(std::shared_ptr<Context> c) : context(std::move(c)) {}
    ~Store();
    std::shared_ptr<Context> context;
    std::timed_mutex mutex;
    std::vector<std::pair<Index, GramView>> kept;
    std::vector<std::pair<Index, TriangleView>> triangles;
    Vector sum_weights;
    std::shared_ptr<const Matrix> sum;
    double bytes = 0.0;
  };

  KernelBank() = default;
  std::shared_ptr<const Side> part(const Indices& positions) const;
  KernelBlock block(const Indices& kernels, const Runtime& runtime) const;
  // Runs a task on every tile of the lower triangle, block of kernels by block of kernels; the last
  // argument but one is the position of the block's first kernel in the list, the last one takes
  // the tile to its matrix.
  using TileTask = std::function<void(const KernelBlock&, const Tile&, Index, TileWriter&)>;
  void each_tile(const Indices& kernels, const Runtime& runtime, Reader reader,
                 const TileTask& task) const;
  bool is_plain_stored(Index m, GramView& view) const;
  GramView stored_matrix(Index m, const Runtime& runtime) const;
  GramView known_matrix(Index m) const;
  std::vector<TriangleView> known_triangles() const;
  void fill_triangles(const Indices& kernels, const std::vector<double*>& out,
                      const Runtime& runtime) const;
  GramView compute(Index m, const Runtime& runtime) const;
  std::shared_ptr<const Matrix> kept_sum(const Vector& weights, const Runtime& runtime) const;
  GramView part_of(const MatrixView& whole) const;
  void copy_part(const TriangleView& whole, double* out) const;
  void book(double bytes) const;

  std::shared_ptr<Context> context_;
  std::shared_ptr<const Side> side_;
  std::shared_ptr<Store> store_;
  std::shared_ptr<const KernelBank> parent_;
  Indices positions_;  // in the parent
};

}  // namespace mk
