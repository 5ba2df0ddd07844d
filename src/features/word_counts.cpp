#include "word_counts.hpp"

#include <algorithm>
#include <numeric>

namespace mk {

namespace {

using Chunk = std::uint64_t;

bool equal_words(const Chunk* a, const Chunk* b, Index chunks) {
  return std::equal(a, a + chunks, b);
}

// The words of B's examples of a tile: for each word the places of the examples that have it, and
// how often they have it. An open hash table finds the word.
class TileWords {
 public:
  TileWords(const WordCounts& x, const Indices& rows, const Tile& tile) : chunks_(x.chunks()) {
    Index entries = 0;
    for_entries(x, rows, tile, [&](Index, Index) { ++entries; });
    clear(entries);
    owner_.resize(at(entries));
    Index k = 0;
    for_entries(x, rows, tile, [&](Index, Index entry) {
      const std::int32_t group = insert(x.word(entry));
      owner_[at(k++)] = group;
      ++starts_[at(group) + 1];
    });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    next_.assign(starts_.begin(), starts_.end());
    shares_.resize(at(entries));
    k = 0;
    for_entries(x, rows, tile, [&](Index place, Index entry) {
      shares_[at(next_[at(owner_[at(k++)])]++)] = {place, x.times(entry)};
    });
  }

  // sums[place] += times * how often the example at that place has the word.
  void multiply(const Chunk* word, double times, double* sums) const {
    const std::int32_t group = slots_[at(find(word))];
    if (group < 0) return;
    for (Index k = starts_[at(group)]; k < starts_[at(group) + 1]; ++k)
      sums[shares_[at(k)].place] += times * shares_[at(k)].times;
  }

 private:
  struct Share {
    Index place;
    double times;
  };

  template <class F>
  static void for_entries(const WordCounts& x, const Indices& rows, const Tile& tile, const F& f) {
    for (Index j = 0; j < tile.b_count; ++j) {
      const Index row = rows[at(tile.b_first + j)];
      for (Index entry = x.first(row); entry < x.first(row + 1); ++entry) f(j, entry);
    }
  }

  void clear(Index entries) {
    std::size_t size = 16;
    while (size < 2 * at(entries)) size *= 2;
    slots_.assign(size, -1);
    words_.clear();
    starts_.assign(1, 0);
  }

  // The slot of a word, or the free one where it would be.
  Index find(const Chunk* word) const {
    const std::size_t mask = slots_.size() - 1;
    Chunk hash = 0;
    for (Index c = 0; c < chunks_; ++c) {
      hash = (hash ^ word[c]) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    }
    for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
      const std::int32_t group = slots_[slot];
      if (group < 0 || equal_words(words_[at(group)], word, chunks_))
        return static_cast<Index>(slot);
    }
  }

  std::int32_t insert(const Chunk* word) {
    std::int32_t& group = slots_[at(find(word))];
    if (group < 0) {
      group = static_cast<std::int32_t>(words_.size());
      words_.push_back(word);
      starts_.push_back(0);
    }
    return group;
  }

  Index chunks_;
  std::vector<std::int32_t> slots_;  // groups of equal words, -1 for none
  std::vector<const Chunk*> words_;  // of each group
  std::vector<Index> starts_, next_;
  std::vector<std::int32_t> owner_;  // the group of each entry
  std::vector<Share> shares_;
};

class WordRows final : public FeatureRows {
 public:
  WordRows(const WordCounts& x, SharedIndices rows) : x_(x), rows_(std::move(rows)) {}

  void sums(const FeatureRows& other, const Tile& tile, const PairSum&, const Simd&, TileOnItsWay*,
            double* out) const override {
    const auto& b = static_cast<const WordRows&>(other);
    const TileWords words(b.x_, *b.rows_, tile);
    double products[panel_rows];
    for (Index i = 0; i < tile.a_count; ++i) {
      std::fill_n(products, tile.b_count, 0.0);
      const Index row = (*rows_)[at(tile.a_first + i)];
      for (Index entry = x_.first(row); entry < x_.first(row + 1); ++entry)
        words.multiply(x_.word(entry), x_.times(entry), products);
      for (Index j = 0; j < tile.b_count; ++j) out[i + j * panel_rows] = products[j];
    }
  }

  Vector self_sums(const PairSum&) const override {
    Vector own = Vector::Zero(static_cast<Index>(rows_->size()));
    for (Index i = 0; i < own.size(); ++i) {
      const Index row = (*rows_)[at(i)];
      for (Index entry = x_.first(row); entry < x_.first(row + 1); ++entry)
        own[i] += x_.times(entry) * x_.times(entry);
    }
    return own;
  }

 private:
  const WordCounts& x_;  // outlives its rows
  SharedIndices rows_;
};

}  // namespace

WordShape::WordShape(Index letters, Letter bound)
    : letters_(letters), bound_(bound), per_chunk_(0) {
  const Chunk last_digit = bound_ - 1, most = ~Chunk{0};
  for (Chunk last = 0; per_chunk_ < letters && last <= (most - last_digit) / bound_; ++per_chunk_)
    last = last * bound_ + last_digit;
  chunks_ = (letters + per_chunk_ - 1) / per_chunk_;
}

void WordShape::pack(const Letter* word, std::vector<Chunk>& out) const {
  if (chunks_ == 1) {
    Chunk chunk = 0;
    for (Index k = 0; k < letters_; ++k) chunk = chunk * bound_ + word[k];
    return out.push_back(chunk);
  }
  for (Index c = 0; c < chunks_; ++c) {
    Chunk chunk = 0;
    for (Index k = c * per_chunk_; k < std::min(letters_, (c + 1) * per_chunk_); ++k)
      chunk = chunk * bound_ + word[k];
    out.push_back(chunk);
  }
}

void WordBag::sort_from(Index first) {
  const Index chunks = shape_->chunks();
  if (chunks == 1) return std::sort(words_.begin() + first, words_.end());
  Indices order(at(count() - first));
  std::iota(order.begin(), order.end(), first);
  const auto word = [&](Index k) { return words_.data() + k * chunks; };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::lexicographical_compare(word(a), word(a) + chunks, word(b), word(b) + chunks);
  });
  std::vector<Chunk> sorted;
  sorted.reserve(at(chunks) * order.size());
  for (Index k : order) sorted.insert(sorted.end(), word(k), word(k) + chunks);
  std::copy(sorted.begin(), sorted.end(), words_.begin() + first * chunks);
}

void WordBag::drop_repeated(Index first) {
  sort_from(first);
  const Index chunks = shape_->chunks();
  Index kept = first;
  for (Index k = first; k < count(); ++k) {
    Chunk* word = words_.data() + k * chunks;
    if (kept > first && equal_words(word, words_.data() + (kept - 1) * chunks, chunks)) continue;
    std::copy(word, word + chunks, words_.data() + kept * chunks);
    ++kept;
  }
  words_.resize(at(kept * chunks));
}

WordBag::Tally WordBag::tally() {
  sort_from(0);
  Tally tally;
  const Index chunks = shape_->chunks();
  for (Index k = 0; k < count(); ++k) {
    const Chunk* word = words_.data() + k * chunks;
    if (k > 0 && equal_words(word, word - chunks, chunks)) {
      tally.counts.back() += 1.0;
      continue;
    }
    tally.words.insert(tally.words.end(), word, word + chunks);
    tally.counts.push_back(1.0);
  }
  return tally;
}

WordCounts::WordCounts(const WordShape& shape, const std::vector<WordBag::Tally>& examples)
    : chunks_(shape.chunks()), starts_(1, 0) {
  for (const WordBag::Tally& example : examples)
    starts_.push_back(starts_.back() + static_cast<Index>(example.counts.size()));
  words_.reserve(at(starts_.back() * chunks_));
  counts_.reserve(at(starts_.back()));
  for (const WordBag::Tally& example : examples) {
    words_.insert(words_.end(), example.words.begin(), example.words.end());
    counts_.insert(counts_.end(), example.counts.begin(), example.counts.end());
  }
}

std::unique_ptr<const FeatureRows> WordCounts::pack(const SharedIndices& rows,
                                                    const Origin&) const {
  return std::make_unique<WordRows>(*this, rows);
}

Matrix WordCounts::values(const Indices& rows, const Indices&) const {
  return Matrix(static_cast<Index>(rows.size()), 0);  // there are no columns
}

}  // namespace mk
