// k(x, z) = sum over k-mers w of count_w(x) count_w(z) (Leslie, Eskin & Noble 2002)
#include "registry.hpp"
#include "word_map.hpp"

namespace mk {

namespace {
class SpectrumMap final : public WordMap {
 public:
  SpectrumMap(Index k, Alphabet alphabet)
      : WordMap("spectrum " + std::to_string(k), std::move(alphabet), k, k) {}

 protected:
  void add_words(const Letter* window, WordBag& bag) const override { bag.add(window); }
};
}  // namespace

Factor make_spectrum(const State& parameters) {
  const Index k = whole_parameter(parameters, "k", longest_window);
  return word_factor(std::make_shared<SpectrumMap>(k, read_alphabet(parameters)));
}

}  // namespace mk
