// Letters of texts: Unicode code points, by their numbers in an alphabet.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "../base/state.hpp"
#include "strings.hpp"

namespace mk {

using Letter = std::uint32_t;
using Letters = std::vector<Letter>;

class Alphabet {
 public:
  // The letters that count, each once; empty: every code point counts. `ignore_case`: upper and
  // lower case are one letter.
  explicit Alphabet(const std::string& letters = "", bool ignore_case = false);

  static constexpr Letter outside = 0xffffffff;

  // How many letters there are; 0 if every code point is one.
  Index size() const { return static_cast<Index>(letters_.size()); }
  // Letters are numbers below this.
  Letter bound() const;
  // The letters of an example: their numbers in the alphabet (code points if there is none), or
  // `outside`. Throws InvalidArgument that names the example if it is no UTF-8.
  Letters read(const Strings& x, Index row, const std::string& argument) const;
  // Alphabets with the same key read alike.
  std::string key() const;

 private:
  Letter number_of(Letter letter) const;

  Letters letters_;  // sorted
  bool ignore_case_;
  std::array<Letter, 128> ascii_;  // what becomes of letters of one byte
};

// From the optional parameters `alphabet` (a text) and `ignore_case`.
Alphabet read_alphabet(const State& parameters);

// All letters of some texts, each once and in increasing order.
std::string letters_in(const Strings& x, bool ignore_case, const std::string& argument);

}  // namespace mk
