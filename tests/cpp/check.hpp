// A test harness of one page. A test file includes this header, writes
//
//   TEST(name) { CHECK(1 + 1 == 2); CHECK_CLOSE(std::exp(1.0), 2.718281828, 1e-9); }
//
// and has its main() from here. The program prints each failed check with its place and values,
// then the counts, and returns 1 if anything failed. An argument runs only the tests whose name
// holds it.
#pragma once

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace check {

struct Test {
  const char* name;
  void (*body)();
};

struct State {
  std::vector<Test> tests;
  long passed = 0;
  long failed = 0;
};

inline State& state() {
  static State instance;
  return instance;
}

struct Registration {
  Registration(const char* name, void (*body)()) { state().tests.push_back({name, body}); }
};

inline void record(bool ok, const char* file, int line, const std::string& text) {
  if (ok) {
    ++state().passed;
    return;
  }
  ++state().failed;
  std::printf("%s:%d: %s\n", file, line, text.c_str());
}

// |a - b| <= tolerance * max(1, |a|, |b|). Equal infinities and two NaN count as close.
inline bool close(double a, double b, double tolerance) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  const double scale = std::fmax(1.0, std::fmax(std::fabs(a), std::fabs(b)));
  return std::fabs(a - b) <= tolerance * scale;
}

// The checks are functions of plain arguments: little code where they are used.
inline void condition(bool ok, const char* file, int line, const char* text) {
  record(ok, file, line, text);
}

inline void closeness(double a, double b, double tolerance, const char* file, int line,
                      const char* left, const char* right) {
  if (close(a, b, tolerance)) return record(true, file, line, "");
  char values[120];
  std::snprintf(values, sizeof values, ": %.17g and %.17g differ by %.3g", a, b, std::fabs(a - b));
  record(false, file, line, std::string(left) + " against " + right + values);
}

inline void thrown(const char* file, int line, const char* expression, const char* message,
                   const std::string& part) {
  record(std::string(message).find(part) != std::string::npos, file, line,
         std::string(expression) + " threw: " + message);
}

inline int run(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  for (const Test& test : state().tests) {
    if (std::string(test.name).find(wanted) == std::string::npos) continue;
    const long before = state().failed;
    try {
      test.body();
    } catch (const std::exception& error) {
      record(false, test.name, 0, std::string("unexpected exception: ") + error.what());
    } catch (...) {
      record(false, test.name, 0, "unexpected exception of unknown type");
    }
    if (state().failed > before) std::printf("FAILED %s\n", test.name);
  }
  std::printf("%ld checks passed, %ld failed\n", state().passed, state().failed);
  return state().failed == 0 ? 0 : 1;
}

}  // namespace check

#define TEST(name)                                                       \
  static void test_##name();                                             \
  static const check::Registration register_##name(#name, &test_##name); \
  static void test_##name()

#define CHECK(expression) \
  check::condition(static_cast<bool>(expression), __FILE__, __LINE__, #expression)

#define CHECK_CLOSE(a, b, tolerance) \
  check::closeness((a), (b), (tolerance), __FILE__, __LINE__, #a, #b)

// The expression must throw `type`; its message must hold `part` ("" for any).
#define CHECK_THROWS(expression, type, part)                                            \
  do {                                                                                  \
    try {                                                                               \
      (void)(expression);                                                               \
      check::condition(false, __FILE__, __LINE__, #expression " did not throw " #type); \
    } catch (const type& error) {                                                       \
      check::thrown(__FILE__, __LINE__, #expression, error.what(), part);               \
    }                                                                                   \
  } while (false)

int main(int argc, char** argv) { return check::run(argc, argv); }
