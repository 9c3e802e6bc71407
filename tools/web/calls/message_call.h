// One call to batond, of any method, with messages that are known at run time only. gRPC's threads only post what comes
// to the loop; all else is the loop's.
#pragma once

#include <google/protobuf/message.h>
#include <grpcpp/channel.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/client/hints.h"
#include "tools/http/asio.h"
#include "tools/web/calls/in_flight.h"

namespace baton::web {

using MessagePtr = std::shared_ptr<google::protobuf::Message>;
using Metadata = std::vector<std::pair<std::string, std::string>>;

// What is asked.
struct Question {
  std::string path;  // "/baton.v2.Rolls/GetRoll"
  MessagePtr request;
  const google::protobuf::Message* answer = nullptr;  // its kind: the prototype
  Metadata metadata = {};
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

// How it ended.
struct Ending {
  grpc::Status status;
  Hints hints = {};
};

// A call under way. Whoever lets go of it cancels it, and hears no more of it.
class MessageCall {
 public:
  virtual ~MessageCall() = default;
  // Of a stream: the message before was dealt with, the next one may come.
  virtual void Next() = 0;
};

using OnMessage = std::function<void(MessagePtr)>;
using OnEnd = std::function<void(Ending)>;

// A method with one answer, or one that streams its answers: each comes as `message`, the one after it only when Next
// was said; then `end`. `in_flight` has it until gRPC lets go of it, and outlives that.
struct Loop {
  boost::asio::io_context& loop;
  std::shared_ptr<InFlight> in_flight;
};
std::unique_ptr<MessageCall> Begin(const Loop& loop, const std::shared_ptr<grpc::Channel>& channel,
                                   const Question& question, bool streams, OnMessage message, OnEnd end);

}  // namespace baton::web
