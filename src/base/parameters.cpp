#include "parameters.hpp"

#include <algorithm>
#include <cmath>

namespace mk {

bool Range::contains(double value) const {
  return std::isfinite(value) && (open_least ? value > least : value >= least) &&
         (open_most ? value < most : value <= most);
}

std::string Range::text() const {
  const std::string low = format_number(least), high = format_number(most);
  if (std::isinf(most) && open_least && least == 0.0) return "a positive finite number";
  if (std::isinf(most)) return "a finite number of at least " + low;
  if (!open_least && !open_most) return "a number from " + low + " to " + high;
  return std::string("a number in ") + (open_least ? "(" : "[") + low + ", " + high +
         (open_most ? ")" : "]");
}

double read_number(const State& parameters, const char* name, double if_missing,
                   const Range& range) {
  const double value = parameters.number(name, if_missing);
  if (!range.contains(value)) throw InvalidArgument(name, range.text(), format_number(value));
  return value;
}

Index read_count(const State& parameters, const char* name, Index if_missing, Index least,
                 double most) {
  const double value = parameters.number(name, static_cast<double>(if_missing));
  if (!(value >= static_cast<double>(least) && value <= most) || value != std::floor(value))
    throw InvalidArgument(name, "a whole number of at least " + std::to_string(least),
                          format_number(value));
  return static_cast<Index>(value);
}

std::string read_choice(const State& parameters, const char* name,
                        const std::vector<std::string>& choices) {
  const std::string text = parameters.has(name) ? parameters.text(name) : choices.front();
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  std::string known;
  for (const std::string& choice : choices)
    known += (known.empty()                ? ""
              : &choice == &choices.back() ? " or "
                                           : ", ") +
             ("\"" + choice) + "\"";
  throw InvalidArgument(name, known, "\"" + text + "\"");
}

}  // namespace mk
