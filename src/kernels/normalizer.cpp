#include "normalizer.hpp"

#include <cmath>
#include <limits>

#include "../base/errors.hpp"

namespace mk {

namespace {
const char* stage_name(Normalization kind) {
  switch (kind) {
    case Normalization::trace:
      return "trace";
    case Normalization::unit_trace:
      return "unit_trace";
    case Normalization::cosine:
      return "cosine";
    case Normalization::center:
      return "center";
  }
  return "";
}

Normalization stage_kind(const std::string& name) {
  for (Normalization kind : {Normalization::trace, Normalization::unit_trace, Normalization::cosine,
                             Normalization::center})
    if (name == stage_name(kind)) return kind;
  throw InvalidArgument("normalize", "\"trace\", \"unit_trace\", \"cosine\" or \"center\"",
                        "\"" + name + "\"");
}
}  // namespace

std::vector<Normalization> read_chain(const std::vector<State>& stages) {
  std::vector<Normalization> chain;
  for (const State& stage : stages) chain.push_back(stage_kind(stage.text("name")));
  return chain;
}

bool is_plain_factor(const std::vector<Normalization>& chain) {
  for (Normalization kind : chain)
    if (kind == Normalization::cosine || kind == Normalization::center) return false;
  return true;
}

State normalizer_state(const ItemNormalizer& item) {
  std::vector<State> stages;
  for (const StageFit& stage : item) {
    State state;
    state.set("name", Value(std::string(stage_name(stage.kind))));
    state.set("value", Value(stage.value));
    if (stage.kind == Normalization::center) state.set("means", Value(stage.means));
    stages.push_back(std::move(state));
  }
  State all;
  all.set("stages", Value(std::move(stages)));
  return all;
}

ItemNormalizer restore_normalizer(const State& state) {
  ItemNormalizer item;
  for (const State& stage : state.list("stages")) {
    StageFit fit;
    fit.kind = stage_kind(stage.text("name"));
    fit.value = stage.vector("value");
    if (fit.kind == Normalization::center) fit.means = stage.matrix("means");
    item.push_back(std::move(fit));
  }
  return item;
}

void center_diagonal(const Vector& means, double mean, Vector& diagonal) {
  constexpr double rounding = 64.0 * std::numeric_limits<double>::epsilon();
  for (Index i = 0; i < diagonal.size(); ++i) {
    const double size = std::abs(diagonal[i]) + 2.0 * std::abs(means[i]) + std::abs(mean);
    diagonal[i] += mean - 2.0 * means[i];
    if (std::abs(diagonal[i]) <= rounding * size) diagonal[i] = 0.0;
  }
}

void apply_stage(const StageValues& stage, double* values, Index a_first, Index a_count,
                 Index b_first, Index b_count) {
  using Column = Eigen::Map<Eigen::ArrayXd>;
  for (Index j = 0; j < b_count; ++j) {
    Column column(values + j * panel_rows, a_count);
    switch (stage.kind) {
      case Normalization::trace:
      case Normalization::unit_trace:
        column *= stage.value;
        break;
      case Normalization::cosine:
        column *= stage.a.segment(a_first, a_count).array() * stage.b[b_first + j];
        break;
      case Normalization::center:
        // a + b first: the same number for (i, j) and (j, i).
        column += stage.value - (stage.a.segment(a_first, a_count).array() + stage.b[b_first + j]);
        break;
    }
  }
}

void apply_log_stage(const StageValues& stage, double* logs, Index a_first, Index a_count,
                     Index b_first, Index b_count) {
  for (Index j = 0; j < b_count; ++j) {
    double* column = logs + j * panel_rows;
    for (Index i = 0; i < a_count; ++i) switch (stage.kind) {
        case Normalization::trace:
        case Normalization::unit_trace:
          column[i] += std::log(stage.value);
          break;
        case Normalization::cosine:
          column[i] += std::log(stage.a[a_first + i]) + std::log(stage.b[b_first + j]);
          break;
        case Normalization::center:
          column[i] = std::numeric_limits<double>::quiet_NaN();
          break;
      }
  }
}

}  // namespace mk
