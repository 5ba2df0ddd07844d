#include "r_convert.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mk {

namespace {

// Entries that hold positions: counted from 1 in R, from 0 in the core.
bool holds_positions(const std::string& name) { return name == "columns" || name == "rows"; }

// Lists within lists are read by functions that call themselves. A damaged list may be nested so
// deeply that the stack would overflow, which ends R.
class Level {
 public:
  Level() {
    if (depth_ >= most)
      throw InvalidArgument("list", "nested at most " + std::to_string(most) + " levels deep",
                            "deeper");
    ++depth_;
  }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  static constexpr int most = 200;
  static thread_local int depth_;
};

thread_local int Level::depth_ = 0;

bool is_numeric(SEXP value) {
  return TYPEOF(value) == REALSXP || TYPEOF(value) == INTSXP || TYPEOF(value) == LGLSXP;
}

std::string kind_of(SEXP value) {
  return "of type " + std::string(Rf_type2char(TYPEOF(value))) + " and length " +
         std::to_string(Rf_xlength(value));
}

Indices to_indices(const std::string& name, SEXP value) {
  if (!is_numeric(value)) throw InvalidArgument(name, "a vector of positions", kind_of(value));
  const Rcpp::NumericVector v(value);
  Indices out;
  for (double x : v) {
    if (!(x >= 1.0 && x <= 9e15) || x != std::floor(x))
      throw InvalidArgument(name, "a vector of positions", format_number(x));
    out.push_back(static_cast<Index>(x) - 1);
  }
  return out;
}

std::vector<State> names_to_states(SEXP value) {
  std::vector<State> out;
  const Rcpp::CharacterVector strings(value);
  for (R_xlen_t i = 0; i < strings.size(); ++i) {
    State state;
    state.set("name", Value(Rcpp::as<std::string>(strings[i])));
    out.push_back(std::move(state));
  }
  return out;
}

Value to_value(const std::string& name, SEXP value) {
  if (holds_positions(name)) return to_indices(name, value);
  if (name == "normalize") {
    if (TYPEOF(value) != STRSXP) throw InvalidArgument(name, "strings", kind_of(value));
    return names_to_states(value);
  }
  switch (TYPEOF(value)) {
    case STRSXP:
      if (Rf_xlength(value) == 1) return Rcpp::as<std::string>(value);
      break;
    case VECSXP: {
      const Rcpp::List list(value);
      if (Rf_isNull(list.names())) {
        for (R_xlen_t i = 0; i < list.size(); ++i)
          if (TYPEOF(list[i]) != VECSXP)
            throw InvalidArgument(name, "a number, a string, a matrix or lists",
                                  "a list of others");
        return to_states(list);
      }
      return std::vector<State>{to_state(list)};
    }
    case REALSXP:
    case INTSXP:
    case LGLSXP:
      if (Rf_isMatrix(value)) {
        const Rcpp::NumericMatrix m(value);
        return Matrix(Eigen::Map<const Matrix>(m.begin(), m.nrow(), m.ncol()));
      }
      return to_vector(Rcpp::NumericVector(value));
    default:
      break;
  }
  throw InvalidArgument(name, "a number, a string, a matrix or a list", kind_of(value));
}

}  // namespace

SEXP entry(const Rcpp::List& list, const char* name) {
  if (!list.containsElementNamed(name)) throw InvalidArgument(name, "given", "missing");
  return list[name];
}

double entry_number(const Rcpp::List& list, const char* name) {
  const SEXP value = entry(list, name);
  if (!is_numeric(value) || Rf_xlength(value) != 1)
    throw InvalidArgument(name, "one number", kind_of(value));
  return Rcpp::as<double>(value);
}

int entry_integer(const Rcpp::List& list, const char* name) {
  const double value = entry_number(list, name);
  if (!(std::abs(value) <= 2147483647.0) || value != std::floor(value))
    throw InvalidArgument(name, "a whole number", format_number(value));
  return static_cast<int>(value);
}

bool entry_flag(const Rcpp::List& list, const char* name) {
  const double value = entry_number(list, name);
  if (value != 0.0 && value != 1.0)
    throw InvalidArgument(name, "true or false", format_number(value));
  return value != 0.0;
}

std::string entry_text(const Rcpp::List& list, const char* name) {
  const SEXP value = entry(list, name);
  if (TYPEOF(value) != STRSXP || Rf_xlength(value) != 1)
    throw InvalidArgument(name, "a string", kind_of(value));
  return Rcpp::as<std::string>(value);
}

Vector entry_vector(const Rcpp::List& list, const char* name) {
  const SEXP value = entry(list, name);
  if (!is_numeric(value)) throw InvalidArgument(name, "a numeric vector", kind_of(value));
  return to_vector(Rcpp::NumericVector(value));
}

Rcpp::List entry_list(const Rcpp::List& list, const char* name) {
  const SEXP value = entry(list, name);
  if (TYPEOF(value) != VECSXP) throw InvalidArgument(name, "a list", kind_of(value));
  return Rcpp::List(value);
}

State to_state(const Rcpp::List& list) {
  const Level level;
  State state;
  if (list.size() == 0) return state;
  const SEXP names = list.names();
  if (Rf_isNull(names)) throw InvalidArgument("list", "named", "a list without names");
  const Rcpp::CharacterVector keys(names);
  for (R_xlen_t i = 0; i < list.size(); ++i) {
    const std::string key = Rcpp::as<std::string>(keys[i]);
    // Matrices of kernels are read in place, see read_kernels().
    if (key == "matrix" || key == "diagonal" || key == "train_diagonal") continue;
    if (Rf_isNull(list[i])) continue;
    state.set(key, to_value(key, list[i]));
  }
  return state;
}

std::vector<State> to_states(const Rcpp::List& lists) {
  std::vector<State> out;
  for (R_xlen_t i = 0; i < lists.size(); ++i) {
    if (TYPEOF(lists[i]) != VECSXP)
      throw InvalidArgument("element " + std::to_string(i + 1), "a list",
                            std::string("of type ") + Rf_type2char(TYPEOF(lists[i])));
    out.push_back(to_state(lists[i]));
  }
  return out;
}

Rcpp::List to_list(const State& state) {
  Rcpp::List out;
  for (const auto& entry : state.entries()) {
    const std::string& name = entry.first;
    const Value& value = entry.second;
    if (const auto* v = std::get_if<Vector>(&value)) {
      out[name] = to_numeric(*v);
    } else if (const auto* m = std::get_if<Matrix>(&value)) {
      out[name] = to_numeric_matrix(*m);
    } else if (const auto* p = std::get_if<Indices>(&value)) {
      Rcpp::IntegerVector positions(static_cast<R_xlen_t>(p->size()));
      for (std::size_t i = 0; i < p->size(); ++i)
        positions[static_cast<R_xlen_t>(i)] = static_cast<int>((*p)[i] + 1);
      out[name] = positions;
    } else if (const auto* s = std::get_if<std::string>(&value)) {
      out[name] = *s;
    } else {
      const auto& states = std::get<std::vector<State>>(value);
      Rcpp::List lists(static_cast<R_xlen_t>(states.size()));
      for (std::size_t i = 0; i < states.size(); ++i)
        lists[static_cast<R_xlen_t>(i)] = to_list(states[i]);
      out[name] = lists;
    }
  }
  return out;
}

MatrixView matrix_view(const Rcpp::NumericMatrix& m) { return {m.begin(), m.nrow(), m.ncol()}; }

Vector to_vector(const Rcpp::NumericVector& v) {
  return Eigen::Map<const Vector>(v.begin(), v.size());
}

Rcpp::NumericVector to_numeric(const Vector& v) {
  return Rcpp::NumericVector(v.data(), v.data() + v.size());
}

Rcpp::NumericMatrix to_numeric_matrix(const Matrix& m) {
  return Rcpp::NumericMatrix(static_cast<int>(m.rows()), static_cast<int>(m.cols()), m.data());
}

SmoOptions smo_options(const Rcpp::List& control) {
  SmoOptions o;
  o.tol = entry_number(control, "tol");
  if (!(o.tol > 0.0)) throw InvalidArgument("tol", "a positive number", format_number(o.tol));
  o.max_iter = entry_number(control, "max_iter");
  if (!(o.max_iter >= 1.0))
    throw InvalidArgument("max_iter", "a number of at least 1", format_number(o.max_iter));
  o.shrinking = entry_flag(control, "shrinking");
  return o;
}

namespace {

Vector optional_vector(const Rcpp::List& item, const char* name) {
  if (!item.containsElementNamed(name)) return Vector();
  return entry_vector(item, name);
}

// Depth first, in the order in which KernelSet numbers them.
void collect_matrices(const Rcpp::List& item, KernelItems& out) {
  const std::string family = entry_text(item, "family");
  if (family == "product") {
    const Rcpp::List factors = entry_list(item, "factors");
    for (R_xlen_t i = 0; i < factors.size(); ++i) collect_matrices(factors[i], out);
  }
  if (family != "precomputed") return;
  if (!item.containsElementNamed("matrix") || TYPEOF(item["matrix"]) != REALSXP ||
      !Rf_isMatrix(item["matrix"]))
    throw InvalidArgument("matrix", "a numeric matrix of doubles", "something else");
  out.stored.push_back(matrix_view(Rcpp::NumericMatrix(static_cast<SEXP>(item["matrix"]))));
  out.stored_names.push_back(item.containsElementNamed("name") ? entry_text(item, "name")
                                                               : std::string("precomputed"));
  out.diagonals.push_back(optional_vector(item, "diagonal"));
  out.train_diagonals.push_back(optional_vector(item, "train_diagonal"));
}

}  // namespace

KernelItems read_kernels(const Rcpp::List& items, Index n_features) {
  KernelItems out;
  out.set = std::make_shared<KernelSet>(to_states(items), n_features);
  for (R_xlen_t i = 0; i < items.size(); ++i) collect_matrices(items[i], out);
  return out;
}

void check_stored(const KernelItems& items, Index rows, Index cols, Index n_features) {
  if (n_features == 0 && items.stored.empty())
    throw InvalidArgument("x", "a matrix of at least one column", "of none");
  for (std::size_t s = 0; s < items.stored.size(); ++s) {
    const MatrixView& m = items.stored[s];
    const std::string& name = items.stored_names[s];
    if (m.rows != rows || m.cols != cols)
      throw InvalidArgument(name, std::to_string(rows) + " x " + std::to_string(cols),
                            std::to_string(m.rows) + " x " + std::to_string(m.cols));
    check_finite(m, name);
  }
}

Asymmetry find_asymmetry(const MatrixView& k) {
  const Index n = k.rows;
  constexpr Index block = 64;  // a block and its mirror image stay in the first-level cache
  double size = 0.0, worst = 0.0;
  Asymmetry place;
  for (Index j0 = 0; j0 < n; j0 += block)
    for (Index i0 = j0; i0 < n; i0 += block)
      for (Index j = j0; j < std::min(n, j0 + block); ++j)
        for (Index i = i0; i < std::min(n, i0 + block); ++i) {
          const double gap = std::abs(k(i, j) - k(j, i));
          size = std::max(size, std::max(std::abs(k(i, j)), std::abs(k(j, i))));
          if (gap > worst) {
            worst = gap;
            place.row = i;
            place.column = j;
          }
        }
  place.found = worst > std::sqrt(std::numeric_limits<double>::epsilon()) * size;
  return place;
}

void check_training_matrices(const KernelItems& items, Index n, Index n_features) {
  check_stored(items, n, n, n_features);
  for (std::size_t s = 0; s < items.stored.size(); ++s) {
    const MatrixView& k = items.stored[s];
    const Asymmetry at = find_asymmetry(k);
    if (!at.found) continue;
    const std::string row = std::to_string(at.row + 1), column = std::to_string(at.column + 1);
    throw InvalidArgument(items.stored_names[s], "symmetric",
                          format_number(k(at.row, at.column)) + " in row " + row + ", column " +
                              column + " and " + format_number(k(at.column, at.row)) + " in row " +
                              column + ", column " + row);
  }
}

KernelItems read_training(const Rcpp::NumericMatrix& x, Index n, const Rcpp::List& kernels) {
  if (n < 1) throw InvalidArgument("n", "at least 1", std::to_string(n));
  if (x.ncol() > 0 && x.nrow() != n)
    throw InvalidArgument("x", "of " + std::to_string(n) + " rows",
                          "of " + std::to_string(x.nrow()));
  check_finite(x, "x");
  KernelItems items = read_kernels(kernels, x.ncol());
  check_training_matrices(items, n, x.ncol());
  items.set->check_domain(matrix_view(x), "x");
  return items;
}

void check_finite(const Rcpp::NumericMatrix& x, const char* argument) {
  check_finite(matrix_view(x), argument);
}

void check_finite(const MatrixView& x, const std::string& argument) {
  const Index k = first_not_finite(x);
  if (k < 0) return;
  throw InvalidArgument(argument, "finite",
                        format_number(x.data[k]) + " in row " + std::to_string(k % x.rows + 1) +
                            ", column " + std::to_string(k / x.rows + 1));
}

Index first_not_finite(const MatrixView& x) {
  const Index size = x.rows * x.cols;
  // A finite sum of squares has no bad entry; only otherwise is it worth looking closely.
  if (std::isfinite(choose_simd("auto").dot(x.data, x.data, size))) return -1;
  for (Index k = 0; k < size; ++k)
    if (!std::isfinite(x.data[k])) return k;
  return -1;
}

}  // namespace mk
