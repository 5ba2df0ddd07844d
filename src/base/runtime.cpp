#include "runtime.hpp"

#include "symmetric_eigen.hpp"

namespace mk {

void Runtime::eigen_symmetric(Matrix& a, Vector& values) const { symmetric_eigen(a, values); }

}  // namespace mk
