#include "symmetric_eigen.hpp"

#include <Eigen/Eigenvalues>
#include <stdexcept>

namespace mk {

void symmetric_eigen(Matrix& a, Vector& values) {
  Eigen::SelfAdjointEigenSolver<Matrix> solver(a);
  if (solver.info() != Eigen::Success)
    throw std::runtime_error("The eigenvalues of a kernel matrix could not be computed.");
  values = solver.eigenvalues();
  a = solver.eigenvectors();
}

}  // namespace mk
