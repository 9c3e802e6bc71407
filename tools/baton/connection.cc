#include "tools/baton/connection.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "baton/v2/admin_service.grpc.pb.h"
#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/model/version.h"
#include "tools/baton/outcome.h"
#include "tools/client/backoff.h"
#include "tools/client/channel.h"
#include "tools/client/hints.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstRetryWait{100};
constexpr milliseconds kLongestRetryWait{2000};
constexpr milliseconds kPingMax{500};

std::string CodeName(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::INVALID_ARGUMENT: return "INVALID_ARGUMENT";
    case grpc::StatusCode::NOT_FOUND: return "NOT_FOUND";
    case grpc::StatusCode::ALREADY_EXISTS: return "ALREADY_EXISTS";
    case grpc::StatusCode::FAILED_PRECONDITION: return "FAILED_PRECONDITION";
    case grpc::StatusCode::ABORTED: return "ABORTED";
    case grpc::StatusCode::RESOURCE_EXHAUSTED: return "RESOURCE_EXHAUSTED";
    case grpc::StatusCode::UNIMPLEMENTED: return "UNIMPLEMENTED";
    case grpc::StatusCode::INTERNAL: return "INTERNAL";
    case grpc::StatusCode::DATA_LOSS: return "DATA_LOSS";
    default: return "status " + std::to_string(code);
  }
}

// What gRPC says of a connection that cannot be made, without what stands before the reason.
std::string Said(const grpc::Status& status) {
  const std::string text = OneLine(status.error_message());
  const std::string before = "last error: UNKNOWN: ";
  const std::size_t at = text.find(before);
  return at == std::string::npos ? text : text.substr(at + before.size());
}

// A server that takes connections and ends them before a word of gRPC: a batond's handshake with whom it does not believe.
bool EndedInHandshake(const grpc::Status& status) {
  const std::string& text = status.error_message();
  const auto has = [&text](const char* part) { return text.find(part) != std::string::npos; };
  return has("failed to connect") && (has("Socket closed") || has("Connection reset by peer"));
}

}  // namespace

Connection::Connection(ConnectionOptions options) : options_(std::move(options)), addresses_(options_.addresses) {}

const std::shared_ptr<grpc::Channel>& Connection::channel() {
  std::shared_ptr<grpc::Channel>& channel = channels_[addresses_.present()];
  if (!channel) channel = Dial(addresses_.present(), options_.credentials());
  return channel;
}

void Connection::Prepare(grpc::ClientContext& context) const { context.AddMetadata(kActorKey, options_.actor); }

void Connection::LookAtHead(const grpc::ClientContext& context) {
  if (InsecureIn(context) && !std::exchange(told_of_insecure_, true)) {
    options_.warn("batond at " + addresses_.present() + " is --insecure: whoever reaches it is admin");
  }
  const std::string data = DataIn(context);
  if ((data.starts_with("SYNCING") || data.starts_with("SWITCHING")) && !std::exchange(told_of_data_, true)) {
    options_.warn("the data is being upgraded (" + data + "): see baton admin upgrade-status");
  }
  const std::string older = OlderServerIn(context);
  if (older.empty() || std::exchange(warned_, true)) return;
  options_.warn("batond at " + addresses_.present() + " is " + older + ", older than this baton, which is " +
                kAppVersion + ": it refuses most calls; upgrade batond first");
}

bool Connection::Leads(const std::string& leader) {
  const auto ping = [this](const std::string& address, v2::PingResponse& answer) {
    grpc::ClientContext context;
    Prepare(context);
    context.set_deadline(std::chrono::system_clock::now() + Left(kPingMax));
    return v2::Admin::NewStub(Dial(address, options_.credentials()))->Ping(&context, v2::PingRequest(), &answer).ok();
  };
  v2::PingResponse standby, named;
  return ping(addresses_.present(), standby) && standby.leader_address() == leader && ping(leader, named) &&
         named.available() && named.leader_address() == leader && named.epoch() == standby.epoch();
}

bool Connection::TryNextAddress(const std::string& leader) {
  if (!leader.empty() && !addresses_.Knows(leader) && Leads(leader)) {
    options_.warn(addresses_.present() + " stands by, the leader is " + leader + ": it is asked instead");
    addresses_.Add(leader);
  }
  addresses_.Next(leader);
  return addresses_.named();
}

// One try at each address, and at each that one of them names, until one takes the call. `wait` becomes what the answers
// ask for, if that is longer.
grpc::Status Connection::Round(const Attempt& attempt, Clock::time_point end, milliseconds& wait) {
  grpc::Status status;
  for (std::size_t tried = 0; tried < addresses_.count();) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
    // An address that swallows packets must leave time for the others.
    const auto share = left / static_cast<std::int64_t>(addresses_.count() - tried);
    grpc::ClientContext context;
    Prepare(context);
    context.set_deadline(std::chrono::system_clock::now() + std::max(share, milliseconds(1)));
    status = attempt(channel(), context);
    LookAtHead(context);
    if (!IsUnreachable(status)) return status;
    const Hints hints = HintsIn(context);
    wait = std::max(wait, hints.retry_after);
    if (!TryNextAddress(hints.leader)) ++tried;
  }
  return status;
}

milliseconds Connection::Left(milliseconds most) const {
  if (!end_) return most;
  return std::clamp(std::chrono::ceil<milliseconds>(*end_ - Clock::now()), milliseconds(0), most);
}

grpc::Status Connection::Call(const Attempt& attempt) {
  const auto end = Clock::now() + Left(options_.timeout);
  Backoff backoff(kFirstRetryWait, kLongestRetryWait);
  while (true) {
    milliseconds wait = backoff.Next();
    grpc::Status status = Round(attempt, end, wait);
    if (!IsUnreachable(status) || Clock::now() + wait >= end) return status;
    std::this_thread::sleep_for(wait);
  }
}

grpc::Status Connection::CallOnce(const Attempt& attempt) {
  milliseconds unused{0};
  return Round(attempt, Clock::now() + Left(options_.timeout), unused);
}

bool IsUnreachable(const grpc::Status& status) { return ExitOf(status) == kUnreachable; }

Failure FailureOf(const grpc::Status& status, const std::string& what, const ConnectionOptions& options) {
  const std::string said = Said(status);
  if (!IsUnreachable(status)) return {kFailed, what + ": " + said + " (" + CodeName(status.error_code()) + ")"};
  std::string addresses;
  for (const std::string& address : options.addresses) addresses += (addresses.empty() ? "" : ", ") + address;
  if (EndedInHandshake(status)) {
    return {kUnreachable, "the server at " + addresses + " ended the TLS handshake (" + said +
                              "): it takes only who shows a certificate (--tls, --context) of an authority in its ca.pem that holds now. "
                              "`baton certs check DIR` looks at yours, and its log says why (peer_refused, library_message)"};
  }
  return {kUnreachable, "no batond takes calls at " + addresses + " (" + said +
                            "): is batond running? ./dev run starts one, --batond names another; one with TLS takes only who shows a certificate "
                            "(--tls, --context)"};
}

}  // namespace baton::cli
