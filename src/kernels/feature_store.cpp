#include "feature_store.hpp"

#include <algorithm>

#include "../base/memory.hpp"

namespace mk {

namespace {

// Values whose rounding the triangle lets grow to no more than this share of a feature may be
// stored in single precision, and their products in double precision may stand for those of
// features; squares, per unit of the squared length of an example.
constexpr double growth_of_single = 1e5;
constexpr double growth_of_products = 1e8;
// With more examples for each column than this, features are not worth a product with the triangle
// for each of them.
constexpr Index many_rows = 8;

Index begin(Index panel) { return panel * panel_rows; }

double dot(const Simd& simd, const double* x, const double* w, Index n) {
  return simd.dot(x, w, n);
}
double dot(const Simd& simd, const float* x, const double* w, Index n) {
  return simd.dot_narrow(x, w, n);
}
void axpy(const Simd& simd, double b, const double* x, double* to, Index n) {
  simd.axpy(b, x, to, n);
}
void axpy(const Simd& simd, double b, const float* x, double* to, Index n) {
  simd.axpy_narrow(b, x, to, n);
}

// ---- stored ------------------------------------------------------------------------------------

template <class Number>
class TablePass final : public FeaturePass {
 public:
  TablePass(const RowsOf<Number>& table, SharedIndices rows, const FeatureTriangle& triangle,
            const Simd& simd)
      : table_(table), rows_(std::move(rows)), triangle_(triangle), simd_(simd) {}

  void forward(Index panel, const double*, const double* w, double* f) const override {
    for (Index i = 0; i < size(panel); ++i) f[i] += dot(simd_, row(panel, i), w, table_.cols());
  }
  void backward(Index panel, const double*, const double* b, double* w) const override {
    for (Index i = 0; i < size(panel); ++i)
      if (b[i] != 0.0) axpy(simd_, b[i], row(panel, i), w, table_.cols());
  }
  void read(Index panel, const double*, bool whole, double* out) const override {
    const Index n = table_.cols();
    if (!whole || triangle_.empty()) {
      for (Index i = 0; i < size(panel); ++i) std::copy_n(row(panel, i), n, out + i * n);
      return;
    }
    Matrix values(panel_rows, n);
    for (Index i = 0; i < size(panel); ++i)
      for (Index c = 0; c < n; ++c) values(i, c) = row(panel, i)[c];
    triangle_.multiply(values.data(), size(panel), simd_, out);
  }

 private:
  Index size(Index panel) const { return panel_size(static_cast<Index>(rows_->size()), panel); }
  const Number* row(Index panel, Index i) const {
    return table_.data() + (*rows_)[at(begin(panel) + i)] * table_.cols();
  }

  const RowsOf<Number>& table_;
  const SharedIndices rows_;
  const FeatureTriangle& triangle_;
  const Simd& simd_;
};

template <class Number>
class TableStore final : public FeatureStore {
 public:
  TableStore(std::shared_ptr<const RowsOf<Number>> table,
             std::shared_ptr<const FeatureTriangle> triangle, double largest)
      : FeatureStore(std::move(triangle), largest), table_(std::move(table)) {}

  FeatureForm form() const override {
    return sizeof(Number) == sizeof(double) ? FeatureForm::full : FeatureForm::single;
  }
  Index rows() const override { return table_->rows(); }
  Index columns() const override { return table_->cols(); }
  double bytes() const override {
    return sizeof(Number) * static_cast<double>(rows()) * static_cast<double>(columns());
  }
  std::unique_ptr<const FeaturePass> pass(const SharedIndices& rows,
                                          const Runtime& runtime) const override {
    return std::make_unique<TablePass<Number>>(*table_, rows, triangle(), *runtime.simd);
  }

 private:
  std::shared_ptr<const RowsOf<Number>> table_;
};

// ---- made anew ---------------------------------------------------------------------------------

class MadePass final : public FeaturePass {
 public:
  MadePass(const FeatureMaker& maker, Index m, std::shared_ptr<const RowGroup> group,
           const Runtime& runtime)
      : group_(std::move(group)),
        columns_(maker.columns(m)),
        triangle_(maker.triangle(m)),
        simd_(*runtime.simd),
        rows_(maker.rows(m, *group_, runtime)) {}

  Index room() const override { return panel_rows * columns_; }
  void open(Index panel, double* buffer) const override { rows_->values(panel, buffer); }
  void forward(Index panel, const double* buffer, const double* w, double* f) const override {
    for (Index c = 0; c < columns_; ++c) simd_.axpy(w[c], buffer + c * panel_rows, f, size(panel));
  }
  void backward(Index panel, const double* buffer, const double* b, double* w) const override {
    for (Index c = 0; c < columns_; ++c) w[c] += simd_.dot(buffer + c * panel_rows, b, size(panel));
  }
  void read(Index panel, const double* buffer, bool whole, double* out) const override {
    if (whole && !triangle_.empty()) return triangle_.multiply(buffer, size(panel), simd_, out);
    // As many rows at a time as there are numbers in a cache line.
    for (Index first = 0; first < size(panel); first += strip_rows) {
      const Index last = std::min(size(panel), first + strip_rows);
      for (Index c = 0; c < columns_; ++c)
        for (Index i = first; i < last; ++i) out[i * columns_ + c] = buffer[i + panel_rows * c];
    }
  }

 private:
  Index size(Index panel) const { return panel_size(group_->count(), panel); }

  const std::shared_ptr<const RowGroup> group_;
  const Index columns_;
  const FeatureTriangle& triangle_;
  const Simd& simd_;
  const std::unique_ptr<const FeatureMaker::Rows> rows_;
};

// Part of a maker, which lives as long.
std::shared_ptr<const FeatureTriangle> triangle_of(const std::shared_ptr<const FeatureMaker>& maker,
                                                   Index m) {
  return {maker, &maker->triangle(m)};
}

class MadeStore final : public FeatureStore {
 public:
  MadeStore(std::shared_ptr<const FeatureMaker> maker, Index m,
            std::shared_ptr<const RowGroup> group)
      : FeatureStore(triangle_of(maker, m), maker->largest(m)),
        maker_(std::move(maker)),
        m_(m),
        group_(std::move(group)) {}

  FeatureForm form() const override { return FeatureForm::anew; }
  Index rows() const override { return group_->count(); }
  Index columns() const override { return maker_->columns(m_); }
  double bytes() const override { return 0.0; }
  std::unique_ptr<const FeaturePass> pass(const SharedIndices& rows,
                                          const Runtime& runtime) const override {
    const bool all =
        static_cast<Index>(rows->size()) == this->rows() && *rows == all_rows(rows->size());
    return std::make_unique<MadePass>(*maker_, m_, all ? group_ : group_->part(*rows), runtime);
  }

 private:
  std::shared_ptr<const FeatureMaker> maker_;
  Index m_;
  std::shared_ptr<const RowGroup> group_;
};

template <class Number>
SharedStore fill_store(const std::shared_ptr<const FeatureMaker>& maker, Index m,
                       const std::shared_ptr<const RowGroup>& group, const Runtime& runtime) {
  const Index n = group->count(), columns = maker->columns(m);
  const FeatureTriangle& triangle = maker->triangle(m);
  const double most = sizeof(Number) < sizeof(double) ? growth_of_single : growth_of_products;
  const bool whole = triangle.empty() || n <= many_rows * columns ||
                     !(maker->largest(m) * triangle.growth() <= most);
  auto table = std::make_shared<RowsOf<Number>>(n, columns);
  prefer_huge_pages(table->data(), static_cast<std::size_t>(table->size()) * sizeof(Number));
  const MadePass pass(*maker, m, group, runtime);
  const Index panels = panel_count(n), tasks = std::min<Index>(panels, 64);
  runtime.parallel_for(tasks, [&](Index task) {
    Vector buffer(pass.room()), rows(panel_rows * columns);
    for (Index p = task * panels / tasks; p < (task + 1) * panels / tasks; ++p) {
      runtime.check_interrupt();
      pass.open(p, buffer.data());
      pass.read(p, buffer.data(), whole, rows.data());
      std::copy_n(rows.data(), panel_size(n, p) * columns, table->row(begin(p)).data());
    }
  });
  const auto own = whole ? std::make_shared<const FeatureTriangle>() : triangle_of(maker, m);
  return std::make_shared<TableStore<Number>>(std::move(table), own, maker->largest(m));
}

}  // namespace

const char* form_name(FeatureForm form) {
  if (form == FeatureForm::full) return "double";
  return form == FeatureForm::single ? "single" : "anew";
}

const FeatureTriangle& FeatureStore::triangle() const { return *triangle_; }

bool FeatureStore::steep() const {
  return !triangle().empty() && !(largest_ * triangle().growth() <= growth_of_products);
}

SharedStore hold_features(std::shared_ptr<const RowMatrix> features) {
  const double largest = features->rows() > 0 ? features->rowwise().squaredNorm().maxCoeff() : 0.0;
  return std::make_shared<TableStore<double>>(std::move(features),
                                              std::make_shared<const FeatureTriangle>(), largest);
}

SharedStore make_store(FeatureForm form, std::shared_ptr<const FeatureMaker> maker, Index m,
                       std::shared_ptr<const RowGroup> group, const Runtime& runtime) {
  if (form == FeatureForm::full) return fill_store<double>(maker, m, group, runtime);
  if (form == FeatureForm::single) return fill_store<float>(maker, m, group, runtime);
  return std::make_shared<MadeStore>(std::move(maker), m, std::move(group));
}

}  // namespace mk
