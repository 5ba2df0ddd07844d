#include "state.hpp"

#include <cmath>

#include "errors.hpp"

namespace mk {

namespace {

// What a value is, for errors.
std::string describe(const Value& value) {
  static const char* const kinds[] = {"numbers",   "a matrix", "a matrix",
                                      "positions", "text",     "a list"};
  if (const auto* v = std::get_if<Vector>(&value))
    if (v->size() == 1) return format_number((*v)[0]);
  return kinds[value.index()];
}

}  // namespace

const Value* State::find(const std::string& name) const {
  for (const auto& entry : entries_)
    if (entry.first == name) return &entry.second;
  return nullptr;
}

void State::set(const std::string& name, Value value) {
  for (auto& entry : entries_)
    if (entry.first == name) {
      entry.second = std::move(value);
      return;
    }
  entries_.emplace_back(name, std::move(value));
}

template <class T>
const T& State::get(const std::string& name, const char* expected) const {
  const Value* value = find(name);
  if (value == nullptr) throw InvalidArgument(name, expected, "missing");
  const T* typed = std::get_if<T>(value);
  if (typed == nullptr) throw InvalidArgument(name, expected, describe(*value));
  return *typed;
}

double State::number(const std::string& name) const {
  const Vector& value = get<Vector>(name, "a number");
  if (value.size() != 1)
    throw InvalidArgument(name, "one number", std::to_string(value.size()) + " numbers");
  return value[0];
}

double State::number(const std::string& name, double if_missing) const {
  return has(name) ? number(name) : if_missing;
}

Index State::count(const std::string& name, Index least, Index most) const {
  const double value = number(name);
  if (!(value >= static_cast<double>(least)))
    throw InvalidArgument(name, "at least " + std::to_string(least), format_number(value));
  if (!(value <= static_cast<double>(most)) || value != std::floor(value))
    throw InvalidArgument(name, "a whole number up to " + std::to_string(most),
                          format_number(value));
  return static_cast<Index>(value);
}

bool State::flag(const std::string& name) const {
  const double value = number(name);
  if (value != 0.0 && value != 1.0)
    throw InvalidArgument(name, "true or false", format_number(value));
  return value != 0.0;
}

const Vector& State::vector(const std::string& name) const {
  return get<Vector>(name, "a numeric vector");
}

Eigen::Map<const Matrix> State::matrix(const std::string& name) const {
  const Value* value = find(name);
  if (value != nullptr)
    if (const auto* v = std::get_if<MatrixView>(value)) return {v->data, v->rows, v->cols};
  const Matrix& own = get<Matrix>(name, "a numeric matrix of doubles");
  return {own.data(), own.rows(), own.cols()};
}

const Indices& State::indices(const std::string& name) const {
  return get<Indices>(name, "a vector of positions");
}

const std::string& State::text(const std::string& name) const {
  const Texts& value = get<Texts>(name, "a string");
  if (value.size() != 1)
    throw InvalidArgument(name, "a string", std::to_string(value.size()) + " strings");
  return value.front();
}

const Texts& State::texts(const std::string& name) const { return get<Texts>(name, "strings"); }

const std::vector<State>& State::list(const std::string& name) const {
  return get<std::vector<State>>(name, "a list");
}

const State& State::child(const std::string& name) const {
  static const State none;
  const auto& states = list(name);
  if (states.size() > 1)
    throw InvalidArgument(name, "a list of named values", std::to_string(states.size()) + " lists");
  return states.empty() ? none : states.front();
}

}  // namespace mk
