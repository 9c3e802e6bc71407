// Sends requests as time goes by, whatever becomes of those before (an open loop), and writes down what becomes of
// them. Lives in one thread, that of its io_context.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "tools/load/asio.h"
#include "tools/load/connection.h"
#include "tools/load/kept_pool.h"
#include "tools/load/ledger.h"
#include "tools/load/options.h"

namespace baton::load {

class Traffic {
 public:
  using Clock = std::chrono::steady_clock;

  Traffic(asio::io_context& io, LoadOptions options, tcp::endpoint endpoint, Ledger& ledger);

  // Request n is due at start + n / rate.
  void Start(Clock::time_point start);
  // Sends no more. The io_context runs out of work when the last request has its answer, or has failed.
  void Stop();

 private:
  void Tick();
  void SendWhatIsDue(Clock::time_point now);
  void Send(Clock::time_point due);
  RequestKind NextKind();
  std::shared_ptr<LoadConnection> NewConnection();
  void SendOnNew(RequestKind kind, Clock::time_point due);
  void SendOnKept(RequestKind kind, Clock::time_point due);
  void Finished(RequestKind kind, Clock::time_point due, const LoadOutcome& outcome);
  Clock::time_point Due(std::int64_t request) const;
  const std::string& Path(RequestKind kind) const { return IsSlow(kind) ? slow_path_ : fast_path_; }

  asio::io_context& io_;
  LoadOptions options_;
  LoadTarget target_;
  Ledger& ledger_;
  asio::steady_timer timer_;
  KeptPool pool_;
  std::string fast_path_ = "/";
  std::string slow_path_;
  Clock::time_point start_;
  std::int64_t sent_ = 0;
  std::int64_t slow_sent_ = 0;
  std::int64_t in_flight_ = 0;
  bool stopping_ = false;
};

}  // namespace baton::load
