// The desired state of an app (Diego's DesiredLRP). Everything here is unversioned and takes effect at once; versions
// are definitions.
#pragma once

#include <cstdint>
#include <string>

#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/id.h"
#include "orchestrator/model/route.h"
#include "orchestrator/model/strategy.h"

namespace baton {

struct DesiredLrp {
  std::int64_t incarnation = 0;
  std::string domain;
  std::string log_guid;
  int instances = 0;
  Routes routes;
  std::string annotation;
  std::string metric_tags;  // encoded; the core never looks into it
  std::string image_username;
  std::string image_password;
  Strategy strategy;
  // How many proven definitions before the active one are kept; nothing: batond's --history.
  std::optional<int> definition_history;
  DefinitionId active;
  DefinitionId healthy;  // empty: none yet
  TimePoint created_at;
  ModificationTag tag;

  bool operator==(const DesiredLrp&) const = default;
};

}  // namespace baton
