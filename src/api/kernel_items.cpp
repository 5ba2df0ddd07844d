#include "kernel_items.hpp"

#include "../base/checks.hpp"
#include "../base/errors.hpp"
#include "../features/stored_gram.hpp"
#include "../features/views.hpp"

namespace mk {

namespace {

Vector optional_vector(const State& item, const char* name) {
  return item.has(name) ? item.vector(name) : Vector();
}

// Depth first, in the order in which KernelSet numbers them.
void collect_matrices(const State& item, KernelItems& out) {
  const std::string& family = item.text("family");
  if (family == "product")
    for (const State& factor : item.list("factors")) collect_matrices(factor, out);
  if (family == "label_based") {
    collect_matrices(item.child("kernel"), out);
    if (item.has("distance")) collect_matrices(item.child("distance"), out);
  }
  if (family != "precomputed") return;
  out.stored.push_back(
      {view(item.matrix("matrix")), item.has("name") ? item.text("name") : "precomputed",
       optional_vector(item, "diagonal"), optional_vector(item, "train_diagonal")});
}

// Matrices of training rows are symmetric but for rounding.
void check_symmetric(const KernelItems& items) {
  for (const StoredKernel& stored : items.stored) {
    const MatrixView& k = stored.matrix;
    const auto place = find_asymmetry(k);
    if (!place) continue;
    const auto [i, j] = *place;
    const std::string row = std::to_string(i + 1), column = std::to_string(j + 1);
    throw InvalidArgument(stored.name, "symmetric",
                          format_number(k(i, j)) + " in row " + row + ", column " + column +
                              " and " + format_number(k(j, i)) + " in row " + column + ", column " +
                              row);
  }
}

Examples training_examples(const SharedFeatures& x, const KernelItems& items,
                           const Runtime& runtime) {
  Examples examples = feature_examples(x);
  for (const StoredKernel& k : items.stored)
    examples.sources.push_back(std::make_shared<StoredGram>(k.matrix));
  items.set->complete(examples, "x", runtime);
  return examples;
}

}  // namespace

KernelItems read_kernels(const Features& x, Index n_train, const std::vector<State>& items) {
  KernelItems out;
  out.set = std::make_shared<KernelSet>(items, FeatureShape(x));
  for (const State& item : items) collect_matrices(item, out);
  if (x.columns() == 0 && x.views() == nullptr && out.stored.empty())
    throw InvalidArgument("x", "a matrix of at least one column", "of none");
  for (const StoredKernel& k : out.stored) {
    if (k.matrix.rows != x.rows() || k.matrix.cols != n_train)
      throw InvalidArgument(k.name, format_size(x.rows(), n_train),
                            format_size(k.matrix.rows, k.matrix.cols));
    check_finite(k.matrix, k.name);
  }
  return out;
}

void check_shape(const Features& x, const Features& other, const std::string& argument) {
  const FeatureShape found(x), wanted(other);
  const auto refuse = [](const std::string& name, Index columns, Index others) {
    throw InvalidArgument(name, "of " + std::to_string(columns) + " columns",
                          "of " + std::to_string(others));
  };
  if (found.columns != wanted.columns) refuse(argument, wanted.columns, found.columns);
  if (found.views.size() != wanted.views.size())
    throw InvalidArgument(argument, "of " + std::to_string(wanted.views.size()) + " views",
                          "of " + std::to_string(found.views.size()));
  for (std::size_t v = 0; v < found.views.size(); ++v)
    if (found.views[v] != wanted.views[v])
      refuse(x.views()->name(static_cast<Index>(v), argument), wanted.views[v], found.views[v]);
}

Examples new_examples(const SharedFeatures& x, const KernelItems& items,
                      const std::string& argument, const Runtime& runtime) {
  Examples examples = feature_examples(x);
  for (const StoredKernel& k : items.stored)
    examples.sources.push_back(std::make_shared<StoredGram>(k.matrix, k.diagonal));
  items.set->complete(examples, argument, runtime);
  return examples;
}

Examples kept_examples(const SharedFeatures& x, const KernelItems& items, const Runtime& runtime) {
  Examples examples = feature_examples(x);
  for (const StoredKernel& k : items.stored)
    examples.sources.push_back(std::make_shared<StoredGram>(MatrixView{}, k.train_diagonal));
  items.set->complete(examples, "train", runtime);
  return examples;
}

KernelBank training_bank(const SharedFeatures& x, const std::vector<State>& items,
                         const Runtime& runtime) {
  if (x->rows() == 0) throw InvalidArgument("x", "a matrix of at least one row", "of none");
  x->check_finite("x");
  const KernelItems read = read_kernels(*x, x->rows(), items);
  check_symmetric(read);
  Examples examples = training_examples(x, read, runtime);
  read.set->check_domain(examples, "x");
  return KernelBank(read.set, std::move(examples), runtime);
}

}  // namespace mk
