#include "word_table.hpp"

#include <algorithm>
#include <cstring>

#include "dense.hpp"

namespace mk {

namespace {

using Entry = WordTable::Entry;
using Example = WordTable::Example;

// Counts of a word in some examples side by side: a block of examples is a line of the cache.
using Lanes = std::uint16_t __attribute__((vector_size(16)));
constexpr Index lane_count = 8, block_lanes = 4, block_rows = lane_count * block_lanes;
constexpr double most_short = 65535.0;
// From half of the words on the products of whole rows are faster.
constexpr double sparse_share = 0.5;

Index blocks_of(Index rows) { return (rows + block_rows - 1) / block_rows; }

// The sums of a block, each in a register.
struct BlockSums {
  Lanes a{}, b{}, c{}, d{};

  void add(const Lanes* counts) {
    a += counts[0];
    b += counts[1];
    c += counts[2];
    d += counts[3];
  }
  void add(const Lanes* counts, std::uint16_t times) {
    a += counts[0] * times;
    b += counts[1] * times;
    c += counts[2] * times;
    d += counts[3] * times;
  }
  void write(std::uint16_t* to) const {
    const Lanes all[] = {a, b, c, d};
    std::memcpy(to, all, sizeof all);
  }
};

// The sums over the words of an example for two blocks that follow each other, `stride` apart.
void add_words(const WordTable::Words& example, const Lanes* table, Index stride, BlockSums& one,
               BlockSums& two) {
  BlockSums x, y;
  const auto* entry = example.entries.data();
  const auto* const once = entry + example.once;
  const auto* const last = entry + example.entries.size();
  for (; entry != once; ++entry) {
    const Lanes* counts = table + static_cast<Index>(entry->word) * block_lanes;
    x.add(counts);
    y.add(counts + stride);
  }
  for (; entry != last; ++entry) {
    const Lanes* counts = table + static_cast<Index>(entry->word) * block_lanes;
    const auto times = static_cast<std::uint16_t>(entry->times);
    x.add(counts, times);
    y.add(counts + stride, times);
  }
  one = x;
  two = y;
}

class TableRows final : public FeatureRows {
 public:
  TableRows(const WordTable& x, SharedIndices rows) : x_(x), rows_(std::move(rows)) {}

  void sums(const FeatureRows& other, const Tile& tile, const PairSum& sum, const Simd& simd,
            TileOnItsWay* on_its_way, double* out) const override {
    const auto& b = static_cast<const TableRows&>(other);
    if (suits_short_sums(b, tile)) short_sums(b, tile, out);
    else dense().sums(b.dense(), tile, sum, simd, on_its_way, out);
  }

  Vector self_sums(const PairSum&) const override {
    Vector own = Vector::Zero(static_cast<Index>(rows_->size()));
    for (Index i = 0; i < own.size(); ++i)
      for (const Entry& entry : example(i).entries)
        own[i] += static_cast<double>(entry.times) * static_cast<double>(entry.times);
    return own;
  }

 private:
  const WordTable::Words& example(Index i) const { return x_.example((*rows_)[at(i)]); }

  // A product is at most the total of one example times the largest count of the other.
  bool suits_short_sums(const TableRows& b, const Tile& tile) const {
    double total = 0.0, most = 0.0, entries = 0.0;
    for (Index i = 0; i < tile.a_count; ++i)
      total = std::max(total, example(tile.a_first + i).total);
    for (Index j = 0; j < tile.b_count; ++j) {
      const WordTable::Words& words = b.example(tile.b_first + j);
      most = std::max(most, words.most);
      entries += static_cast<double>(words.entries.size());
    }
    return total * most <= most_short &&
           entries <= sparse_share * static_cast<double>(tile.b_count * x_.columns());
  }

  void short_sums(const TableRows& b, const Tile& tile, double* out) const {
    std::call_once(laid_out_, [this] { lay_out(); });
    const Index stride = x_.columns() * block_lanes;
    const Index first = tile.a_first / block_rows, skip = tile.a_first % block_rows;
    const Index count = blocks_of(skip + tile.a_count);
    std::uint16_t plain[panel_rows + 2 * block_rows];
    BlockSums one, two;
    for (Index j = 0; j < tile.b_count; ++j) {
      const WordTable::Words& words = b.example(tile.b_first + j);
      for (Index k = 0; k < count; k += 2) {
        add_words(words, table_.data() + (first + k) * stride, stride, one, two);
        one.write(plain + k * block_rows);
        two.write(plain + (k + 1) * block_rows);
      }
      double* to = out + j * panel_rows;
      for (Index i = 0; i < tile.a_count; ++i) to[i] = static_cast<double>(plain[skip + i]);
    }
  }

  // Block by block, word by word, and a block at the end so that all come in pairs. Counts beyond
  // the range of short integers are of examples whose total is as well: they are not read.
  void lay_out() const {
    const Index n = static_cast<Index>(rows_->size()), words = x_.columns();
    table_.assign(at((blocks_of(n) + 1) * words * block_lanes), Lanes{});
    for (Index i = 0; i < n; ++i) {
      const Index block = i / block_rows, lane = i % block_rows;
      Lanes* to = table_.data() + block * words * block_lanes + lane / lane_count;
      for (const Entry& entry : example(i).entries)
        to[static_cast<Index>(entry.word) * block_lanes][lane % lane_count] =
            static_cast<std::uint16_t>(entry.times);
    }
  }

  const FeatureRows& dense() const {
    std::call_once(packed_, [this] { dense_ = x_.dense().pack(rows_, nullptr); });
    return *dense_;
  }

  const WordTable& x_;  // outlives its rows
  SharedIndices rows_;
  mutable std::once_flag laid_out_, packed_;
  mutable std::vector<Lanes> table_;
  mutable std::unique_ptr<const FeatureRows> dense_;
};

// The order is of no use to an example with most of the words.
WordTable::Words summarize(WordTable::Example entries, Index all_words) {
  WordTable::Words words{std::move(entries), 0, 0.0, 0.0};
  Example& own = words.entries;
  if (static_cast<double>(own.size()) <= sparse_share * static_cast<double>(all_words))
    words.once = static_cast<std::size_t>(
        std::partition(own.begin(), own.end(), [](const Entry& e) { return e.times == 1; }) -
        own.begin());
  std::uint64_t total = 0;
  std::uint32_t most = 0;
  for (const Entry& entry : own) {
    total += entry.times;
    most = std::max(most, entry.times);
  }
  words.total = static_cast<double>(total);
  words.most = static_cast<double>(most);
  return words;
}

}  // namespace

WordTable::WordTable(Index words, std::vector<Example> examples) : words_(words) {
  examples_.reserve(examples.size());
  for (Example& entries : examples) examples_.push_back(summarize(std::move(entries), words));
}

const Features& WordTable::dense() const {
  std::call_once(made_, [this] {
    Matrix counts = Matrix::Zero(rows(), words_);
    for (Index i = 0; i < rows(); ++i)
      for (const Entry& entry : example(i).entries)
        counts(i, static_cast<Index>(entry.word)) = static_cast<double>(entry.times);
    dense_ = own_dense(std::move(counts));
  });
  return *dense_;
}

std::unique_ptr<const FeatureRows> WordTable::pack(const SharedIndices& rows, const Origin&) const {
  return std::make_unique<TableRows>(*this, rows);
}

Matrix WordTable::values(const Indices& rows, const Indices& columns) const {
  return dense().values(rows, columns);
}

}  // namespace mk
