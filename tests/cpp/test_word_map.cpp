// Kernels of sequences against their definitions: letters, words of any length, normalization of
// sequences without words, new sequences, threads, interrupts, bad input.
#include <map>

#include "check.hpp"
#include "features/letters.hpp"
#include "fixtures.hpp"

using namespace mk;
using namespace fixtures;

namespace {

Examples texts(const Texts& values) { return {{std::make_shared<Strings>(values)}}; }

Texts random_texts(Index count, Index length, std::uint64_t seed, const std::string& letters) {
  Random random(seed, 3);
  Texts out(at(count));
  for (std::string& text : out)
    for (Index i = 0; i < length; ++i)
      text +=
          letters[static_cast<std::size_t>(random.uniform() * static_cast<double>(letters.size()))];
  return out;
}

State with_alphabet(State it, const std::string& alphabet, bool ignore_case = false) {
  State parameters = it.child("parameters");
  if (!alphabet.empty()) parameters.set("alphabet", alphabet);
  parameters.set("ignore_case", ignore_case ? 1.0 : 0.0);
  State out;
  for (const auto& entry : it.entries())
    if (entry.first != "parameters") out.set(entry.first, entry.second);
  out.set("parameters", Value(std::vector<State>{parameters}));
  return out;
}

using Counts = std::map<std::string, double>;

Counts spectrum(const std::string& text, std::size_t k) {
  Counts counts;
  for (std::size_t i = 0; i + k <= text.size(); ++i) counts[text.substr(i, k)] += 1.0;
  return counts;
}

double dot(const Counts& a, const Counts& b) {
  double sum = 0.0;
  for (const auto& word : a) {
    const auto found = b.find(word.first);
    if (found != b.end()) sum += word.second * found->second;
  }
  return sum;
}

template <class F>
Matrix naive(const Texts& a, const Texts& b, const F& counts) {
  Matrix k(static_cast<Index>(a.size()), static_cast<Index>(b.size()));
  for (Index j = 0; j < k.cols(); ++j)
    for (Index i = 0; i < k.rows(); ++i) k(i, j) = dot(counts(a[at(i)]), counts(b[at(j)]));
  return k;
}

struct Computed {
  Matrix train, cross;
};

// As kernel_matrix() does: features are made for both sides apart.
Computed compute(const State& it, const Texts& x, const Texts& z, const Runtime& runtime) {
  const auto set = std::make_shared<KernelSet>(std::vector<State>{it}, Index{1});
  Examples train = texts(x), fresh = texts(z);
  set->complete(train, "x", runtime);
  set->complete(fresh, "z", runtime);
  set->check_domain(train, "x");
  const KernelBank bank(set, train, runtime);
  const auto group = whole_group(fresh, false, bank.fitted()->training->origins());
  const CrossBank cross(bank.fitted(), group, bank.fitted()->training, runtime);
  const Index n = static_cast<Index>(x.size());
  Computed out{Matrix(n, n), Matrix(static_cast<Index>(z.size()), n)};
  bank.fill({0}, {out.train.data()}, runtime, Reader::later);
  cross.fill({0}, {out.cross.data()});
  return out;
}

}  // namespace

TEST(spectrum_counts_words_of_any_length) {
  Texts x = random_texts(40, 70, 1, "ACGT"), z = random_texts(150, 80, 2, "ACGTN");
  x.push_back("");
  x.push_back("AC");
  for (const std::string& alphabet : Texts{"", "ACGTN", "NTGCA"})
    for (const std::size_t k : {1, 3, 8, 21, 22, 32, 33, 65}) {
      const State it = with_alphabet(item("spectrum", {{"k", static_cast<double>(k)}}), alphabet);
      const auto counts = [&](const std::string& text) { return spectrum(text, k); };
      const Computed one = compute(it, x, z, TestRuntime(1)),
                     many = compute(it, x, z, TestRuntime(3));
      CHECK(identical(one.train, naive(x, x, counts)));
      CHECK(identical(one.cross, naive(z, x, counts)));
      CHECK(identical(one.train, many.train));
      CHECK(identical(one.cross, many.cross));
    }
}

// Sums of short integers where these suffice, products of dense rows elsewhere: for counts at the
// end of the range of short integers, for sequences with most of the words, for tiles that begin
// anywhere, and from one example to the next.
TEST(tables_of_words_are_exact_for_short_and_long_sequences) {
  Texts x = random_texts(140, 30, 11, "ACGT");
  x[3] = std::string(65537, 'A');   // 65,535 times AAA
  x[40] = std::string(65538, 'C');  // beyond
  x[41] = std::string(300, 'G');    // 298 squared is beyond, too
  x[77] = random_texts(1, 1000, 12, "ACGT")[0];
  x[78] = "";
  const Texts z(x.begin() + 35, x.begin() + 85);
  const State it = with_alphabet(item("spectrum", {{"k", 3.0}}), "ACGT");
  std::map<std::string, Counts> known;
  for (const std::string& text : x) known.emplace(text, spectrum(text, 3));
  const Matrix expected =
      naive(x, x, [&](const std::string& text) -> const Counts& { return known.at(text); });
  for (int threads : {1, 3}) {
    const TestRuntime runtime(threads);
    const Computed found = compute(it, x, z, runtime);
    CHECK(identical(found.train, expected));
    CHECK(identical(found.cross, Matrix(expected.middleRows(35, 50))));
    // Rows one by one, of a part of the examples.
    const auto set = std::make_shared<KernelSet>(std::vector<State>{it}, Index{1});
    Examples train = texts(x);
    set->complete(train, "x", runtime);
    const KernelBank bank(set, train, runtime);
    const auto rows = bank.row_evaluator(Vector::Ones(1), runtime);
    CHECK(identical(rows->diagonal(), Vector(expected.diagonal())));
    const Indices part = {139, 3, 77, 40, 41, 0, 12, 78, 5, 6};
    rows->activate(part);
    Vector row(10);
    for (const Index i : {3, 41, 77, 120}) {
      rows->row(i, row.data());
      for (std::size_t k = 0; k < part.size(); ++k)
        CHECK(row[static_cast<Index>(k)] == expected(part[k], i));
    }
  }
}

TEST(letters_outside_the_alphabet_cut_sequences) {
  const auto counts = [](const std::string& text) {
    Counts out;
    for (const auto& word : spectrum(text, 2))
      if (word.first.find_first_not_of("ACGT") == std::string::npos) out.insert(word);
    return out;
  };
  const Texts x = random_texts(12, 30, 4, "ACGTNx");
  const State it = with_alphabet(item("spectrum", {{"k", 2.0}}), "ACGT");
  CHECK(identical(compute(it, x, x, TestRuntime()).cross, naive(x, x, counts)));
}

TEST(sequences_without_words_stay_at_zero) {
  const Texts x = {"ACGTACGT", "", "AC", "ACGGG"}, z = {"A", "ACGWWWW"};
  const State it = item("spectrum", {{"k", 3.0}}, {"cosine", "center", "trace"});
  CHECK(compute(it, x, z, TestRuntime()).cross.allFinite());
  const Matrix k = compute(item("spectrum", {{"k", 3.0}}, {"cosine"}), x, z, TestRuntime()).train;
  CHECK(k.col(1).isZero(0.0) && k.row(2).isZero(0.0));
  CHECK_CLOSE(k(0, 0), 1.0, 1e-15);
  CHECK_CLOSE(k(0, 3), 2.0 / std::sqrt(10.0 * 3.0), 1e-15);
}

TEST(mismatches_are_those_of_all_words_of_the_alphabet) {
  const std::string letters = "ABC";
  const Texts x = random_texts(9, 14, 5, "ABCx");
  for (const std::size_t k : {1, 2, 4})
    for (std::size_t m = 0; m <= k; ++m) {
      std::vector<std::string> words = {""};
      for (std::size_t i = 0; i < k; ++i) {
        std::vector<std::string> longer;
        for (const std::string& word : words)
          for (char letter : letters) longer.push_back(word + letter);
        words = longer;
      }
      const auto counts = [&](const std::string& text) {
        Counts out;
        for (const auto& found : spectrum(text, k)) {
          if (found.first.find('x') != std::string::npos) continue;
          for (const std::string& word : words) {
            std::size_t differ = 0;
            for (std::size_t i = 0; i < k; ++i) differ += word[i] != found.first[i];
            if (differ <= m) out[word] += found.second;
          }
        }
        return out;
      };
      const State it = with_alphabet(
          item("mismatch", {{"k", static_cast<double>(k)}, {"m", static_cast<double>(m)}}),
          letters);
      CHECK(identical(compute(it, x, x, TestRuntime(2)).train, naive(x, x, counts)));
    }
}

TEST(gaps_are_those_of_subsequences) {
  const Texts x = random_texts(9, 14, 6, "ABC");
  for (const std::size_t k : {1, 2, 4})
    for (std::size_t g = k; g <= 6; ++g) {
      const auto counts = [&](const std::string& text) {
        Counts out;
        for (std::size_t i = 0; i + g <= text.size(); ++i) {
          Counts once;
          for (unsigned picked = 0; picked < 1u << g; ++picked) {
            std::string word;
            for (std::size_t p = 0; p < g; ++p)
              if (picked >> p & 1u) word += text[i + p];
            if (word.size() == k) once[word] = 1.0;
          }
          for (const auto& word : once) out[word.first] += 1.0;
        }
        return out;
      };
      const State it =
          item("gappy", {{"k", static_cast<double>(k)}, {"g", static_cast<double>(g)}});
      CHECK(identical(compute(it, x, x, TestRuntime(2)).train, naive(x, x, counts)));
    }
}

TEST(letters_are_code_points) {
  const Strings x({"a\xc3\xbc\xe6\x97\xa5\xf0\x9f\x98\x80", "A\xc3\x9c"});
  CHECK((Alphabet().read(x, 0, "x") == Letters{'a', 0xfc, 0x65e5, 0x1f600}));
  CHECK((Alphabet("", true).read(x, 1, "x") == Letters{'a', 0xfc}));
  CHECK((Alphabet("\xc3\xbc"
                  "a")
             .read(x, 0, "x") == Letters{0, 1, Alphabet::outside, Alphabet::outside}));
  CHECK(letters_in(x, true, "x") == "a\xc3\xbc\xe6\x97\xa5\xf0\x9f\x98\x80");
  const Texts broken = {"\xff",
                        "a\x80",
                        "\xc3",
                        "\xc0\x80",
                        "\xe0\x80\x80",
                        "\xed\xa0\x80",
                        "\xf4\x90\x80\x80",
                        "\xf5\x80\x80\x80",
                        "\xc3(",
                        "\xf0\x9f\x98"};
  for (const std::string& text : broken)
    CHECK_THROWS(Alphabet().read(Strings({"a", text}), 1, "x"), InvalidArgument, "example 2");
}

TEST(bad_parameters_and_data_are_named) {
  const TestRuntime runtime;
  const Texts x = {"ACGT"};
  const auto wrong = [&](const State& it) { return compute(it, x, x, runtime); };
  CHECK_THROWS(wrong(item("spectrum", {{"k", 0.0}})), InvalidArgument, "`k`");
  CHECK_THROWS(wrong(item("spectrum", {{"k", 101.0}})), InvalidArgument, "`k`");
  CHECK_THROWS(wrong(item("mismatch", {{"k", 3.0}, {"m", 1.0}})), InvalidArgument, "`alphabet`");
  CHECK_THROWS(wrong(with_alphabet(item("mismatch", {{"k", 3.0}, {"m", 4.0}}), "ACGT")),
               InvalidArgument, "`m`");
  CHECK_THROWS(wrong(with_alphabet(item("mismatch", {{"k", 20.0}, {"m", 6.0}}), "ACGT")),
               InvalidArgument, "at most 100000");
  CHECK_THROWS(wrong(item("gappy", {{"k", 3.0}, {"g", 2.0}})), InvalidArgument, "`g`");
  CHECK_THROWS(wrong(item("gappy", {{"k", 10.0}, {"g", 50.0}})), InvalidArgument, "at most 100000");
  const KernelSet set({item("spectrum", {{"k", 1.0}})}, Index{2});
  Examples numbers = dense_examples(view(Matrix::Ones(2, 2).eval()));
  CHECK_THROWS(set.complete(numbers, "x", runtime), InvalidArgument, "text");
}

TEST(making_words_can_be_interrupted) {
  TestRuntime runtime(1);
  runtime.interrupt_after = 50;
  const Texts long_one = {std::string(100000, 'A')};
  CHECK_THROWS(compute(item("spectrum", {{"k", 3.0}}), long_one, long_one, runtime), Interrupted,
               "");
}
