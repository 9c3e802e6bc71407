// Whose instances' load routers are asked for: apps with an open roll, so many at a time. Pure.
#pragma once

#include <set>
#include <vector>

#include "orchestrator/model/id.h"

namespace baton {

class MeasuredApps {
 public:
  // Where ten thousand apps roll, nobody looks at each; what routers say of these is a few hundred kilobytes.
  static constexpr std::size_t kMost = 200;

  struct Change {
    std::vector<ProcessGuid> measured;
    std::vector<ProcessGuid> unmeasured;

    bool empty() const { return measured.empty() && unmeasured.empty(); }
    bool operator==(const Change&) const = default;
  };
  // Whether the app has an open roll. Another one takes the place of an app that has none any more.
  Change Set(const ProcessGuid& guid, bool open);

  const std::set<ProcessGuid>& measured() const { return measured_; }

 private:
  std::set<ProcessGuid> measured_;
  std::set<ProcessGuid> waiting_;
};

}  // namespace baton
