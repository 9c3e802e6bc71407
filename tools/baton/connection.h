// The way to batond: several addresses, tried in turn, each call tried again while that is of use.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/baton/failure.h"
#include "tools/client/addresses.h"
#include "tools/client/channel.h"

namespace baton::cli {

struct ConnectionOptions {
  // HOST:PORT each; at least one.
  std::vector<std::string> addresses;
  // For one call with all its tries.
  std::chrono::milliseconds timeout{10'000};
  // Kept in histories as who asked; printable ASCII.
  std::string actor;
  // How it shows who it is, asked before each new connection; may throw Failure.
  std::function<ClientCredentials()> credentials = [] { return ClientCredentials(); };
  // Told once each: of the first batond that answers and is older than this program, of the first one without TLS, and
  // of rows that cannot be read.
  std::function<void(const std::string& warning)> warn = [](const std::string&) {};
};

class Connection {
 public:
  using Attempt = std::function<grpc::Status(const std::shared_ptr<grpc::Channel>&, grpc::ClientContext&)>;

  explicit Connection(ConnectionOptions options);

  // Makes the call at the address that answered last. While the answer is UNAVAILABLE (no batond there, or no leader)
  // the leader that a standby names and the next addresses are tried at once. After a round of all of them it waits, by
  // baton-retry-after-ms or with back-off, and starts over. `attempt` must be safe to repeat: a read, or a write with
  // an idempotency key. Ends within the timeout, with the last answer.
  grpc::Status Call(const Attempt& attempt);

  // The same without a second try at an address.
  grpc::Status CallOnce(const Attempt& attempt);

  // For streams, which have no deadline.
  const std::shared_ptr<grpc::Channel>& channel();
  void Prepare(grpc::ClientContext& context) const;
  // `leader`: the address that the last one named instead. True: it comes next, and without a wait.
  // A leader whose address was not given is learned, and said once, where it confirms that it leads.
  bool TryNextAddress(const std::string& leader);

  // No call lasts beyond it, whatever its own time is; nothing: its own time counts alone.
  void EndBy(std::optional<std::chrono::steady_clock::time_point> end) { end_ = end; }
  // What is left until then: 0 where it is over, `most` where that is less or there is no end.
  std::chrono::milliseconds Left(std::chrono::milliseconds most) const;

  void SayNothingOfData() { told_of_data_ = true; }

  const ConnectionOptions& options() const { return options_; }

 private:
  using Clock = std::chrono::steady_clock;
  grpc::Status Round(const Attempt& attempt, Clock::time_point end, std::chrono::milliseconds& wait);

  // It leads by its own word, under this very address, in the epoch that the present one knows of: it is not another
  // batond that is reached by the same address from here, as through a tunnel.
  bool Leads(const std::string& leader);
  void LookAtHead(const grpc::ClientContext& context);

  ConnectionOptions options_;
  std::optional<Clock::time_point> end_;
  bool warned_ = false;
  bool told_of_data_ = false;
  bool told_of_insecure_ = false;
  Addresses addresses_;
  std::map<std::string, std::shared_ptr<grpc::Channel>> channels_;  // made when first needed
};

// UNAVAILABLE and DEADLINE_EXCEEDED: another batond, or the same one later, may take the call.
bool IsUnreachable(const grpc::Status& status);

// What to tell of a call that was answered so; `what` names it, for example "app hello".
Failure FailureOf(const grpc::Status& status, const std::string& what, const ConnectionOptions& options);

}  // namespace baton::cli
