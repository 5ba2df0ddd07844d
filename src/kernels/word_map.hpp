// Kernels of sequences that count words: the windows of some length that slide along a sequence
// give words, and k(x, z) = sum over words w of count_w(x) count_w(z).
#pragma once

#include "../features/word_counts.hpp"
#include "kernel.hpp"

namespace mk {

class WordMap : public FeatureMap {
 public:
  // Windows of `window` letters give words of `letters` letters; windows with a letter outside of
  // the alphabet give none. `name`: of the kernel and its parameters but for the alphabet.
  WordMap(std::string name, Alphabet alphabet, Index window, Index letters);

  std::string key() const final { return name_ + ", " + alphabet_.key(); }
  Index columns(Index) const final { return table_; }
  bool may_vanish() const final { return true; }  // short sequences have no words
  SharedFeatures apply(const MapInput& input, const Runtime& runtime) const final;

 protected:
  virtual void add_words(const Letter* window, WordBag& bag) const = 0;
  const Alphabet& alphabet() const { return alphabet_; }
  Index window() const { return window_; }
  Index letters() const { return shape_.letters(); }

 private:
  WordBag words_of(const Strings& x, Index row, const MapInput& input,
                   const Runtime& runtime) const;
  std::string name_;
  Alphabet alphabet_;
  Index window_;
  WordShape shape_;
  Index table_;  // how many words there are, if so few that each has a column; else 0
};

// The kernel of a map.
Factor word_factor(std::shared_ptr<const WordMap> map);

// The most letters of a window.
constexpr double longest_window = 100.0;
// The most words that a window may give.
constexpr double most_words = 1e5;

}  // namespace mk
