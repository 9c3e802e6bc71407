// A store whose commands wait until the test answers them.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <string>

#include "orchestrator/ports/store.h"

namespace baton {

// Used on one thread alone: the loop's.
class WaitingStore final : public Store {
 public:
  void Submit(std::unique_ptr<AppCommand> command) override { commands.push_back(std::move(command)); }
  // So many of this name wait.
  std::ptrdiff_t Count(const std::string& name) const {
    return std::ranges::count(commands, name, [](const auto& command) { return command->header().name; });
  }
  std::deque<std::unique_ptr<AppCommand>> commands;
};

}  // namespace baton
