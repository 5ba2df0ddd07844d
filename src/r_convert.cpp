#include "r_convert.h"

#include <cmath>

#include "features/registry.hpp"
#include "features/views.hpp"

namespace mk {

namespace {

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
  Indices out;
  for (const int position : Rcpp::IntegerVector(value)) {
    if (position == NA_INTEGER || position < 1)
      throw InvalidArgument(name, "a vector of positions",
                            position == NA_INTEGER ? "NA" : std::to_string(position));
    out.push_back(position - 1);
  }
  return out;
}

Texts to_texts(const std::string& name, SEXP value) {
  Texts out;
  for (R_xlen_t i = 0; i < Rf_xlength(value); ++i) {
    if (STRING_ELT(value, i) == NA_STRING) throw InvalidArgument(name, "strings", "NA");
    out.push_back(Rf_translateCharUTF8(STRING_ELT(value, i)));
  }
  return out;
}

// By the type in R alone: integers are positions, doubles (and flags) numbers.
Value to_value(const std::string& name, SEXP value) {
  switch (TYPEOF(value)) {
    case STRSXP:
      return to_texts(name, value);
    case VECSXP:
      if (!Rf_isNull(Rf_getAttrib(value, R_NamesSymbol)))
        return std::vector<State>{to_state(Rcpp::List(value))};
      for (R_xlen_t i = 0; i < Rf_xlength(value); ++i)
        if (TYPEOF(VECTOR_ELT(value, i)) != VECSXP)
          throw InvalidArgument(name, "a value or a list of lists", "a list of others");
      return to_states(Rcpp::List(value));
    case INTSXP:
      return to_indices(name, value);
    case REALSXP:
      if (Rf_isMatrix(value)) return matrix_view(Rcpp::NumericMatrix(value));
      return to_vector(Rcpp::NumericVector(value));
    case LGLSXP:
      return to_vector(Rcpp::NumericVector(value));
    default:
      throw InvalidArgument(name, "numbers, positions, strings, a matrix or a list",
                            kind_of(value));
  }
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

Rcpp::List entry_list(const Rcpp::List& list, R_xlen_t position) {
  const SEXP value = list[position];
  if (TYPEOF(value) != VECSXP)
    throw InvalidArgument("element " + std::to_string(position + 1), "a list", kind_of(value));
  return Rcpp::List(value);
}

Rcpp::List entry_list(const Rcpp::List& list, const char* name) {
  const SEXP value = entry(list, name);
  if (TYPEOF(value) != VECSXP) throw InvalidArgument(name, "a list", kind_of(value));
  return Rcpp::List(value);
}

State model_state(const Rcpp::List& model) { return to_state(entry_list(model, "state")); }

State to_state(const Rcpp::List& list) {
  const Level level;
  State state;
  if (list.size() == 0) return state;
  const SEXP names = list.names();
  if (Rf_isNull(names)) throw InvalidArgument("list", "named", "a list without names");
  const Rcpp::CharacterVector keys(names);
  for (R_xlen_t i = 0; i < list.size(); ++i) {
    const std::string key = Rcpp::as<std::string>(keys[i]);
    if (Rf_isNull(list[i])) continue;
    state.set(key, to_value(key, list[i]));
  }
  return state;
}

std::vector<State> to_states(const Rcpp::List& lists) {
  std::vector<State> out;
  for (R_xlen_t i = 0; i < lists.size(); ++i) out.push_back(to_state(entry_list(lists, i)));
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
    } else if (const auto* view = std::get_if<MatrixView>(&value)) {
      out[name] = Rcpp::NumericMatrix(static_cast<int>(view->rows), static_cast<int>(view->cols),
                                      view->data);
    } else if (const auto* p = std::get_if<Indices>(&value)) {
      out[name] = to_positions(*p);
    } else if (const auto* texts = std::get_if<Texts>(&value)) {
      out[name] = Rcpp::wrap(*texts);
    } else {
      out[name] = list_of(std::get<std::vector<State>>(value), to_list);
    }
  }
  return out;
}

void raise(const InvalidArgument& error) {
  const Rcpp::Function signal("core_error", Rcpp::Environment::namespace_env("multikernel"));
  signal(error.what(), error.argument, error.expected, error.found);
  throw error;  // not reached: the function ends by a condition
}

namespace {
// list(type = "views", views: features, names: texts, present: a matrix or NULL)
SharedFeatures read_views(const Rcpp::List& x) {
  const Rcpp::List views = entry_list(x, "views");
  std::vector<SharedFeatures> parts;
  for (R_xlen_t v = 0; v < views.size(); ++v) parts.push_back(read_features(views[v]));
  const Value names = to_value("names", entry(x, "names"));
  if (!std::holds_alternative<Texts>(names)) throw InvalidArgument("names", "texts", "others");
  Matrix present;
  if (x.containsElementNamed("present"))
    present = as_matrix(matrix_view(Rcpp::NumericMatrix(entry(x, "present"))));
  return std::make_shared<ViewFeatures>(std::move(parts), std::get<Texts>(names),
                                        std::move(present));
}
}  // namespace

SharedFeatures read_features(SEXP x) {
  if (TYPEOF(x) == VECSXP) {
    const Rcpp::List list(x);
    if (entry_text(list, "type") == "views") return read_views(list);
    return make_features(to_state(list));
  }
  State dense;
  dense.set("type", "dense");
  dense.set("x", to_value("x", x));
  return make_features(dense);
}

MatrixView matrix_view(const Rcpp::NumericMatrix& m) { return {m.begin(), m.nrow(), m.ncol()}; }

Vector to_vector(const Rcpp::NumericVector& v) {
  return Eigen::Map<const Vector>(v.begin(), v.size());
}

Rcpp::NumericVector to_numeric(const Vector& v) {
  return Rcpp::NumericVector(v.data(), v.data() + v.size());
}

Rcpp::IntegerVector to_positions(const Indices& rows) {
  Rcpp::IntegerVector out(static_cast<R_xlen_t>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    out[static_cast<R_xlen_t>(i)] = static_cast<int>(rows[i] + 1);
  return out;
}

Rcpp::IntegerVector to_place(const std::optional<Place>& place) {
  return to_positions(place ? Indices{place->first, place->second} : Indices());
}

Index read_count(const char* name, double value) {
  if (!(value >= 0.0 && value <= 9e15) || value != std::floor(value))
    throw InvalidArgument(name, "a whole number of at least 0", format_number(value));
  return static_cast<Index>(value);
}

Indices read_rows(SEXP rows, Index n, const char* argument) {
  if (Rf_isNull(rows)) return all_rows(n);
  if (TYPEOF(rows) != INTSXP)
    throw InvalidArgument(argument, "a vector of positions", kind_of(rows));
  const Indices out = to_indices(argument, rows);
  for (const Index row : out)
    if (row >= n)
      throw InvalidArgument(argument, "positions from 1 to " + std::to_string(n),
                            std::to_string(row + 1));
  return out;
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

}  // namespace mk
