// The kernels of a request: their set, and the matrices of those that are stored.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../base/state.hpp"
#include "../features/row_group.hpp"
#include "../kernels/kernel_bank.hpp"

namespace mk {

struct StoredKernel {
  MatrixView matrix;
  std::string name;
  Vector diagonal;  // of new examples; empty where none was given
  Vector train_diagonal;
};

struct KernelItems {
  std::shared_ptr<const KernelSet> set;
  std::vector<StoredKernel> stored;  // in the order in which KernelSet numbers them
};

// Kernels between the rows of x and n_train training rows. Throws InvalidArgument if a stored
// matrix is not finite or of another shape; if x has no columns there must be one.
KernelItems read_kernels(const Features& x, Index n_train, const std::vector<State>& items);

// Throws InvalidArgument unless x has the columns of the other features, in each view.
void check_shape(const Features& x, const Features& other, const std::string& argument);

// New examples that the kernels are computed on, and training examples that meet none but new ones.
Examples new_examples(const SharedFeatures& x, const KernelItems& items,
                      const std::string& argument, const Runtime& runtime);
Examples kept_examples(const SharedFeatures& x, const KernelItems& items, const Runtime& runtime);

// The kernels among the rows of x, the training set, after a check of them and of x.
KernelBank training_bank(const SharedFeatures& x, const std::vector<State>& items,
                         const Runtime& runtime);

}  // namespace mk
