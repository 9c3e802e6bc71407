// An event as subscribers get it: encoded once, for all of them.
#pragma once

#include <grpcpp/support/slice.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orchestrator/ports/event_log.h"

namespace baton {

struct EventFrame {
  std::int64_t sequence = 0;
  std::string kind;
  std::string guid;
  std::string domain;
  std::vector<std::string> cells;  // where it is or was
  grpc::Slice bytes;               // an entry of SubscribeResponse.events
  grpc::Slice reduced;             // the same for who may not see what apps and their controllers keep to themselves
};
using EventFrames = std::vector<std::shared_ptr<const EventFrame>>;

std::shared_ptr<const EventFrame> MakeFrame(const EventRow& row);

}  // namespace baton
