// One stream of Routes.Connect. gRPC's threads only post what arrives into the mailbox; all else is the loop's.
#pragma once

#include <grpcpp/channel.h>

#include <cstdint>
#include <memory>

#include "baton/v2/routes_service.pb.h"
#include "tools/router/link/mailbox.h"

namespace baton::router {

class RoutesStream {
 public:
  // Connects; what comes is posted with `number`. The mailbox must outlive the stream.
  RoutesStream(const std::shared_ptr<grpc::Channel>& channel, std::uint64_t number, Mailbox& mailbox);
  // Ends it if it has not ended, and waits until gRPC has let go of it.
  ~RoutesStream();
  RoutesStream(const RoutesStream&) = delete;
  RoutesStream& operator=(const RoutesStream&) = delete;

  std::uint64_t number() const { return number_; }
  // Never blocks; messages go out in order.
  void Send(v2::RouteConsumerMessage message);
  // No more messages after those that wait; the server then ends the stream.
  void Finish();
  void Cancel();

 private:
  class Reactor;
  std::uint64_t number_;
  std::unique_ptr<Reactor> reactor_;
};

}  // namespace baton::router
