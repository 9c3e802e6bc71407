#include "tools/cell/leader/leader_session.h"

#include <algorithm>
#include <utility>

#include "orchestrator/base/uuid.h"
#include "tools/shim/atomic_file.h"

namespace baton::cell {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWaitMax{3000};
constexpr milliseconds kWelcomeTimeout{5000};
constexpr milliseconds kEndTimeout{1000};

// Made once: it tells this cell from another one that was given its name.
std::string KeptDirectoryId(const std::string& path) {
  std::string id = shim::ReadWholeFile(path).value_or("");
  if (!id.empty()) return id.substr(0, id.find('\n'));
  id = RandomUuid();
  const Status kept = shim::WriteWholeFile(path, id + "\n", shim::Durability::kMachine);
  return kept ? id : std::string();
}

}  // namespace

LeaderSession::LeaderSession(shim::EventLoop& loop, Log& log, LeaderListener& listener,
                             std::vector<std::string> addresses, const std::string& directory,
                             ClientCredentials credentials)
    : loop_(loop), log_(log), listener_(listener), search_(std::move(addresses), kWaitMax),
      epoch_fence_(directory + "/epoch"), directory_id_(KeptDirectoryId(directory + "/directory-id")),
      link_(loop, std::move(credentials),
            {.message = [this](const v2::LeaderToCell& message) { Received(message); },
             .data =
                 [this](const std::string& data) {
                   if (!data.empty()) log_.Info("data_upgrade", {{"data", data}});
                 },
             .closed = [this](const std::string& why, bool nobody,
                              const Hints& hints) { Reconnect(why, nobody, hints); }}) {}

LeaderSession::~LeaderSession() { loop_.Cancel(timer_); }

void LeaderSession::Start() { Connect(); }

void LeaderSession::Connect() {
  link_.Open(search_.address());
  v2::CellMessage first;
  *first.mutable_hello() = listener_.Hello();
  first.mutable_hello()->set_highest_epoch(epoch_fence_.epoch());
  first.mutable_hello()->set_store_id(epoch_fence_.store());
  first.mutable_hello()->set_directory_id(directory_id_);
  link_.Send(std::move(first));
  timer_ = loop_.After(search_.Patience(kWelcomeTimeout), [this] { Reconnect("no welcome in time"); });
}

void LeaderSession::Reconnect(const std::string& why, bool nobody, const Hints& hints) {
  if (ended_) {
    loop_.Cancel(timer_);
    return link_.Shutdown(std::exchange(ended_, [] {}));
  }
  // A cell that is started before batond, or beside a standby, has not lost anything.
  const bool lost = welcomed_ || !nobody;
  log_.Write(lost ? LogLevel::kWarn : LogLevel::kInfo, lost ? "leader_lost" : "leader_not_there",
             {{"address", search_.address()}, {"why", why}});
  link_.Close();
  loop_.Cancel(timer_);
  if (std::exchange(welcomed_, false)) listener_.Disconnected();
  timer_ = loop_.After(search_.Lost(hints), [this] { Connect(); });
}

void LeaderSession::Received(const v2::LeaderToCell& message) {
  if (ended_) return;
  const baton::Status accepted = message.has_welcome() ? epoch_fence_.Accept(message.welcome(), message.epoch())
                                                       : epoch_fence_.Accept(message.epoch());
  if (!accepted) return Reconnect(accepted.error().message);
  if (message.has_welcome()) Welcomed(message.welcome());
  if (!welcomed_) return Reconnect("it sends before its welcome");
  for (const v2::CellReportResult& result : message.results()) listener_.Result(result);
  for (const v2::StopOrder& order : message.stop()) listener_.Stop(order);
  for (const v2::RunOrder& order : message.run()) listener_.Run(order);
  for (const v2::OutputAsk& ask : message.output()) listener_.ShowOutput(ask);
}

void LeaderSession::Welcomed(const v2::CellWelcome& welcome) {
  log_.Info("welcomed", {{"address", search_.address()},
                         {"epoch", welcome.epoch()},
                         {"heartbeat_interval_ms", welcome.heartbeat_interval_ms()}});
  search_.Found();
  welcomed_ = true;
  // A little more often than asked, so that a late timer is no late heartbeat.
  const std::int64_t interval = std::clamp<std::int64_t>(welcome.heartbeat_interval_ms(), 50, 60'000);
  beat_every_ = milliseconds(interval * 3 / 4);
  loop_.Cancel(timer_);
  Beat();
  listener_.Connected();
}

void LeaderSession::Beat() {
  v2::CellMessage message;
  *message.mutable_heartbeat() = listener_.Heartbeat();
  link_.Send(std::move(message));
  timer_ = loop_.After(beat_every_, [this] { Beat(); });
}

void LeaderSession::Send(v2::CellMessage message) { link_.Send(std::move(message)); }

void LeaderSession::Fetch(const v2::GetDefinitionRequest& request, const std::string& content_hash) {
  link_.Fetch(request, [this, content_hash](baton::Result<v2::LRPDefinition> definition) {
    listener_.Definition(content_hash, std::move(definition));
  });
}

void LeaderSession::End(std::function<void()> ended) {
  loop_.Cancel(timer_);
  ended_ = std::move(ended);
  welcomed_ = false;
  const auto shut = [this] { link_.Shutdown(std::exchange(ended_, [] {})); };
  if (!link_.open()) return shut();
  link_.Finish();
  timer_ = loop_.After(kEndTimeout, shut);  // unless he ends the stream himself
}

}  // namespace baton::cell
