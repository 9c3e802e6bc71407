// Where refused writes are written down. What is not refused is written with its own commit.
#pragma once

#include <vector>

#include "orchestrator/model/calls/audit.h"

namespace baton {

struct RefusedWrite {
  AuditEntry entry;
  Duration ago{0};  // when it was refused; the clock is the store's
};

class AuditStore {
 public:
  virtual ~AuditStore() = default;
  // Blocks, and is called by one thread at a time. UNAVAILABLE where the database does not answer or another leads;
  // they may have been written all the same. INVALID_ARGUMENT where the store takes one of them never: none was written.
  virtual Status Append(const std::vector<RefusedWrite>& refused) = 0;
};

}  // namespace baton
