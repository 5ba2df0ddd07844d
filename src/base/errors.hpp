// The exceptions of the core. Their texts are whole sentences that name the argument.
#pragma once

#include <stdexcept>
#include <string>

namespace mk {

// An argument that cannot be used: what is expected of it and what was found. Fields that a
// sentence of its own does not give are empty.
class InvalidArgument : public std::runtime_error {
 public:
  InvalidArgument(const std::string& name, const std::string& wanted, const std::string& value)
      : std::runtime_error("`" + name + "` must be " + wanted + ", not " + value + "."),
        argument(name),
        expected(wanted),
        found(value) {}
  explicit InvalidArgument(const std::string& sentence, const std::string& name = "")
      : std::runtime_error(sentence), argument(name) {}

  const std::string argument, expected, found;
};

// The user pressed Ctrl-C; carries no text because nobody reads one.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

// A number as a person would type it ("0.5", "1e-08", "NaN").
std::string format_number(double value);

}  // namespace mk
