// What is known of columns before they are standardized. Standardization itself: test_api.cpp.
#include "api/scaling.hpp"

#include <cmath>

#include "check.hpp"
#include "fixtures.hpp"

using namespace mk;

TEST(column_values_are_medians_and_columns_of_zeros_and_ones) {
  const double na = std::nan("");
  Matrix x(4, 5);
  x.col(0) << 3.0, na, 1.0, 10.0;
  x.col(1) << 4.0, 1.0, 2.0, 8.0;
  x.col(2) << 1.0, 0.0, 0.0, 1.0;
  x.col(3) << na, 1.0, na, 1.0;
  x.col(4).setConstant(na);
  const ColumnValues found = column_values(view(x));
  const double middle[] = {3.0, 3.0, 0.0, 1.0, 0.0};
  const bool binary[] = {false, false, true, true, false};
  for (Index j = 0; j < 5; ++j) {
    CHECK(found.middle[j] == middle[j]);
    CHECK(found.binary[at(j)] == binary[j]);
  }
}
