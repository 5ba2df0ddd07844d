#include "views.hpp"

#include <cmath>

#include "../base/errors.hpp"
#include "feature_map.hpp"
#include "raw.hpp"

namespace mk {

namespace {

bool has_numbers(const Features& x) { return dynamic_cast<const RawFeatures*>(&x) == nullptr; }

void check_views(const std::vector<SharedFeatures>& views, const Texts& names,
                 const Matrix& present) {
  const std::string count = std::to_string(views.size());
  if (views.empty()) throw InvalidArgument("views", "one at least", "none");
  if (names.size() != views.size())
    throw InvalidArgument("names", "of length " + count,
                          "of length " + std::to_string(names.size()));
  const Index rows = views.front()->rows();
  for (const SharedFeatures& view : views)
    if (view->rows() != rows || view->views() != nullptr)
      throw InvalidArgument("views", "of the same examples", "others");
  if (present.rows() == 0) return;
  if (present.rows() != rows || present.cols() != static_cast<Index>(views.size()) ||
      !(present.array() == 0.0 || present.array() == 1.0).all())
    throw InvalidArgument("present", "0 or 1 for each example and view", "others");
  for (Index i = 0; i < rows; ++i)
    if (present.row(i).sum() == 0.0)
      throw InvalidArgument("present", "one view at least of example " + std::to_string(i + 1),
                            "none");
}

}  // namespace

ViewFeatures::ViewFeatures(std::vector<SharedFeatures> views, Texts names, Matrix present)
    : views_(std::move(views)), names_(std::move(names)), present_(std::move(present)) {
  check_views(views_, names_, present_);
  if ((present_.array() == 1.0).all()) present_.resize(0, 0);
}

Index ViewFeatures::columns() const {
  Index columns = 0;
  for (const SharedFeatures& view : views_)
    if (has_numbers(*view)) columns += view->columns();
  return columns;
}

std::string ViewFeatures::name(Index v, const std::string& argument) const {
  return argument + "$" + names_[at(v)];
}

void ViewFeatures::check(const PairSum&, const std::string& kernel,
                         const std::string& argument) const {
  throw InvalidArgument("Kernel `" + kernel + "` sees no view of `" + argument + "`.", argument);
}

void ViewFeatures::check_finite(const std::string& argument) const {
  for (Index v = 0; v < count(); ++v) view(v)->check_finite(name(v, argument));
}

std::unique_ptr<const FeatureRows> ViewFeatures::pack(const SharedIndices&, const Origin&) const {
  return nullptr;  // never asked for: check() refuses all sums
}

Matrix ViewFeatures::values(const Indices& rows, const Indices& columns) const {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  Index first = 0;
  for (const SharedFeatures& view : views_) {
    if (!has_numbers(*view)) continue;
    Indices inside, places;
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns[k] >= first && columns[k] < first + view->columns()) {
        inside.push_back(columns[k] - first);
        places.push_back(static_cast<Index>(k));
      }
    const Matrix part = view->values(rows, inside);
    for (std::size_t k = 0; k < places.size(); ++k)
      out.col(places[k]) = part.col(static_cast<Index>(k));
    first += view->columns();
  }
  return out;
}

bool MapInput::has(Index row) const {
  return views == nullptr || view < 0 || views->has(row, view);
}

double ViewFeatures::share(Index row) const {
  return masked() ? std::sqrt(static_cast<double>(count()) / present_.row(row).sum()) : 1.0;
}

}  // namespace mk
