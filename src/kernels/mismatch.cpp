// k(x, z) = sum over k-mers w of the alphabet c_w(x) c_w(z), where c_w(x) counts the k-mers of x
// that differ from w in at most m letters (Leslie, Eskin, Cohen, Weston & Noble 2004)
#include "../base/errors.hpp"
#include "registry.hpp"
#include "word_map.hpp"

namespace mk {

namespace {

// How many k-mers of an alphabet differ from one in at most m letters.
double neighbors(Index k, Index m, Index letters) {
  double total = 0.0, ways = 1.0;  // to change i letters
  for (Index i = 0; i <= m; ++i) {
    total += ways;
    ways *= static_cast<double>((k - i) * (letters - 1)) / static_cast<double>(i + 1);
  }
  return total;
}

class MismatchMap final : public WordMap {
 public:
  MismatchMap(Index k, Index m, Alphabet alphabet)
      : WordMap("mismatch " + std::to_string(k) + " " + std::to_string(m), std::move(alphabet), k,
                k),
        m_(m) {}

 protected:
  void add_words(const Letter* window, WordBag& bag) const override {
    Letters word(window, window + letters());
    change(word, 0, m_, bag);
  }

 private:
  // The word and those that differ from it in up to `left` letters from position `from` on.
  void change(Letters& word, Index from, Index left, WordBag& bag) const {
    bag.add(word.data());
    if (left == 0) return;
    for (Index p = from; p < letters(); ++p) {
      const Letter own = word[at(p)];
      for (Letter other = 0; other < static_cast<Letter>(alphabet().size()); ++other) {
        if (other == own) continue;
        word[at(p)] = other;
        change(word, p + 1, left - 1, bag);
      }
      word[at(p)] = own;
    }
  }
  Index m_;
};

}  // namespace

Factor make_mismatch(const State& parameters) {
  const Index k = whole_parameter(parameters, "k", longest_window);
  const Index m = parameters.count("m", 0, k);
  Alphabet alphabet = read_alphabet(parameters);
  if (alphabet.size() == 0) throw InvalidArgument("alphabet", "a text of letters", "empty");
  const double count = neighbors(k, m, alphabet.size());
  if (count > most_words)
    throw InvalidArgument(
        "m",
        "so small that at most " + format_number(most_words) +
            " k-mers are within `m` substitutions of one",
        format_number(static_cast<double>(m)) + ", which gives " + format_number(count));
  return word_factor(std::make_shared<MismatchMap>(k, m, std::move(alphabet)));
}

}  // namespace mk
