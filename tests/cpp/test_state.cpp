// Plain data by name, and the texts of errors.
#include "base/errors.hpp"
#include "base/state.hpp"
#include "check.hpp"

#include <limits>

using namespace mk;

TEST(values_come_back) {
  State inner;
  inner.set("deep", 2.5);
  State state;
  Matrix m(2, 3);
  m << 1, 2, 3, 4, 5, 6;
  state.set("number", 4.0);
  state.set("vector", Value(Vector(Vector::Constant(3, 7.0))));
  state.set("matrix", Value(m));
  state.set("rows", Value(Indices{3, 1, 2}));
  state.set("text", "hello");
  state.set("list", Value(std::vector<State>{inner, State()}));
  CHECK(state.number("number") == 4.0);
  CHECK(state.vector("number").size() == 1);
  CHECK(state.vector("vector").size() == 3 && state.vector("vector")[2] == 7.0);
  CHECK(state.matrix("matrix")(1, 0) == 4.0 && state.matrix("matrix").cols() == 3);
  CHECK(state.indices("rows") == (Indices{3, 1, 2}));
  CHECK(state.text("text") == "hello");
  CHECK(state.list("list").size() == 2);
  CHECK(state.list("list")[0].number("deep") == 2.5);
  CHECK(state.entries().size() == 6);
  CHECK(state.entries()[0].first == "number");  // in the order in which they were set
  CHECK(state.entries()[5].first == "list");
}

TEST(setting_again_replaces) {
  State state;
  state.set("a", 1.0);
  state.set("b", 2.0);
  state.set("a", "three");
  CHECK(state.entries().size() == 2);
  CHECK(state.text("a") == "three");
  CHECK(state.entries()[0].first == "a");
}

TEST(missing_entries) {
  State state;
  CHECK(!state.has("cost"));
  CHECK(state.number("cost", 3.0) == 3.0);
  CHECK_THROWS(state.number("cost"), InvalidArgument, "`cost` must be a number, not missing.");
  CHECK_THROWS(state.vector("v"), InvalidArgument, "`v` must be a numeric vector");
  CHECK_THROWS(state.matrix("m"), InvalidArgument, "`m` must be a numeric matrix");
  CHECK_THROWS(state.indices("i"), InvalidArgument, "`i` must be a vector of positions");
  CHECK_THROWS(state.text("t"), InvalidArgument, "`t` must be a string");
  CHECK_THROWS(state.list("l"), InvalidArgument, "`l` must be a list");
}

TEST(entries_of_another_kind) {
  State state;
  state.set("text", "abc");
  state.set("two", Value(Vector(Vector::Zero(2))));
  state.set("none", Value(Vector()));
  CHECK_THROWS(state.number("text"), InvalidArgument, "`text` must be a number");
  CHECK_THROWS(state.number("text", 1.0), InvalidArgument, "`text` must be a number");
  CHECK_THROWS(state.number("two"), InvalidArgument, "one number, not 2 numbers");
  CHECK_THROWS(state.number("none"), InvalidArgument, "one number, not 0 numbers");
  CHECK_THROWS(state.matrix("two"), InvalidArgument,
               "must be a numeric matrix of doubles, not numbers");
}

TEST(numbers_as_a_person_types_them) {
  CHECK(format_number(0.5) == "0.5");
  CHECK(format_number(1e-8) == "1e-08");
  CHECK(format_number(-3.0) == "-3");
  CHECK(format_number(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(format_number(std::numeric_limits<double>::infinity()) == "Inf");
  CHECK(format_number(-std::numeric_limits<double>::infinity()) == "-Inf");
  CHECK(InvalidArgument("x", "small", "large").what() ==
        std::string("`x` must be small, not large."));
}
