#include "registry.hpp"

#include <algorithm>
#include <map>
#include <type_traits>

#include "../base/parameters.hpp"
#include "average.hpp"
#include "best.hpp"
#include "cca_mhks.hpp"
#include "cka.hpp"
#include "easymkl.hpp"
#include "feature_model.hpp"
#include "gmkl.hpp"
#include "gram.hpp"
#include "heuristic.hpp"
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

// Learners that see the rows through the loss of an SVM on some combination of the kernels.
template <class L>
constexpr bool sees_losses_alone =
    std::is_same<L, CombinationLearner>::value || std::is_same<L, MklLearner>::value;

// The learner of each point is `learner_of(its parameters)`.
template <class Make>
LearnerPath make_points(const LearnerRequest& request, const Make& learner_of) {
  using L = decltype(learner_of(State()));
  std::vector<L> points;
  for (const State& parameters : request.points) points.push_back(learner_of(parameters));
  LearnerPath path;
  path.size = static_cast<Index>(points.size());
  if constexpr (sees_losses_alone<L>)
    path.by_moments = [points](const Target& target) {
      return std::all_of(points.begin(), points.end(), [&](const L& point) {
        return point.svm.losses.of(target).is_quadratic();
      });
    };
  path.fit = [points = std::move(points)](const TrainingSet& data, const Runtime& runtime) {
    return points.front().fit_path(points, data, runtime);
  };
  return path;
}

// Made by a constructor or by a function, from the parameters and the options of the solver.
template <class L>
LearnerPath make(const LearnerRequest& request) {
  return make_points(request, [&](const State& point) { return L(point, request.smo); });
}
template <auto learner>
LearnerPath make_by(const LearnerRequest& request) {
  return make_points(request, [&](const State& point) { return learner(point, request.smo); });
}
LearnerPath make_easymkl(const LearnerRequest& request) {
  return make_points(request, [&](const State& point) {
    return EasymklLearner(point, request.smo, request.passes);
  });
}

using LearnerMaker = LearnerPath (*)(const LearnerRequest&);
const std::map<std::string, LearnerMaker> learners = {
    {"average", make_by<average_learner>},
    {"best", make<BestLearner>},
    {"cca_mhks", make<CcaMhksLearner>},
    {"cka", make<CkaLearner>},
    {"easymkl", make_easymkl},
    {"komd", make<KomdLearner>},
    {"glmkl", make_by<glmkl_learner>},
    {"gmkl", make<GmklLearner>},
    {"fheuristic", make_by<fheuristic_learner>},
    {"gram", make<GramLearner>},
    {"pwmk", make_by<pwmk_learner>},
    {"levelmkl", make_by<levelmkl_learner>},
    {"lmkl", make<LmklLearner>},
    {"lpmkl", make_by<lpmkl_learner>},
    {"mhks", make<MhksLearner>},
    {"mkboost", make<MkboostLearner>},
    {"random", make_by<random_learner>},
    {"silpmkl", make_by<silpmkl_learner>},
    {"simplemkl", make_by<simplemkl_learner>},
    {"svm", make_by<svm_learner>},
    {"svm2k", make<Svm2kLearner>},
    {"svm_concatenated", make<SvmConcatenatedLearner>},
};

using ModelMaker = std::unique_ptr<Model> (*)(const State&);
const std::map<std::string, ModelMaker> models = {
    {"expansion", ExpansionModel::restore}, {"features", FeatureModel::restore},
    {"lbmkl", LbmklModel::restore},         {"lmkl", LmklModel::restore},
    {"mkboost", MkboostModel::restore},     {"per_kernel", PerKernelModel::restore},
    {"product", ProductModel::restore},     {"vote", VoteModel::restore},
};

}  // namespace

LearnerPath make_path(const LearnerRequest& request) {
  if (request.points.empty()) throw InvalidArgument("points", "one at least", "none");
  return look_up(learners, "learner", request.name)(request);
}

std::unique_ptr<Model> restore_model(const State& state) {
  return look_up(models, "type", state.text("type"))(state);
}

}  // namespace mk
