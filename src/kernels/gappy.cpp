// k(x, z) = sum over k-mers w of c_w(x) c_w(z), where c_w(x) counts the windows of g letters of x
// that have w as a subsequence (Leslie & Kuang 2004)
#include "../base/errors.hpp"
#include "registry.hpp"
#include "word_map.hpp"

namespace mk {

namespace {

// How many ways there are to pick k of g letters.
double subsequences(Index g, Index k) {
  double ways = 1.0;
  for (Index i = 0; i < k; ++i) ways *= static_cast<double>(g - i) / static_cast<double>(i + 1);
  return ways;
}

class GappyMap final : public WordMap {
 public:
  GappyMap(Index k, Index g, Alphabet alphabet)
      : WordMap("gappy " + std::to_string(k) + " " + std::to_string(g), std::move(alphabet), g, k) {
  }

 protected:
  // A window has a word once, in however many ways it can be picked.
  void add_words(const Letter* from, WordBag& bag) const override {
    const Index before = bag.count();
    Letters word(at(letters()));
    pick(from, 0, 0, word, bag);
    bag.drop_repeated(before);
  }

 private:
  // Fills the word from its letter `place` on with letters of the window from position `first` on.
  void pick(const Letter* from, Index first, Index place, Letters& word, WordBag& bag) const {
    if (place == letters()) return bag.add(word.data());
    for (Index p = first; p <= window() - letters() + place; ++p) {
      word[at(place)] = from[p];
      pick(from, p + 1, place + 1, word, bag);
    }
  }
};

}  // namespace

Factor make_gappy(const State& parameters) {
  const Index k = whole_parameter(parameters, "k", longest_window);
  const Index g = parameters.count("g", k, static_cast<Index>(longest_window));
  const double count = subsequences(g, k);
  if (count > most_words)
    throw InvalidArgument(
        "g",
        "so small that there are at most " + format_number(most_words) +
            " ways to pick `k` of `g` letters",
        format_number(static_cast<double>(g)) + ", which gives " + format_number(count));
  return word_factor(std::make_shared<GappyMap>(k, g, read_alphabet(parameters)));
}

}  // namespace mk
