// How often words occur in examples, where few words are possible: each of them has a column. Most
// sequences have few of these words, once or twice, and their products are sums of short integers
// over the words that one of them has. Long sequences have most words, many times: then the table
// is made dense, and products are those of its rows. Both are exact.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "features.hpp"

namespace mk {

class WordTable final : public Features {
 public:
  struct Entry {
    std::uint32_t word, times;
  };
  // The words of an example, each once and in any order.
  using Example = std::vector<Entry>;

  // Words are numbers below `words`.
  WordTable(Index words, std::vector<Example> examples);

  const char* type() const override { return "word table"; }
  Index rows() const override { return static_cast<Index>(examples_.size()); }
  Index columns() const override { return words_; }
  // The kernels that make these features add up products over all words.
  void check(const PairSum&, const std::string&, const std::string&) const override {}
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows,
                                          const Origin& origin) const override;
  Matrix values(const Indices& rows, const Indices& columns) const override;

  // Words that occur once come first; `once`: how many these are.
  struct Words {
    Example entries;
    std::size_t once;
    double total, most;  // the sum and the largest of the counts
  };
  const Words& example(Index row) const { return examples_[at(row)]; }
  // The same table as a matrix, made when it is asked for first.
  const Features& dense() const;

 private:
  Index words_;
  std::vector<Words> examples_;
  mutable std::once_flag made_;
  mutable SharedFeatures dense_;
};

}  // namespace mk
