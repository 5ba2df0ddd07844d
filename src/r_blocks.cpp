// Fits to rows that come in blocks, for R: what is computed of one block, in any process, and the
// fit that is driven by sums over all of them.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#include "api/blocks.hpp"
#include "api/scaling.hpp"
#include "base/random.hpp"
#include "r_convert.h"
#include "r_learners.h"
#include "r_runtime.h"

using namespace mk;

namespace {

std::vector<Matrix> read_matrices(const Rcpp::List& list) {
  std::vector<Matrix> out;
  for (const Rcpp::NumericMatrix m : list) out.push_back(as_matrix(matrix_view(m)));
  return out;
}

Vector entry_vector(const Rcpp::List& list, const char* name) {
  return to_vector(Rcpp::NumericVector(entry(list, name)));
}

FeatureDraw read_draw(double count, double seed) {
  return {static_cast<std::uint64_t>(read_count("seed", seed)), read_count("count", count)};
}

// landmarks, kernels, normalizers, back, count, seed
BlockMap read_map(const Rcpp::List& list) {
  return {read_features(entry(list, "landmarks")), to_states(entry_list(list, "kernels")),
          to_states(entry_list(list, "normalizers")), read_matrices(entry_list(list, "back")),
          read_draw(entry_number(list, "count"), entry_number(list, "seed"))};
}

// positive and negative: codes from 0, -1 for none; loss, cost, epsilon
BlockProblem read_block_problem(const Rcpp::List& list) {
  BlockProblem out;
  out.classes = {entry_integer(list, "positive"), entry_integer(list, "negative")};
  out.loss = {row_loss_kind(entry_text(list, "loss")), entry_number(list, "cost"),
              entry_number(list, "epsilon")};
  return out;
}

std::vector<BlockProblem> read_block_problems(const Rcpp::List& list) {
  std::vector<BlockProblem> out;
  for (R_xlen_t p = 0; p < list.size(); ++p) out.push_back(read_block_problem(entry_list(list, p)));
  return out;
}

Rcpp::List request_list(const SumsRequest& r) {
  return Rcpp::List::create(Rcpp::_["w"] = to_numeric(r.w),
                            Rcpp::_["direction"] = to_numeric(r.direction),
                            Rcpp::_["steps"] = to_numeric(r.steps), Rcpp::_["sigma"] = r.sigma,
                            Rcpp::_["advance"] = r.advance);
}

SumsRequest read_request(const Rcpp::List& list, const RowLoss& loss) {
  return {loss,
          entry_vector(list, "w"),
          entry_vector(list, "direction"),
          entry_vector(list, "steps"),
          entry_number(list, "sigma"),
          entry_number(list, "advance")};
}

Rcpp::List sums_list(const RowSums& s) {
  return Rcpp::List::create(
      Rcpp::_["loss"] = to_numeric(s.loss), Rcpp::_["slope"] = to_numeric(s.slope),
      Rcpp::_["exact"] = s.exact, Rcpp::_["gradient"] = to_numeric_matrix(s.gradient),
      Rcpp::_["linear"] = to_numeric(s.linear), Rcpp::_["quadratic"] = to_numeric(s.quadratic),
      Rcpp::_["hessian"] = to_numeric_matrix(s.hessian));
}

RowSums read_sums(const Rcpp::List& list, Index columns, Index steps) {
  RowSums s;
  s.loss = entry_vector(list, "loss");
  s.slope = entry_vector(list, "slope");
  s.exact = entry_number(list, "exact");
  s.gradient = as_matrix(matrix_view(Rcpp::NumericMatrix(entry(list, "gradient"))));
  s.linear = entry_vector(list, "linear");
  s.quadratic = entry_vector(list, "quadratic");
  s.hessian = as_matrix(matrix_view(Rcpp::NumericMatrix(entry(list, "hessian"))));
  const Index size = columns + 1;
  if (s.loss.size() != steps || s.slope.size() != steps || s.gradient.rows() != size ||
      s.gradient.cols() != 2 || s.hessian.rows() != size || s.hessian.cols() != size ||
      s.linear.size() != 2 || s.quadratic.size() != 2)
    throw InvalidArgument("passes", "a function that gives the sums of each problem", "others");
  return s;
}

// Passes by an R function(problems, requests), which calls R back: on R's own thread only.
SumsOracle r_oracle(const Rcpp::Function& passes) {
  return [passes](const std::vector<Index>& problems, const std::vector<SumsRequest>& requests) {
    const Rcpp::List answers(passes(to_positions(problems), list_of(requests, request_list)));
    if (answers.size() != static_cast<R_xlen_t>(requests.size()))
      throw InvalidArgument("passes", "a function that gives the sums of each problem", "others");
    std::vector<RowSums> sums;
    for (std::size_t k = 0; k < requests.size(); ++k)
      sums.push_back(read_sums(entry_list(answers, static_cast<R_xlen_t>(k)),
                               requests[k].w.size() - 1, requests[k].steps.size()));
    return sums;
  };
}

BlocksRequest read_fit(const Rcpp::List& list) {
  BlocksRequest out;
  out.problems = read_block_problems(entry_list(list, "problems"));
  out.offsets = {0};
  for (const double columns : Rcpp::NumericVector(entry(list, "columns")))
    out.offsets.push_back(out.offsets.back() + read_count("columns", columns));
  out.p = entry_number(list, "p");
  out.weights = entry_vector(list, "weights");
  const Rcpp::List starts = entry_list(list, "starts");
  for (const Rcpp::NumericVector start : starts) out.starts.push_back(to_vector(start));
  out.options.tol = entry_number(list, "tol");
  out.options.gap = entry_number(list, "gap");
  out.options.reach = entry_number(list, "reach");
  out.options.passes = read_count("passes", entry_number(list, "most_passes"));
  return out;
}

// FNV-1a by words.
class Checksum {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* from = static_cast<const unsigned char*>(data);
    std::size_t i = 0;
    for (; i + 8 <= bytes; i += 8) {
      std::uint64_t word;
      std::memcpy(&word, from + i, 8);
      mix(word);
    }
    for (; i < bytes; ++i) mix(from[i]);
  }
  void mix(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x100000001b3ULL;
    hash_ ^= hash_ >> 29;
  }
  std::string text() const {
    char out[17];
    std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(hash_));
    return out;
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

// Where the records of a csv file begin that are the first of a block. Line ends within quotes
// belong to a value; empty lines are no records.
class CsvLayout {
 public:
  CsvLayout(double rows, std::string quotes) : quotes_(std::move(quotes)), rows_(rows) {}

  void read(const char* data, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i, ++position_) {
      const char c = data[i];
      if (quoted_by_ != 0 ? c == quoted_by_ : quotes_.find(c) != std::string::npos)
        quoted_by_ = quoted_by_ != 0 ? 0 : c;
      if (c == '\n' && quoted_by_ == 0) {
        end_record();
      } else if (c != '\r') {
        if (!filled_) begin_record();
        filled_ = true;
      }
    }
  }
  // The header is record 0.
  void finish() { end_record(); }
  bool is_within_quotes() const { return quoted_by_ != 0; }

  std::vector<double> offsets, counts;

 private:
  void begin_record() {
    if (records_ < 1.0) return;
    if (counts.empty() || counts.back() >= rows_) {
      offsets.push_back(line_);
      counts.push_back(0.0);
    }
  }
  void end_record() {
    if (filled_) {
      if (records_ >= 1.0) counts.back() += 1.0;
      records_ += 1.0;
    }
    filled_ = false;
    line_ = position_ + 1.0;
  }

  const std::string quotes_;
  double rows_, records_ = 0.0, position_ = 0.0, line_ = 0.0;
  char quoted_by_ = 0;
  bool filled_ = false;
};

void add_texts(const Rcpp::CharacterVector& texts, Checksum& sum) {
  for (const SEXP text : texts) {
    sum.mix(text == NA_STRING ? 1 : 0);
    sum.add(CHAR(text), static_cast<std::size_t>(LENGTH(text)));
  }
}

}  // namespace

// The blocks of `rows` records of a csv file with a header, whose values may be within any of the
// characters `quotes`: list(offsets: of their first bytes, counts: of their records).
// [[Rcpp::export(rng = false)]]
Rcpp::List csv_layout_cpp(std::string file, double rows, std::string quotes) {
  return guarded([&] {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> from(std::fopen(file.c_str(), "rb"),
                                                               std::fclose);
    if (!from) throw InvalidArgument("File `" + file + "` cannot be opened.", "source");
    CsvLayout layout(rows, quotes);
    std::vector<char> buffer(std::size_t{1} << 22);
    for (;;) {
      Rcpp::checkUserInterrupt();
      const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), from.get());
      if (count == 0) break;
      layout.read(buffer.data(), count);
    }
    layout.finish();
    if (layout.is_within_quotes())
      throw InvalidArgument("File `" + file + "` ends within quotes: check `quote`.", "source");
    return Rcpp::List::create(Rcpp::_["offsets"] = Rcpp::wrap(layout.offsets),
                              Rcpp::_["counts"] = Rcpp::wrap(layout.counts));
  });
}

// A checksum of all values of some columns: text, numbers, flags or the codes of factors.
// [[Rcpp::export(rng = false)]]
std::string block_checksum_cpp(Rcpp::List columns) {
  return guarded([&] {
    Checksum sum;
    for (R_xlen_t j = 0; j < columns.size(); ++j) {
      const SEXP x = columns[j];
      sum.mix(static_cast<std::uint64_t>(TYPEOF(x)));
      sum.mix(static_cast<std::uint64_t>(Rf_xlength(x)));
      const auto n = static_cast<std::size_t>(Rf_xlength(x));
      if (TYPEOF(x) == REALSXP) sum.add(REAL(x), 8 * n);
      if (TYPEOF(x) == INTSXP) sum.add(INTEGER(x), sizeof(int) * n);
      if (TYPEOF(x) == LGLSXP) sum.add(LOGICAL(x), sizeof(int) * n);
      if (TYPEOF(x) == STRSXP) add_texts(x, sum);
      const SEXP levels = Rf_getAttrib(x, R_LevelsSymbol);
      if (TYPEOF(levels) == STRSXP) add_texts(levels, sum);
    }
    return sum.text();
  });
}

// A uniform number for each row from `first` on (from 0) of a source: those of the smallest numbers
// are a sample that does not depend on blocks or processes.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector row_keys_cpp(double seed, double source, double first, double count) {
  return guarded([&] {
    const Index n = read_count("count", count), from = read_count("first", first);
    Random of_source(static_cast<std::uint64_t>(read_count("seed", seed)),
                     static_cast<std::uint64_t>(read_count("source", source)));
    const std::uint64_t key = of_source.bits();
    Rcpp::NumericVector out(n);
    for (Index i = 0; i < n; ++i)
      out[i] = Random(key, static_cast<std::uint64_t>(from + i)).uniform();
    return out;
  });
}

// Means of columns at some rows and sums of squares around them.
// [[Rcpp::export(rng = false)]]
Rcpp::List block_moments_cpp(Rcpp::NumericMatrix x, SEXP rows, Rcpp::NumericVector weights) {
  return guarded([&] {
    const Indices used = read_rows(rows, x.nrow(), "rows");
    if (weights.size() != static_cast<R_xlen_t>(used.size()))
      throw InvalidArgument("weights", "one number for each row", std::to_string(weights.size()));
    Rcpp::NumericVector mean(x.ncol()), squares(x.ncol());
    const double total = Rcpp::sum(weights);
    for (int j = 0; j < x.ncol() && total > 0.0; ++j) {
      const double* column = &x(0, j);
      long double sum = 0.0L, more = 0.0L;
      for (std::size_t i = 0; i < used.size(); ++i)
        sum += static_cast<long double>(weights[static_cast<R_xlen_t>(i)]) * column[used[i]];
      mean[j] = static_cast<double>(sum / total);
      for (std::size_t i = 0; i < used.size(); ++i) {
        const long double off = column[used[i]] - mean[j];
        more += weights[static_cast<R_xlen_t>(i)] * off * off;
      }
      squares[j] = static_cast<double>(more);
    }
    return Rcpp::List::create(Rcpp::_["weight"] = total, Rcpp::_["mean"] = mean,
                              Rcpp::_["squares"] = squares);
  });
}

// The numeric response of a block, standardized with given numbers.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector scale_response_cpp(Rcpp::NumericVector y, double center, double scale,
                                       double tol) {
  return guarded([&] { return to_numeric(scale_response(to_vector(y), {center, scale}, tol)); });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List block_totals_cpp(SEXP x, Rcpp::List kernels, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const KernelTotals t = kernel_totals(read_features(x), to_states(kernels), runtime);
    return Rcpp::List::create(Rcpp::_["trace"] = to_numeric(t.trace),
                              Rcpp::_["present"] = to_numeric(t.present), Rcpp::_["rows"] = t.rows);
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector block_landmarks_cpp(std::string method, double count, SEXP sample,
                                        Rcpp::List kernels, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    return to_positions(block_landmarks(method, read_count("count", count), read_features(sample),
                                        to_states(kernels), runtime));
  });
}

// `count` of random features, of the seed in `control`; 0: the rows of `sample` are landmarks.
// [[Rcpp::export(rng = false)]]
Rcpp::List block_map_cpp(SEXP sample, Rcpp::List kernels, Rcpp::List totals, double count,
                         Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const KernelTotals all = {entry_vector(totals, "trace"), entry_vector(totals, "present"),
                              entry_number(totals, "rows")};
    const FeatureDraw draw = read_draw(count, static_cast<double>(runtime.seed));
    const BlockMapFit map =
        fit_block_map(read_features(sample), to_states(kernels), all, draw, runtime);
    return Rcpp::List::create(
        Rcpp::_["normalizers"] =
            list_of(map.normalizers,
                    [](const ItemNormalizer& item) { return to_list(normalizer_state(item)); }),
        Rcpp::_["back"] = list_of(map.back, to_numeric_matrix),
        Rcpp::_["indefinite"] = Rcpp::LogicalVector(map.indefinite.begin(), map.indefinite.end()),
        Rcpp::_["columns"] = to_numeric(map.columns), Rcpp::_["error"] = to_numeric(map.error));
  });
}

// The sums of one block for some problems; `centers`: a vector for each, or none.
// [[Rcpp::export(rng = false)]]
Rcpp::List block_sums_cpp(Rcpp::List map, SEXP x, Rcpp::List target, Rcpp::List problems,
                          Rcpp::List requests, bool residuals, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    RowBlock block = {
        read_features(x), entry_vector(target, "y"), entry_vector(target, "weights"), {}};
    const Rcpp::List given = entry_list(target, "centers");
    for (const Rcpp::NumericVector one : given) block.centers.push_back(to_vector(one));
    const Index n = block.x->rows();
    if (block.y.size() != n || block.weights.size() != n)
      throw InvalidArgument("y, weights", "one number for each row", "others");
    const std::vector<BlockProblem> asked = read_block_problems(problems);
    if (requests.size() != problems.size())
      throw InvalidArgument("requests", "one for each problem", std::to_string(requests.size()));
    std::vector<SumsRequest> read;
    for (std::size_t p = 0; p < asked.size(); ++p)
      read.push_back(read_request(entry_list(requests, static_cast<R_xlen_t>(p)), asked[p].loss));
    const BlockSums sums = sum_block(read_map(map), block, asked, read, residuals, runtime);
    return Rcpp::List::create(Rcpp::_["sums"] = list_of(sums.sums, sums_list),
                              Rcpp::_["centers"] = list_of(block.centers, to_numeric),
                              Rcpp::_["diagonal"] = to_numeric(sums.diagonal),
                              Rcpp::_["residual"] = to_numeric(sums.residual),
                              Rcpp::_["longest"] = sums.longest);
  });
}

// The models that the sums of all blocks lead to, and their solutions on the features. `map`: see
// read_map().
// [[Rcpp::export(rng = false)]]
Rcpp::List block_fit_cpp(Rcpp::List fit, Rcpp::List map, Rcpp::Function passes,
                         Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const BlocksRequest request = read_fit(fit);
    const std::vector<BlocksFit> fits = fit_blocks(request, r_oracle(passes), runtime);
    const std::vector<Matrix> back = read_matrices(entry_list(map, "back"));
    const FeatureDraw draw = read_draw(entry_number(map, "count"), entry_number(map, "seed"));
    return Rcpp::List::create(
        Rcpp::_["models"] = list_of(fits,
                                    [&](const BlocksFit& one) {
                                      SubModel sub;
                                      sub.classes = one.classes;
                                      sub.model = block_model(one, request.offsets, back, draw);
                                      return model_list(sub);
                                    }),
        Rcpp::_["solutions"] =
            list_of(fits, [](const BlocksFit& one) { return to_numeric(one.w); }));
  });
}
