#include "row_group.hpp"

#include "dense.hpp"
#include "stored_gram.hpp"
#include "views.hpp"

namespace mk {

Examples feature_examples(const SharedFeatures& x) {
  Examples examples{{x}};
  const ViewFeatures* views = x->views();
  for (Index v = 0; views != nullptr && v < views->count(); ++v)
    examples.sources.push_back(views->view(v));
  return examples;
}

Examples dense_examples(const MatrixView& x, const std::vector<MatrixView>& kernels) {
  Examples examples{{std::make_shared<DenseFeatures>(x)}};
  for (const MatrixView& k : kernels) examples.sources.push_back(std::make_shared<StoredGram>(k));
  return examples;
}

Examples stored_examples(const std::vector<MatrixView>& kernels) {
  return dense_examples({nullptr, kernels.front().rows, 0}, kernels);
}

RowGroup::RowGroup(std::shared_ptr<const Examples> examples, Indices rows, bool training,
                   Origins origins)
    : examples_(std::move(examples)),
      rows_(std::make_shared<const Indices>(std::move(rows))),
      origins_(std::move(origins)),
      training_(training),
      packed_(std::make_shared<std::vector<Packed>>(examples_->sources.size())) {}

const FeatureRows& RowGroup::source(Index s) const {
  Packed& packed = (*packed_)[at(s)];
  std::call_once(packed.once, [&] {
    const Origin origin = origins_.empty() ? nullptr : origins_[at(s)];
    packed.rows = examples_->sources[at(s)]->pack(rows_, origin);
  });
  return *packed.rows;
}

std::shared_ptr<const RowGroup> RowGroup::part(const Indices& positions) const {
  if (static_cast<Index>(positions.size()) == count() && positions == all_rows(count()))
    return std::make_shared<RowGroup>(*this);
  Indices rows(positions.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = (*rows_)[at(positions[i])];
  return std::make_shared<RowGroup>(examples_, std::move(rows), training_, origins_);
}

std::shared_ptr<const RowGroup> whole_group(Examples examples, bool training, Origins origins) {
  const Index count = examples.count();
  return std::make_shared<RowGroup>(std::make_shared<const Examples>(std::move(examples)),
                                    all_rows(count), training, std::move(origins));
}

}  // namespace mk
