// The leadership lease in the database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/base/time.h"

namespace baton {

struct LeaseView {
  std::int64_t epoch = 0;
  std::string holder;
  std::string address;
  bool running = false;  // it has not expired
  Duration remaining{0};  // by the database's clock, until it has
};

class LeaseStore {
 public:
  virtual ~LeaseStore() = default;
  // Each blocks for a round trip. Take: the new epoch, or nothing where another's lease runs. Renew: false where
  // another leads. UNAVAILABLE where the database is away: not known is not leading.
  virtual Result<std::optional<std::int64_t>> Take(Duration lease) = 0;
  virtual Result<bool> Renew(std::int64_t epoch, Duration lease) = 0;
  virtual Status Resign(std::int64_t epoch) = 0;
  virtual Result<std::optional<LeaseView>> Read() = 0;
};

}  // namespace baton
