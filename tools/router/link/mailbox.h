// What reaches the router's loop from gRPC's threads. The loop waits on fd() together with signals and processes.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "baton/v2/routes_service.pb.h"
#include "orchestrator/base/unique_fd.h"
#include "tools/client/hints.h"

namespace baton::router {

// Streams are numbered, so that what a stream left behind is not taken for its successor's.
struct StreamSaid {
  std::uint64_t stream = 0;
  v2::RouteMessage message;
  std::string data;  // of a stream's first: DataIn
};
struct StreamEnded {
  std::uint64_t stream = 0;
  int code = 0;
  std::string message;
  Hints hints;
};
using Letter = std::variant<StreamSaid, StreamEnded>;

class Mailbox {
 public:
  Mailbox();
  // From any thread.
  void Post(Letter letter);
  // Everything that is there, in order.
  std::vector<Letter> TakeAll();
  int fd() const { return wake_.get(); }  // readable while there is something

 private:
  UniqueFd wake_;
  std::mutex mutex_;
  std::vector<Letter> letters_;
};

}  // namespace baton::router
