#include "word_map.hpp"

#include <array>
#include <cmath>

#include "../features/word_table.hpp"
#include "registry.hpp"

namespace mk {

namespace {

// Columns are faster than lists of words, but each example stores all of them.
constexpr std::size_t most_columns = 256;

Index table_size(const Alphabet& alphabet, Index letters) {
  const double words = std::pow(static_cast<double>(alphabet.size()), static_cast<double>(letters));
  return words <= static_cast<double>(most_columns) ? static_cast<Index>(words) : 0;
}

// Each word once, and how often it is there.
WordTable::Example tabulate(const std::vector<std::uint64_t>& words) {
  std::array<std::uint32_t, most_columns> counts{};
  std::array<WordTable::Entry, most_columns + 1> found;  // and a place for what is known already
  std::size_t size = 0;
  for (const std::uint64_t word : words) {  // without a branch that could not be foreseen
    found[size].word = static_cast<std::uint32_t>(word);
    size += counts[word]++ == 0;
  }
  for (std::size_t k = 0; k < size; ++k) found[k].times = counts[found[k].word];
  return WordTable::Example(found.begin(), found.begin() + static_cast<Index>(size));
}

}  // namespace

WordMap::WordMap(std::string name, Alphabet alphabet, Index window, Index letters)
    : name_(std::move(name)),
      alphabet_(std::move(alphabet)),
      window_(window),
      shape_(letters, alphabet_.bound()),
      table_(table_size(alphabet_, letters)) {}

WordBag WordMap::words_of(const Strings& x, Index row, const MapInput& input,
                          const Runtime& runtime) const {
  const Letters letters = alphabet_.read(x, row, input.argument);
  WordBag bag(shape_);
  bag.reserve(static_cast<Index>(letters.size()));
  Index inside = 0;  // letters in a row that are in the alphabet
  for (Index i = 0; i < static_cast<Index>(letters.size()); ++i) {
    if (i % 64 == 0) runtime.check_interrupt();
    inside = letters[at(i)] == Alphabet::outside ? 0 : inside + 1;
    if (inside >= window_) add_words(letters.data() + i + 1 - window_, bag);
  }
  return bag;
}

SharedFeatures WordMap::apply(const MapInput& input, const Runtime& runtime) const {
  const auto& x = raw_features<Strings>(input.x, input.kernel, input.argument, "text");
  if (table_ > 0) {
    std::vector<WordTable::Example> examples(at(x.rows()));
    runtime.parallel_for(x.rows(), [&](Index i) {
      examples[at(i)] = tabulate(words_of(x, i, input, runtime).words());
    });
    return std::make_shared<WordTable>(table_, std::move(examples));
  }
  std::vector<WordBag::Tally> examples(at(x.rows()));
  runtime.parallel_for(x.rows(),
                       [&](Index i) { examples[at(i)] = words_of(x, i, input, runtime).tally(); });
  return std::make_shared<WordCounts>(shape_, examples);
}

Factor word_factor(std::shared_ptr<const WordMap> map) {
  return {{PairKind::dot}, make_identity_map(), std::move(map)};
}

}  // namespace mk
