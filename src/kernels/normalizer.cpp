#include "normalizer.hpp"

#include <cmath>
#include <limits>

#include "../base/errors.hpp"

namespace mk {

namespace {
// In the order of Normalization.
constexpr const char* stage_names[] = {"trace", "unit_trace", "cosine", "center"};

Normalization stage_kind(const std::string& name) {
  for (int kind = 0; kind < 4; ++kind)
    if (name == stage_names[kind]) return static_cast<Normalization>(kind);
  throw InvalidArgument("normalize", "\"trace\", \"unit_trace\", \"cosine\" or \"center\"",
                        "\"" + name + "\"");
}
}  // namespace

std::vector<Normalization> read_stages(const Texts& stages) {
  std::vector<Normalization> kinds;
  for (const std::string& stage : stages) kinds.push_back(stage_kind(stage));
  return kinds;
}

bool is_plain_factor(const std::vector<Normalization>& stages) {
  for (Normalization kind : stages)
    if (kind == Normalization::cosine || kind == Normalization::center) return false;
  return true;
}

Vector inverse_roots(const Vector& diagonal, const std::string& name, bool may_vanish) {
  Vector out(diagonal.size());
  for (Index i = 0; i < diagonal.size(); ++i) {
    const bool vanished = may_vanish && diagonal[i] == 0.0;
    if (!vanished && (!(diagonal[i] > 0.0) || std::isinf(diagonal[i])))
      throw InvalidArgument("Kernel `" + name + "` cannot be normalised by \"cosine\": its value " +
                                "of example " + std::to_string(i + 1) + " with itself is " +
                                format_number(diagonal[i]) + ", not a positive finite number.",
                            name);
    out[i] = vanished ? 0.0 : 1.0 / std::sqrt(diagonal[i]);
  }
  return out;
}

State normalizer_state(const ItemNormalizer& item) {
  std::vector<State> stages;
  for (const StageFit& stage : item) {
    State state;
    state.set("name", stage_names[static_cast<int>(stage.kind)]);
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

void apply_stage(const StageValues& stage, const Tile& tile, double* values) {
  using Column = Eigen::Map<Eigen::ArrayXd>;
  for (Index j = 0; j < tile.b_count; ++j) {
    Column column(values + j * panel_rows, tile.a_count);
    switch (stage.kind) {
      case Normalization::trace:
      case Normalization::unit_trace:
        column *= stage.value;
        break;
      case Normalization::cosine:
        column *= stage.a.segment(tile.a_first, tile.a_count).array() * stage.b[tile.b_first + j];
        break;
      case Normalization::center:
        // a + b first: the same number for (i, j) and (j, i).
        column += stage.value -
                  (stage.a.segment(tile.a_first, tile.a_count).array() + stage.b[tile.b_first + j]);
        break;
    }
  }
}

void apply_log_stage(const StageValues& stage, const Tile& tile, double* logs) {
  for (Index j = 0; j < tile.b_count; ++j) {
    double* column = logs + j * panel_rows;
    for (Index i = 0; i < tile.a_count; ++i) switch (stage.kind) {
        case Normalization::trace:
        case Normalization::unit_trace:
          column[i] += std::log(stage.value);
          break;
        case Normalization::cosine:
          column[i] += std::log(stage.a[tile.a_first + i]) + std::log(stage.b[tile.b_first + j]);
          break;
        case Normalization::center:
          column[i] = std::numeric_limits<double>::quiet_NaN();
          break;
      }
  }
}

}  // namespace mk
