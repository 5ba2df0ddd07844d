// How often words occur in examples. Any word may occur, so that there is no list of all of them:
// words meet by their letters, exactly, also those of new examples that no training example has.
#pragma once

#include <cstdint>
#include <vector>

#include "features.hpp"
#include "letters.hpp"

namespace mk {

// Words of a number of letters, packed into integers of 64 bits: the digits of a number whose base
// is the size of the alphabet. DNA needs one integer for up to 32 letters.
class WordShape {
 public:
  // Letters are numbers below `bound`.
  WordShape(Index letters, Letter bound);

  Index letters() const { return letters_; }
  // Integers a word.
  Index chunks() const { return chunks_; }
  void pack(const Letter* word, std::vector<std::uint64_t>& out) const;

 private:
  Index letters_;
  std::uint64_t bound_;
  Index per_chunk_, chunks_;
};

// The words of one example while they are collected.
class WordBag {
 public:
  explicit WordBag(const WordShape& shape) : shape_(&shape) {}

  void add(const Letter* word) { shape_->pack(word, words_); }
  void reserve(Index words) { words_.reserve(at(words * shape_->chunks())); }
  Index count() const { return static_cast<Index>(words_.size()) / shape_->chunks(); }
  // Leaves one of equal words among those that were added after the first `first` ones.
  void drop_repeated(Index first);

  // All words as they were added.
  const std::vector<std::uint64_t>& words() const { return words_; }

  // Each word once, in increasing order, and how often it was added.
  struct Tally {
    std::vector<std::uint64_t> words;
    std::vector<double> counts;
  };
  Tally tally();

 private:
  void sort_from(Index first);
  const WordShape* shape_;
  std::vector<std::uint64_t> words_;
};

class WordCounts final : public Features {
 public:
  WordCounts(const WordShape& shape, const std::vector<WordBag::Tally>& examples);

  const char* type() const override { return "words"; }
  Index rows() const override { return static_cast<Index>(starts_.size()) - 1; }
  Index columns() const override { return 0; }
  // The kernels that make these features add up products over all words.
  void check(const PairSum&, const std::string&, const std::string&) const override {}
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows,
                                          const Origin& origin) const override;
  Matrix values(const Indices& rows, const Indices& columns) const override;

  // Entries first(row), ..., first(row + 1) - 1 are the words of an example.
  Index first(Index row) const { return starts_[at(row)]; }
  const std::uint64_t* word(Index entry) const { return words_.data() + entry * chunks_; }
  double times(Index entry) const { return counts_[at(entry)]; }
  Index chunks() const { return chunks_; }

 private:
  Index chunks_;
  Indices starts_;
  std::vector<std::uint64_t> words_;
  std::vector<double> counts_;
};

}  // namespace mk
