#include "deferred_q.hpp"

namespace mk {

namespace {

// Requests from one look to the next.
constexpr Index window = 256;
// Most of the last requests were for rows that had not been asked for before: so it is in the first
// steps of every problem, but a sixteenth of the rows later only where most rows will be asked for.
constexpr double mostly = 0.9;
constexpr Index first_share = 16;
// Beyond a fourth of the rows too much of the matrix would be computed twice.
constexpr Index last_share = 4;

}  // namespace

const double* DeferredQ::column(Index position) {
  if (whole_ != nullptr) return whole_->column(position);
  const double* column = rows_->column(position);
  if (++asked_ == window) look();
  return column;
}

// The matrix is worth its time on the full problem only: what is left of a problem that has shrunk
// asks for short rows. Columns that were given out stay valid, as the rows stay until activate().
void DeferredQ::look() {
  const Index computed = rows_->computed();
  const double fresh = static_cast<double>(computed - computed_before_);
  asked_ = 0;
  computed_before_ = computed;
  if (all_active_ && fresh >= mostly * static_cast<double>(window) &&
      computed >= size() / first_share && computed <= size() / last_share)
    form();
}

// A start with many coefficients has to be multiplied by about the whole matrix.
Vector DeferredQ::multiply(const Vector& b, const Runtime& runtime) {
  const bool first = asked_ == 0 && rows_ != nullptr && rows_->computed() == 0;
  if (whole_ == nullptr && first && (b.array() != 0.0).count() > size() / last_share) form();
  return whole_ != nullptr ? whole_->multiply(b, runtime) : rows_->multiply(b, runtime);
}

void DeferredQ::activate(const Indices& variables) {
  all_active_ = variables.empty();
  if (whole_ == nullptr) return rows_->activate(variables);
  rows_.reset();
  whole_->activate(variables);
}

}  // namespace mk
