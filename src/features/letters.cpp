#include "letters.hpp"

#include <algorithm>

#include "../base/errors.hpp"

namespace mk {

namespace {

constexpr Letter last_letter = 0x10ffff;

// Where a code point begins and how long it is in UTF-8; 0 where none begins with this byte.
int length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

// The code points of a text; false if it is no UTF-8.
bool decode(const std::string& text, Letters& out) {
  constexpr Letter lowest[] = {0, 0, 0x80, 0x800, 0x10000};  // of this length
  constexpr unsigned first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  out.clear();
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const auto length = static_cast<std::size_t>(length_of(first));
    if (length == 0 || i + length > text.size()) return false;
    Letter letter = first & first_bits[length];
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xc0) != 0x80) return false;
      letter = letter << 6 | (next & 0x3f);
    }
    const bool surrogate = letter >= 0xd800 && letter < 0xe000;
    if (letter < lowest[length] || letter > last_letter || surrogate) return false;
    out.push_back(letter);
    i += length;
  }
  return true;
}

void append(Letter letter, std::string& text) {
  const auto put = [&](Letter byte) { text.push_back(static_cast<char>(byte)); };
  if (letter < 0x80) return put(letter);
  if (letter < 0x800) {
    put(0xc0 | letter >> 6);
  } else {
    if (letter < 0x10000) {
      put(0xe0 | letter >> 12);
    } else {
      put(0xf0 | letter >> 18);
      put(0x80 | (letter >> 12 & 0x3f));
    }
    put(0x80 | (letter >> 6 & 0x3f));
  }
  put(0x80 | (letter & 0x3f));
}

// Upper case of Latin, Greek and Cyrillic to lower case. The functions of the C library would
// depend on the locale.
Letter lower_case(Letter letter) {
  struct Range {
    Letter first, last, step, shift;
  };
  static constexpr Range ranges[] = {
      {'A', 'Z', 1, 32},     {0xc0, 0xd6, 1, 32},   {0xd8, 0xde, 1, 32},   {0x100, 0x12e, 2, 1},
      {0x132, 0x136, 2, 1},  {0x139, 0x147, 2, 1},  {0x14a, 0x176, 2, 1},  {0x179, 0x17d, 2, 1},
      {0x386, 0x386, 1, 38}, {0x388, 0x38a, 1, 37}, {0x38c, 0x38c, 1, 64}, {0x38e, 0x38f, 1, 63},
      {0x391, 0x3a1, 1, 32}, {0x3a3, 0x3ab, 1, 32}, {0x400, 0x40f, 1, 80}, {0x410, 0x42f, 1, 32},
      {0x460, 0x480, 2, 1},  {0x48a, 0x4be, 2, 1},
  };
  for (const Range& range : ranges)
    if (letter >= range.first && letter <= range.last)
      return (letter - range.first) % range.step == 0 ? letter + range.shift : letter;
  return letter == 0x178 ? 0xff : letter;
}

void decode_example(const Strings& x, Index row, bool ignore_case, const std::string& argument,
                    Letters& out) {
  if (!decode(x.value(row), out))
    throw InvalidArgument(argument, "text in UTF-8",
                          "other bytes in example " + std::to_string(row + 1));
  if (ignore_case) std::transform(out.begin(), out.end(), out.begin(), lower_case);
}

void sort_unique(Letters& letters) {
  std::sort(letters.begin(), letters.end());
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
}

}  // namespace

Alphabet::Alphabet(const std::string& letters, bool ignore_case) : ignore_case_(ignore_case) {
  if (!decode(letters, letters_)) throw InvalidArgument("alphabet", "text in UTF-8", "other bytes");
  if (ignore_case) std::transform(letters_.begin(), letters_.end(), letters_.begin(), lower_case);
  sort_unique(letters_);
  for (Letter letter = 0; letter < ascii_.size(); ++letter)
    ascii_[letter] = number_of(ignore_case ? lower_case(letter) : letter);
}

Letter Alphabet::number_of(Letter letter) const {
  if (letters_.empty()) return letter;
  const auto found = std::lower_bound(letters_.begin(), letters_.end(), letter);
  const bool inside = found != letters_.end() && *found == letter;
  return inside ? static_cast<Letter>(found - letters_.begin()) : outside;
}

Letter Alphabet::bound() const {
  return letters_.empty() ? last_letter + 1 : static_cast<Letter>(letters_.size());
}

Letters Alphabet::read(const Strings& x, Index row, const std::string& argument) const {
  const std::string& text = x.value(row);
  const auto byte = [](char c) { return static_cast<unsigned char>(c); };
  if (std::all_of(text.begin(), text.end(), [&](char c) { return byte(c) < 0x80; })) {
    Letters out(text.size());
    std::transform(text.begin(), text.end(), out.begin(), [&](char c) { return ascii_[byte(c)]; });
    return out;
  }
  Letters out;
  decode_example(x, row, ignore_case_, argument, out);
  for (Letter& letter : out) letter = number_of(letter);
  return out;
}

std::string Alphabet::key() const {
  std::string key = ignore_case_ ? "any case " : "case ";
  for (Letter letter : letters_) append(letter, key);
  return key;
}

Alphabet read_alphabet(const State& parameters) {
  return Alphabet(parameters.has("alphabet") ? parameters.text("alphabet") : "",
                  parameters.has("ignore_case") && parameters.flag("ignore_case"));
}

std::string letters_in(const Strings& x, bool ignore_case, const std::string& argument) {
  Letters all, letters;
  for (Index i = 0; i < x.rows(); ++i) {
    decode_example(x, i, ignore_case, argument, letters);
    all.insert(all.end(), letters.begin(), letters.end());
    sort_unique(all);
  }
  std::string out;
  for (Letter letter : all) append(letter, out);
  return out;
}

}  // namespace mk
