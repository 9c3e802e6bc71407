// One WatchRoll stream, read beside the program so that the picture's clock goes on while nothing happens.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "baton/v2/rolls_service.pb.h"
#include "tools/baton/connection.h"
#include "tools/client/hints.h"

namespace baton::cli {

class RollStream {
 public:
  RollStream(Connection& connection, const v2::WatchRollRequest& request);
  // Cancels what still runs.
  ~RollStream();

  RollStream(const RollStream&) = delete;
  RollStream& operator=(const RollStream&) = delete;

  // The next answer; nothing: none came in that time, or the stream has ended.
  std::optional<v2::WatchRollResponse> Next(std::chrono::milliseconds most);
  // How it ended; nothing: it has not, or there are answers to take.
  std::optional<grpc::Status> Ended();
  // Once it has ended: whom the batond has named instead of itself; empty: nobody.
  std::string leader() const { return HintsIn(context_).leader; }

 private:
  void Read(const std::shared_ptr<grpc::Channel>& channel, const v2::WatchRollRequest& request);

  grpc::ClientContext context_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<v2::WatchRollResponse> answers_;
  std::optional<grpc::Status> ended_;
  std::thread reader_;  // last: it uses the others
};

}  // namespace baton::cli
