// Compares the rows of some apps in 1.x and 2.x.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/model/id.h"

namespace baton {

class Session;

struct Compared {
  std::int64_t lrps = 0;               // instances that were looked at, of the shape that has more of an app
  std::vector<std::string> faults;     // apps that cannot be read or split, each with its name and why
  std::vector<ProcessGuid> differing;  // by name; those with a fault are not among them
};

// In the caller's transaction, which has one snapshot (Session::Isolation::kSnapshotReadOnly): otherwise what is written
// meanwhile differs. Nothing is locked. An app of which neither has a row is no difference.
Compared CompareShapes(Session& session, const std::vector<ProcessGuid>& guids);

}  // namespace baton
