// The exceptions of the core. Their texts are whole sentences that name the argument.
#pragma once

#include <stdexcept>
#include <string>

namespace mk {

// An argument that cannot be used: what is expected of it and what was found.
class InvalidArgument : public std::runtime_error {
 public:
  InvalidArgument(const std::string& argument, const std::string& expected,
                  const std::string& found)
      : std::runtime_error("`" + argument + "` must be " + expected + ", not " + found + ".") {}
  explicit InvalidArgument(const std::string& sentence) : std::runtime_error(sentence) {}
};

// The user pressed Ctrl-C; carries no text because nobody reads one.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

// A number as a person would type it ("0.5", "1e-08", "NaN").
std::string format_number(double value);

}  // namespace mk
