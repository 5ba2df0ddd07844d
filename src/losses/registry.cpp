#include "registry.hpp"

#include "../base/errors.hpp"
#include "../base/parameters.hpp"
#include "epsilon_insensitive.hpp"
#include "hinge.hpp"
#include "one_class.hpp"
#include "squared.hpp"
#include "squared_hinge.hpp"

namespace mk {

namespace {

template <class L>
std::unique_ptr<Loss> make(const State& parameters) {
  return std::make_unique<L>(parameters);
}

using LossMaker = std::unique_ptr<Loss> (*)(const State&);
const std::map<std::string, LossMaker> losses = {
    {"epsilon_insensitive", make<EpsilonInsensitiveLoss>},
    {"hinge", make<HingeLoss>},
    {"one_class", make<OneClassLoss>},
    {"squared", make<SquaredLoss>},
    {"squared_hinge", make<SquaredHingeLoss>},
};

}  // namespace

std::unique_ptr<Loss> make_loss(const std::string& name, const State& parameters) {
  return look_up(losses, "loss", name)(parameters);
}

Losses Losses::read(const State& parameters) {
  Losses losses;
  for (const TargetKind* kind : target_kinds())
    losses.by_kind_[kind->name()] = make_loss(kind->default_loss(), parameters);
  if (!parameters.has("loss")) return losses;
  const std::shared_ptr<const Loss> named = make_loss(parameters.text("loss"), parameters);
  for (auto& entry : losses.by_kind_) entry.second = named;
  return losses;
}

const Loss& Losses::of(const Target& target) const {
  const Loss& loss = *by_kind_.at(target.kind->name());
  if (!loss.takes(target.kind))
    throw InvalidArgument("loss", "one for " + target.kind->name(), "\"" + loss.name + "\"");
  return loss;
}

}  // namespace mk
