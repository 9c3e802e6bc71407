// A leader's lease without an election, for tests that write as a leader does.
#pragma once

#include <string>

#include "orchestrator/base/ticker.h"

namespace baton {

// Holds it for as long as it lives. The fence takes no lease that ends in more than two minutes
// (sql/statements/leases.sql), so it is renewed now and then; a database that is away for a while is asked again.
class StandingLease {
 public:
  // As epoch 1. Of a database without a lease of this name; throws std::runtime_error.
  explicit StandingLease(const std::string& url, const std::string& name = "leader");

 private:
  Ticker renewing_;
};

}  // namespace baton
