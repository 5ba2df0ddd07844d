// Landmarks of the Nystrom approximation: rows whose kernel values stand for those of all rows.
#pragma once

#include <string>

#include "../kernels/kernel_bank.hpp"

namespace mk {

// `count` rows, in increasing order, chosen by
//   "uniform"     chance alone;
//   "kmeans++"    distance in the space of the kernels from those that are chosen already (Arthur &
//                 Vassilvitskii 2007; Oglic & Gaertner 2017);
//   "rpcholesky"  what is left of the diagonal of the kernel matrix (Chen, Epperly, Tropp & Webber
//                 2025).
// Several kernels share their landmarks: the last two look at the sum of the kernels, each divided
// by its mean diagonal. With many rows they choose among a random part of them. Fewer rows than
// asked for if no other adds anything.
Indices choose_landmarks(const std::string& method, Index count, const KernelBank& bank,
                         const Runtime& runtime);

}  // namespace mk
