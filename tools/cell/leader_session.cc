#include "tools/cell/leader_session.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "tools/cell/uuid.h"
#include "tools/shim/atomic_file.h"

namespace baton {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBackoffFirst{100};
constexpr milliseconds kBackoffMost{3000};
constexpr milliseconds kWelcomeWithin{5000};
constexpr milliseconds kEndWithin{1000};

std::int64_t ReadEpoch(const std::string& path) {
  const std::string text = ReadWholeFile(path).value_or("");
  std::int64_t epoch = 0;
  std::from_chars(text.data(), text.data() + text.size(), epoch);
  return epoch;
}

// Made once: it tells this cell from another one that was given its name.
std::string KeptDirectoryId(const std::string& path) {
  std::string id = ReadWholeFile(path).value_or("");
  if (!id.empty()) return id.substr(0, id.find('\n'));
  id = NewUuid();
  const Status kept = WriteWholeFile(path, id + "\n", Durability::kMachine);
  return kept ? id : std::string();
}

}  // namespace

LeaderSession::LeaderSession(EventLoop& loop, Log& log, LeaderListener& listener, std::vector<std::string> addresses,
                             const std::string& directory)
    : loop_(loop), log_(log), listener_(listener), addresses_(std::move(addresses)), epoch_file_(directory + "/epoch"),
      directory_id_(KeptDirectoryId(directory + "/directory-id")), highest_epoch_(ReadEpoch(epoch_file_)),
      link_(loop, {[this](const v2::LeaderToCell& message) { Received(message); },
                   [this](const std::string& why) { Reconnect(why); }}),
      backoff_(kBackoffFirst, kBackoffMost) {}

LeaderSession::~LeaderSession() { loop_.Cancel(timer_); }

void LeaderSession::Start() { Connect(); }

void LeaderSession::Connect() {
  link_.Open(addresses_[next_address_ % addresses_.size()]);
  v2::CellMessage first;
  *first.mutable_hello() = listener_.Hello();
  first.mutable_hello()->set_highest_epoch(highest_epoch_);
  first.mutable_hello()->set_directory_id(directory_id_);
  link_.Send(std::move(first));
  timer_ = loop_.After(kWelcomeWithin, [this] { Reconnect("no welcome in time"); });
}

// The next address: a standby refuses, a dead one does not answer.
void LeaderSession::Reconnect(const std::string& why) {
  if (ended_) {
    loop_.Cancel(timer_);
    return link_.Shutdown(std::exchange(ended_, [] {}));
  }
  log_.Warn("leader lost", {{"address", addresses_[next_address_ % addresses_.size()]}, {"why", why}});
  link_.Close();
  loop_.Cancel(timer_);
  ++next_address_;
  if (std::exchange(welcomed_, false)) listener_.Disconnected();
  timer_ = loop_.After(backoff_.Next(), [this] { Connect(); });
}

bool LeaderSession::AcceptsEpoch(std::int64_t epoch) {
  if (epoch < highest_epoch_) return false;
  if (epoch == highest_epoch_) return true;
  // On the disk before anything of it is obeyed: after a restart the old leader must still be refused.
  if (const Status kept = WriteWholeFile(epoch_file_, std::to_string(epoch) + "\n", Durability::kMachine); !kept) {
    log_.Error("epoch not written", {{"error", kept.error().message}});
    return false;
  }
  highest_epoch_ = epoch;
  return true;
}

void LeaderSession::Received(const v2::LeaderToCell& message) {
  if (ended_) return;
  const std::int64_t epoch =
      message.has_welcome() ? std::min(message.epoch(), message.welcome().epoch()) : message.epoch();
  if (!AcceptsEpoch(epoch)) {
    return Reconnect("its epoch " + std::to_string(epoch) + " is not " + std::to_string(highest_epoch_) + " or higher");
  }
  if (message.has_welcome()) Welcomed(message.welcome());
  if (!welcomed_) return Reconnect("it sends before its welcome");
  for (const v2::CellReportResult& result : message.results()) listener_.Result(result);
  for (const v2::StopOrder& order : message.stop()) listener_.Stop(order);
  for (const v2::RunOrder& order : message.run()) listener_.Run(order);
}

void LeaderSession::Welcomed(const v2::CellWelcome& welcome) {
  log_.Info("welcomed", {{"address", addresses_[next_address_ % addresses_.size()]},
                         {"epoch", welcome.epoch()},
                         {"heartbeat_interval_ms", welcome.heartbeat_interval_ms()}});
  backoff_.Reset();
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
  timer_ = loop_.After(kEndWithin, shut);  // unless he ends the stream himself
}

}  // namespace baton
