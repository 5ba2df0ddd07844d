// Plain data by name: parameters on their way into the core, fitted state on its way out.
// A front end turns a State into its own lists and back; nothing else in the core knows their form.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "types.hpp"

namespace mk {

class State;
using Texts = std::vector<std::string>;

// Numbers, positions (counted from 0), texts, lists, and matrices: borrowed ones on the way in,
// owned ones on the way out.
using Value = std::variant<Vector, MatrixView, Matrix, Indices, Texts, std::vector<State>>;

class State {
 public:
  void set(const std::string& name, Value value);
  void set(const std::string& name, double value) {
    set(name, Value(Vector(Vector::Constant(1, value))));
  }
  void set(const std::string& name, const std::string& text) { set(name, Value(Texts{text})); }
  void set(const std::string& name, const char* text) { set(name, std::string(text)); }

  bool has(const std::string& name) const { return find(name) != nullptr; }

  // Each throws InvalidArgument naming the entry if it is missing or of another kind.
  double number(const std::string& name) const;
  double number(const std::string& name, double if_missing) const;
  // A whole number from `least` to `most`.
  Index count(const std::string& name, Index least, Index most = 2147483647) const;
  bool flag(const std::string& name) const;
  const Vector& vector(const std::string& name) const;
  Eigen::Map<const Matrix> matrix(const std::string& name) const;
  const Indices& indices(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  const Texts& texts(const std::string& name) const;
  const std::vector<State>& list(const std::string& name) const;
  // The one State of a list; an empty list is an empty State.
  const State& child(const std::string& name) const;

  const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }

 private:
  const Value* find(const std::string& name) const;
  template <class T>
  const T& get(const std::string& name, const char* expected) const;

  std::vector<std::pair<std::string, Value>> entries_;
};

}  // namespace mk
