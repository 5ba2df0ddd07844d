// Plain data by name: parameters on their way into the core, fitted state on its way out.
// The seam turns a State into an R list and back; nothing else in the core knows its form.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "types.hpp"

namespace mk {

class State;

// Indices are positions counted from 0 here and from 1 in R.
using Value = std::variant<Vector, Matrix, Indices, std::string, std::vector<State>>;

class State {
 public:
  void set(const std::string& name, Value value);
  void set(const std::string& name, double value) {
    set(name, Value(Vector(Vector::Constant(1, value))));
  }

  bool has(const std::string& name) const { return find(name) != nullptr; }

  // Each throws InvalidArgument naming the entry if it is missing or of another kind.
  double number(const std::string& name) const;
  double number(const std::string& name, double if_missing) const;
  const Vector& vector(const std::string& name) const;
  const Matrix& matrix(const std::string& name) const;
  const Indices& indices(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  const std::vector<State>& list(const std::string& name) const;

  const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }

 private:
  const Value* find(const std::string& name) const;
  template <class T>
  const T& get(const std::string& name, const char* expected) const;

  std::vector<std::pair<std::string, Value>> entries_;
};

}  // namespace mk
