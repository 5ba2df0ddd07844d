#include "runtime.hpp"

#include <Eigen/Eigenvalues>
#include <stdexcept>

namespace mk {

void Runtime::eigen_symmetric(Matrix& a, Vector& values) const {
  Eigen::SelfAdjointEigenSolver<Matrix> solver(a);
  if (solver.info() != Eigen::Success)
    throw std::runtime_error("The eigenvalues of a kernel matrix could not be computed.");
  values = solver.eigenvalues();
  a = solver.eigenvectors();
}

}  // namespace mk
