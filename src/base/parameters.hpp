// Parameters with their defaults and ranges. Each function throws InvalidArgument naming the
// parameter if its value is of another type or out of range.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "errors.hpp"
#include "state.hpp"

namespace mk {

// Finite numbers between two ends, which belong to the range unless they are open.
struct Range {
  double least, most;
  bool open_least = false, open_most = false;

  static Range at_least(double least) { return {least, infinity}; }
  static Range positive(double most = infinity) { return {0.0, most, true}; }
  bool contains(double value) const;
  std::string text() const;
};

double read_number(const State& parameters, const char* name, double if_missing,
                   const Range& range);

// A whole number.
Index read_count(const State& parameters, const char* name, Index if_missing, Index least,
                 double most = 9e15);

// One of some texts; the first of them if missing.
std::string read_choice(const State& parameters, const char* name,
                        const std::vector<std::string>& choices);

// The entry of a table under a name that is the value of `argument`.
template <class T>
const T& look_up(const std::map<std::string, T>& table, const char* argument,
                 const std::string& name) {
  const auto found = table.find(name);
  if (found != table.end()) return found->second;
  std::string known;
  for (const auto& entry : table) known += (known.empty() ? "\"" : ", \"") + entry.first + "\"";
  throw InvalidArgument(argument, "one of " + known, "\"" + name + "\"");
}

}  // namespace mk
