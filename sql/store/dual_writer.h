// Keeps another layout in step with what a batch has written, in its transaction (docs/guide/upgrades.md).
#pragma once

#include <set>
#include <string>

#include "sql/store/app_writer.h"

namespace baton {

class Session;

class DualWriter {
 public:
  virtual ~DualWriter() = default;
  // After WriteBatch. `whole`: apps of which `after` has all rows; of others only the instances that were asked for.
  virtual void Write(Session& session, const BatchChanges& batch, const std::set<ProcessGuid>& whole) = 0;
  // Copies what `domains` now says of it; one that is not there is deleted.
  virtual void WriteDomain(Session& session, const std::string& domain) = 0;
};

}  // namespace baton
