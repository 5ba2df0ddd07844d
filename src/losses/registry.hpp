// The losses by their names. A new one is a line in registry.cpp.
#pragma once

#include <map>
#include <memory>

#include "loss.hpp"

namespace mk {

std::unique_ptr<Loss> make_loss(const std::string& name, const State& parameters);

// The losses of a learner, one for each kind of response: that of its parameter `loss`, or else the
// default of the kind.
class Losses {
 public:
  static Losses read(const State& parameters);
  // Throws InvalidArgument if the loss that was asked for does not take such a response.
  const Loss& of(const Target& target) const;

 private:
  std::map<std::string, std::shared_ptr<const Loss>> by_kind_;
};

}  // namespace mk
