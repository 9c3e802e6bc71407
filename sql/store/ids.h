// New ids: UUIDs from the operating system's random, incarnations from the database's sequence, fetched in blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/base/uuid.h"
#include "orchestrator/model/moment.h"

namespace baton {

class Session;

class DatabaseIds final : public IdSource {
 public:
  std::string NewUuid() override { return RandomUuid(); }
  std::int64_t NewIncarnation() override;

  // Whether fewer than `count` incarnations are at hand.
  bool Lacks(std::size_t count) const { return incarnations_.size() < count; }
  // Makes sure that so many are. Numbers that are never used are no loss.
  void Fill(Session& session, std::size_t count);

 private:
  std::vector<std::int64_t> incarnations_;
};

}  // namespace baton
