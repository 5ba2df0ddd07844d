#include "nmcca.hpp"

#include <cmath>

#include "../base/errors.hpp"
#include "../base/product.hpp"
#include "spectrum.hpp"

namespace mk {

namespace {

// T_k with T_k'(S_k'S_k + kappa I)T_k = I, on the directions in which the view has variance.
Matrix whitening(const Matrix& view, double kappa, const Runtime& runtime) {
  const Spectrum d = leading_spectrum(product(view.transpose(), view, runtime), 0, runtime);
  return d.vectors * (d.values.array() + kappa).rsqrt().matrix().asDiagonal();
}

void check(const std::vector<Matrix>& views, Index components, double kappa) {
  if (views.empty()) throw InvalidArgument("views", "one at least", "none");
  for (std::size_t k = 0; k < views.size(); ++k) {
    const std::string name = "view " + std::to_string(k + 1);
    if (views[k].rows() != views[0].rows() || views[k].rows() == 0 || views[k].cols() == 0)
      throw InvalidArgument(
          name, "a matrix of columns and as many rows as the first",
          std::to_string(views[k].rows()) + " x " + std::to_string(views[k].cols()));
    if (!std::isfinite(views[k].squaredNorm()))
      throw InvalidArgument("The squares of " + name +
                            " are beyond the range of numbers: scale its columns.");
  }
  if (components < 0) throw InvalidArgument("components", "at least 0", std::to_string(components));
  if (!(kappa >= 0.0) || std::isinf(kappa))
    throw InvalidArgument("kappa", "a finite number of at least 0", format_number(kappa));
}

// The largest residual of the eigenvalue equation, relative to its right-hand side.
double residual(const std::vector<Matrix>& views, const Nmcca& s, double kappa,
                const Runtime& runtime) {
  const double m = static_cast<double>(views.size());
  Matrix sum = Matrix::Zero(views[0].rows(), s.agreement.size());
  for (std::size_t k = 0; k < views.size(); ++k)
    sum += product(views[k], s.projections[k], runtime);
  Vector off = Vector::Zero(s.agreement.size()), size = off;
  for (std::size_t k = 0; k < views.size(); ++k) {
    const Matrix right =
        product(views[k].transpose(), product(views[k], s.projections[k], runtime), runtime) +
        kappa * s.projections[k];
    const Matrix left = product(views[k].transpose(), sum, runtime) / m;
    off += (left - right * s.agreement.asDiagonal()).colwise().squaredNorm().transpose();
    size += right.colwise().squaredNorm().transpose();
  }
  return s.agreement.size() == 0 ? 0.0 : std::sqrt((off.array() / size.array()).maxCoeff());
}

}  // namespace

Nmcca solve_nmcca(const std::vector<Matrix>& views, Index components, double kappa,
                  const Runtime& runtime) {
  check(views, components, kappa);
  const Index m = static_cast<Index>(views.size()), n = views[0].rows();
  std::vector<Matrix> white(views.size()), whitened;
  runtime.parallel_for(m, [&](Index k) { white[at(k)] = whitening(views[at(k)], kappa, runtime); });
  for (Index k = 0; k < m; ++k)
    whitened.push_back(product(views[at(k)], white[at(k)], runtime) /
                       std::sqrt(static_cast<double>(m)));
  // S T / sqrt(m): the problem is its singular value decomposition.
  const Matrix g = side_by_side(whitened);
  runtime.check_interrupt();
  const bool wide = g.cols() > n;
  const Spectrum s = leading_spectrum(
      wide ? product(g, g.transpose(), runtime) : product(g.transpose(), g, runtime), components,
      runtime);
  const Index count = s.values.size();
  Matrix v = s.vectors;
  if (wide)
    v = product(g.transpose(), v, runtime) * s.values.cwiseSqrt().cwiseInverse().asDiagonal();

  Nmcca out;
  out.agreement = s.values;
  Index from = 0;
  for (Index k = 0; k < m; ++k) {
    const Index width = white[at(k)].cols();
    out.projections.push_back(product(white[at(k)], v.middleRows(from, width), runtime));
    from += width;
  }
  // The sign of a component is free: the largest weight is made positive.
  for (Index c = 0; c < count; ++c) {
    double largest = 0.0;
    for (const Matrix& w : out.projections)
      for (Index j = 0; j < w.rows(); ++j)
        if (std::abs(w(j, c)) > std::abs(largest) * (1.0 + 1e-8)) largest = w(j, c);
    if (largest < 0.0)
      for (Matrix& w : out.projections) w.col(c) = -w.col(c);
  }
  out.violation = residual(views, out, kappa, runtime);
  return out;
}

}  // namespace mk
