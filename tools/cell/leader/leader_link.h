// The connection to a leader: one stream of messages, and calls for definitions. All callbacks run in the loop.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "baton/v2/cells_service.pb.h"
#include "baton/v2/definitions_service.pb.h"
#include "orchestrator/base/result.h"
#include "tools/client/channel.h"
#include "tools/client/hints.h"
#include "tools/shim/event_loop.h"

namespace grpc {
class Channel;
}

namespace baton::cell {

class LeaderLink {
 public:
  struct Events {
    std::function<void(const v2::LeaderToCell&)> message;
    std::function<void(const std::string& data)> data = [](const std::string&) {};  // with a stream's first: DataIn
    // The stream is over; not after Close. `nobody`: only because there is no leader.
    std::function<void(const std::string& why, bool nobody, const Hints& hints)> closed;
  };
  using OnDefinition = std::function<void(Result<v2::LRPDefinition>)>;

  LeaderLink(shim::EventLoop& loop, ClientCredentials credentials, Events events);
  // Only when idle.
  ~LeaderLink();

  // A new stream, in place of the present one.
  void Open(const std::string& address);
  bool open() const { return stream_ != nullptr; }
  // Nothing happens without a stream.
  void Send(v2::CellMessage message);
  // At once; `closed` is not called.
  void Close();
  // Sends what is queued, then half-closes the stream. `closed` is called when the leader ends it.
  void Finish();

  // From the leader of the last Open. kNotFound is final; all other errors may be retried.
  void Fetch(const v2::GetDefinitionRequest& request, OnDefinition on_definition);

  // Ends everything, and runs `idle` once no further callback can come.
  void Shutdown(std::function<void()> idle);

 private:
  class Stream;
  class Call;
  std::shared_ptr<grpc::Channel> ChannelTo(const std::string& address);
  // The connection of a stream that was refused for its certificate.
  void Forget(const Stream* stream);
  void Ended(const Stream* stream, const std::string& why, bool nobody, const Hints& hints);
  void OneLess();

  shim::EventLoop& loop_;
  const ClientCredentials credentials_;
  Events events_;
  std::map<std::string, std::shared_ptr<grpc::Channel>> channels_;
  std::string address_;
  std::shared_ptr<Stream> stream_;
  std::map<const Call*, std::shared_ptr<Call>> calls_;
  int outstanding_ = 0;  // streams and calls that gRPC still knows
  std::function<void()> idle_;
};

}  // namespace baton::cell
