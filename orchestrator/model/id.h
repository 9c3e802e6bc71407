// Names of things. Each kind has a type of its own, so that one is never passed for another.
#pragma once

#include <compare>
#include <functional>
#include <ostream>
#include <string>
#include <utility>

namespace baton {

template <class Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string value) : value_(std::move(value)) {}

  const std::string& str() const { return value_; }
  bool empty() const { return value_.empty(); }
  auto operator<=>(const Id&) const = default;

 private:
  std::string value_;
};

template <class Tag>
std::ostream& operator<<(std::ostream& out, const Id<Tag>& id) {
  return out << id.str();
}

using ProcessGuid = Id<struct ProcessGuidTag>;    // an app: [A-Za-z0-9._:-]{1,255}
using DefinitionId = Id<struct DefinitionIdTag>;  // a definition within its app and incarnation
using ActualId = Id<struct ActualIdTag>;          // an instance, from the making of its row on: a UUID
using InstanceGuid = Id<struct InstanceGuidTag>;  // a cell's own name for one start of an instance
using RollId = Id<struct RollIdTag>;              // a UUID
using CellId = Id<struct CellIdTag>;
using ConsumerId = Id<struct ConsumerIdTag>;  // a route consumer

}  // namespace baton

template <class Tag>
struct std::hash<baton::Id<Tag>> {
  std::size_t operator()(const baton::Id<Tag>& id) const { return std::hash<std::string>()(id.str()); }
};
