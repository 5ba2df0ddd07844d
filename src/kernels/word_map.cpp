#include "word_map.hpp"

#include <cmath>

#include "../features/dense.hpp"
#include "registry.hpp"

namespace mk {

namespace {

// Columns are faster than lists of words, but each example stores all of them.
constexpr double most_columns = 256.0;

Index table_size(const Alphabet& alphabet, Index letters) {
  const double words = std::pow(static_cast<double>(alphabet.size()), static_cast<double>(letters));
  return words <= most_columns ? static_cast<Index>(words) : 0;
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
    Matrix counts = Matrix::Zero(x.rows(), table_);
    runtime.parallel_for(x.rows(), [&](Index i) {
      const WordBag bag = words_of(x, i, input, runtime);
      for (const std::uint64_t word : bag.words()) counts(i, static_cast<Index>(word)) += 1.0;
    });
    return own_dense(std::move(counts));
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
