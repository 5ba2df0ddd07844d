// Matches of two sequences of l letters at the same positions, longer ones counting more (Rätsch &
// Sonnenburg 2004), or shifted by up to S letters (Rätsch, Sonnenburg & Schölkopf 2005):
//   k(x, z) = m(x, z, 0) + sum_{s=1}^S (m(x, z, s) + m(z, x, s)) / (2 (s + 1)),
//   m(x, z, s) = sum_{k=1}^d b_k #{i: the k letters of x from i + s on are those of z from i on},
//   b_k = 2 (d - k + 1) / (d (d + 1)).
// A stretch of r letters that match holds r - k + 1 matches of k letters, so that m takes one pass.
#include <algorithm>

#include "../base/errors.hpp"
#include "../features/letters.hpp"
#include "registry.hpp"

namespace mk {

namespace {

struct MatchRule {
  Index degree, shift;
  std::vector<double> worth;  // of a stretch of r matching letters

  MatchRule(Index d, Index s, Index length) : degree(d), shift(s), worth(at(length + 1), 0.0) {
    const auto number = [](Index value) { return static_cast<double>(value); };
    for (Index r = 1; r <= length; ++r)
      for (Index k = 1; k <= std::min(r, d); ++k)
        worth[at(r)] += 2.0 * number(d - k + 1) / (number(d) * number(d + 1)) * number(r - k + 1);
  }
};

// Sequences of one length; their sums are the values of the kernel.
class AlignedLetters final : public Features {
 public:
  AlignedLetters(Letters letters, Index rows, Index length, MatchRule rule)
      : letters_(std::move(letters)), rows_(rows), length_(length), rule_(std::move(rule)) {}

  const char* type() const override { return "aligned letters"; }
  Index rows() const override { return rows_; }
  Index columns() const override { return 0; }
  // The kernel that makes these features asks for the one sum that they have.
  void check(const PairSum&, const std::string&, const std::string&) const override {}
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows,
                                          const Origin& origin) const override;
  Matrix values(const Indices& rows, const Indices&) const override {
    return Matrix(static_cast<Index>(rows.size()), 0);  // there are no columns
  }

  double similarity(const AlignedLetters& b, Index i, Index j) const {
    const Letter *x = sequence(i), *z = b.sequence(j);
    double total = matches(x, z, length_);
    for (Index s = 1; s <= std::min(rule_.shift, length_ - 1); ++s)
      total += (matches(x + s, z, length_ - s) + matches(x, z + s, length_ - s)) /
               (2.0 * static_cast<double>(s + 1));
    return total;
  }

 private:
  const Letter* sequence(Index i) const { return letters_.data() + i * length_; }

  double matches(const Letter* x, const Letter* z, Index n) const {
    double total = 0.0;
    Index stretch = 0;
    for (Index i = 0; i < n; ++i) {
      if (x[i] == z[i] && x[i] != Alphabet::outside) {
        ++stretch;
        continue;
      }
      total += rule_.worth[at(stretch)];
      stretch = 0;
    }
    return total + rule_.worth[at(stretch)];
  }

  Letters letters_;  // sequence after sequence
  Index rows_, length_;
  MatchRule rule_;
};

class AlignedRows final : public FeatureRows {
 public:
  AlignedRows(const AlignedLetters& x, SharedIndices rows) : x_(x), rows_(std::move(rows)) {}

  void sums(const FeatureRows& other, const Tile& tile, const PairSum&, const Simd&, TileOnItsWay*,
            double* out) const override {
    const auto& b = static_cast<const AlignedRows&>(other);
    for (Index j = 0; j < tile.b_count; ++j)
      for (Index i = 0; i < tile.a_count; ++i)
        out[i + j * panel_rows] =
            x_.similarity(b.x_, (*rows_)[at(tile.a_first + i)], (*b.rows_)[at(tile.b_first + j)]);
  }

  Vector self_sums(const PairSum&) const override {
    Vector own(static_cast<Index>(rows_->size()));
    for (Index i = 0; i < own.size(); ++i) {
      const Index row = (*rows_)[at(i)];
      own[i] = x_.similarity(x_, row, row);
    }
    return own;
  }

 private:
  const AlignedLetters& x_;  // outlives its rows
  SharedIndices rows_;
};

std::unique_ptr<const FeatureRows> AlignedLetters::pack(const SharedIndices& rows,
                                                        const Origin&) const {
  return std::make_unique<AlignedRows>(*this, rows);
}

class WeightedDegreeMap final : public FeatureMap {
 public:
  WeightedDegreeMap(Index degree, Index shift, Index length, Alphabet alphabet)
      : degree_(degree), shift_(shift), length_(length), alphabet_(std::move(alphabet)) {}

  std::string key() const override {
    return "weighted_degree " + std::to_string(degree_) + " " + std::to_string(shift_) + ", " +
           alphabet_.key();
  }
  Index columns(Index) const override { return 0; }
  bool may_vanish() const override { return true; }  // no letter is in the alphabet

  SharedFeatures apply(const MapInput& input, const Runtime& runtime) const override {
    const auto& x = raw_features<Strings>(input.x, input.kernel, input.argument, "text");
    Letters letters(at(x.rows() * length_), Alphabet::outside);
    for (Index i = 0; i < x.rows(); ++i) {
      runtime.check_interrupt();
      if (!input.has(i)) continue;
      const Letters own = alphabet_.read(x, i, input.argument);
      check_length(static_cast<Index>(own.size()), i, input);
      std::copy(own.begin(), own.end(), letters.begin() + i * length_);
    }
    return std::make_shared<AlignedLetters>(std::move(letters), x.rows(), length_,
                                            MatchRule(degree_, shift_, length_));
  }

 private:
  void check_length(Index found, Index row, const MapInput& input) const {
    if (found == length_) return;
    throw InvalidArgument(input.argument,
                          "text of " + std::to_string(length_) + " letters for kernel `" +
                              input.kernel + "`, as the first training case",
                          std::to_string(found) + " letters in case " + std::to_string(row + 1));
  }
  Index degree_, shift_, length_;
  Alphabet alphabet_;
};

}  // namespace

Factor make_weighted_degree(const State& parameters) {
  const Index degree = whole_parameter(parameters, "d", 100.0);
  const Index shift = parameters.count("shift", 0);
  const Index length = parameters.count("length", 1);
  return {{PairKind::dot},
          make_identity_map(),
          std::make_shared<WeightedDegreeMap>(degree, shift, length, read_alphabet(parameters))};
}

}  // namespace mk
