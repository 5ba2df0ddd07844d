#include "state.hpp"

#include "errors.hpp"

namespace mk {

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
  if (typed == nullptr) throw InvalidArgument(name, expected, "something of another type");
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

const Vector& State::vector(const std::string& name) const {
  return get<Vector>(name, "a numeric vector");
}
const Matrix& State::matrix(const std::string& name) const {
  return get<Matrix>(name, "a numeric matrix");
}
const Indices& State::indices(const std::string& name) const {
  return get<Indices>(name, "a vector of positions");
}
const std::string& State::text(const std::string& name) const {
  return get<std::string>(name, "a string");
}
const std::vector<State>& State::list(const std::string& name) const {
  return get<std::vector<State>>(name, "a list");
}

}  // namespace mk
