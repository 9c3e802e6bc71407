// Names of cells and definitions as small numbers: many instances have the same ones.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace baton::web {

class Names {
 public:
  // The number of a name, from 1 on; of the empty one, 0. Names stay: there are few beside the instances.
  std::uint32_t Of(const std::string& name) {
    if (name.empty()) return 0;
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) return found->second;
    const auto number = static_cast<std::uint32_t>(names_.size()) + 1;
    numbers_.emplace(names_.emplace_back(name), number);
    return number;
  }
  const std::string& Name(std::uint32_t number) const { return number == 0 ? none_ : names_[number - 1]; }

 private:
  std::deque<std::string> names_;  // where they are they stay
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::string none_;
};

}  // namespace baton::web
