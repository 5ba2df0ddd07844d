#include "registry.hpp"

#include <map>

#include "../base/errors.hpp"
#include "average.hpp"
#include "best.hpp"
#include "cca_mhks.hpp"
#include "easymkl.hpp"
#include "gmkl.hpp"
#include "komd.hpp"
#include "lbmkl.hpp"
#include "levelmkl.hpp"
#include "lmkl.hpp"
#include "lpmkl.hpp"
#include "mhks.hpp"
#include "mkboost.hpp"
#include "per_kernel_model.hpp"
#include "product_problem.hpp"
#include "random.hpp"
#include "silpmkl.hpp"
#include "simplemkl.hpp"
#include "svm.hpp"
#include "svm2k.hpp"
#include "svm_concatenated.hpp"

namespace mk {

namespace {

template <class L>
std::unique_ptr<Learner> make(const State& parameters, const SmoOptions& smo) {
  return std::make_unique<L>(parameters, smo);
}

using LearnerMaker = std::unique_ptr<Learner> (*)(const State&, const SmoOptions&);
const std::map<std::string, LearnerMaker> learners = {
    {"average", make<AverageLearner>},
    {"best", make<BestLearner>},
    {"cca_mhks", make<CcaMhksLearner>},
    {"easymkl", make<EasymklLearner>},
    {"komd", make<KomdLearner>},
    {"glmkl", make<GlmklLearner>},
    {"gmkl", make<GmklLearner>},
    {"lbmkl", make<LbmklLearner>},
    {"levelmkl", make<LevelmklLearner>},
    {"lmkl", make<LmklLearner>},
    {"lpmkl", make<LpmklLearner>},
    {"mhks", make<MhksLearner>},
    {"mkboost", make<MkboostLearner>},
    {"random", make<RandomLearner>},
    {"silpmkl", make<SilpmklLearner>},
    {"simplemkl", make<SimplemklLearner>},
    {"svm", make<SvmLearner>},
    {"svm2k", make<Svm2kLearner>},
    {"svm_concatenated", make<SvmConcatenatedLearner>},
};

using ModelMaker = std::unique_ptr<Model> (*)(const State&);
const std::map<std::string, ModelMaker> models = {
    {"expansion", ExpansionModel::restore},
    {"lbmkl", LbmklModel::restore},
    {"lmkl", LmklModel::restore},
    {"mkboost", MkboostModel::restore},
    {"per_kernel", PerKernelModel::restore},
    {"product", ProductModel::restore},
    {"vote", VoteModel::restore},
};

template <class Table>
const typename Table::mapped_type& look_up(const Table& table, const char* argument,
                                           const std::string& name) {
  const auto found = table.find(name);
  if (found != table.end()) return found->second;
  std::string known;
  for (const auto& entry : table) known += (known.empty() ? "\"" : ", \"") + entry.first + "\"";
  throw InvalidArgument(argument, "one of " + known, "\"" + name + "\"");
}

}  // namespace

std::unique_ptr<Learner> make_learner(const std::string& name, const State& parameters,
                                      const SmoOptions& smo) {
  return look_up(learners, "learner", name)(parameters, smo);
}

std::unique_ptr<Model> restore_model(const State& state) {
  return look_up(models, "type", state.text("type"))(state);
}

}  // namespace mk
