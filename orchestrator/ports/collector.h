// Garbage collection: deletes rows that nothing references.
#pragma once

#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_state.h"

namespace baton {

class Collector {
 public:
  virtual ~Collector() = default;
  struct Unneeded {
    ProcessGuid guid;
    DefinitionKey key;
  };
  // Deletes these definitions: one that something refers to stays, and so do one of a desired app that is pinned by now
  // and those of an app that is just being written. That is no error. Gives how many went. Blocks.
  virtual Result<int> DeleteDefinitions(const std::vector<Unneeded>& definitions) = 0;
  // History, events and answers beyond their time. Blocks.
  virtual Status DeleteOld() = 0;
  // Entries of the audit beyond this age, the oldest first, `most` of them. Gives how many went. Blocks.
  virtual Result<int> DeleteAudit(Duration age, int most) = 0;
};

}  // namespace baton
