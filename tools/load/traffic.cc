#include "tools/load/traffic.h"

#include <algorithm>

namespace baton::load {
namespace {

// Between two looks at what has waited too long.
constexpr std::chrono::milliseconds kTick{20};

}  // namespace

Traffic::Traffic(asio::io_context& io, LoadOptions options, tcp::endpoint endpoint, Ledger& ledger)
    : io_(io), options_(std::move(options)), target_{.endpoint = std::move(endpoint),
                                                     .host = options_.host,
                                                     .timeout = options_.timeout},
      ledger_(ledger), timer_(io), pool_({.make = [this] { return NewConnection(); },
                                          .size = options_.kept_connections,
                                          .most = options_.kept_connections_most,
                                          .on_reconnect = [this] { ledger_.Reconnected(); }}),
      slow_path_("/slow?ms=" + std::to_string(options_.slow_ms)) {}

void Traffic::Start(Clock::time_point start) {
  start_ = start;
  Tick();
}

Traffic::Clock::time_point Traffic::Due(std::int64_t request) const {
  const std::chrono::duration<double> after(static_cast<double>(request) / options_.rate);
  return start_ + std::chrono::duration_cast<Clock::duration>(after);
}

void Traffic::Tick() {
  const Clock::time_point now = Clock::now();
  SendWhatIsDue(now);
  pool_.DropLate(now);
  if (stopping_ && in_flight_ == 0) return pool_.CloseIdle();
  timer_.expires_at(stopping_ ? now + kTick : std::min(Due(sent_), now + kTick));
  timer_.async_wait([this](error_code) { Tick(); });  // only Stop cancels it, to have it at once
}

// If this thread was kept from running, all that is overdue is sent at once: the rate is kept, not the distance.
void Traffic::SendWhatIsDue(Clock::time_point now) {
  while (!stopping_ && Due(sent_) <= now) Send(Due(sent_));
}

// Half of the fast ones and half of the slow ones go on a connection of their own.
RequestKind Traffic::NextKind() {
  const bool slow = options_.slow_every > 0 && (sent_ + 1) % options_.slow_every == 0;
  if (slow) return slow_sent_ % 2 == 0 ? RequestKind::kNewSlow : RequestKind::kKeptSlow;
  return (sent_ - slow_sent_) % 2 == 0 ? RequestKind::kNew : RequestKind::kKept;
}

void Traffic::Send(Clock::time_point due) {
  const RequestKind kind = NextKind();
  ++sent_;
  if (IsSlow(kind)) ++slow_sent_;
  ++in_flight_;
  ledger_.Sent();
  const bool kept = kind == RequestKind::kKept || kind == RequestKind::kKeptSlow;
  kept ? SendOnKept(kind, due) : SendOnNew(kind, due);
}

std::shared_ptr<LoadConnection> Traffic::NewConnection() { return std::make_shared<LoadConnection>(io_, target_); }

void Traffic::SendOnNew(RequestKind kind, Clock::time_point due) {
  NewConnection()->Ask(Path(kind), due, LoadConnection::After::kClose,
                       [this, kind, due](const LoadOutcome& outcome) { Finished(kind, due, outcome); });
}

void Traffic::SendOnKept(RequestKind kind, Clock::time_point due) {
  const auto ask = [this, kind, due](const std::shared_ptr<LoadConnection>& connection) {
    const auto done = [this, kind, due, connection](const LoadOutcome& outcome) {
      if (outcome.reusable) {
        pool_.GiveBack(connection);
      } else {
        outcome.failure.empty() ? pool_.Retired() : pool_.Lost();
      }
      Finished(kind, due, outcome);
    };
    connection->Ask(Path(kind), due, LoadConnection::After::kKeep, done);
  };
  const auto too_late = [this, kind, due] {
    Finished(kind, due,
             {.failure = "no answer within " + std::to_string(options_.timeout.count()) +
                         " ms, it was waiting for a connection (" + std::to_string(options_.kept_connections_most) +
                         " were busy)"});
  };
  pool_.Take({.until = due + options_.timeout, .user = ask, .too_late = too_late});
}

void Traffic::Finished(RequestKind kind, Clock::time_point due, const LoadOutcome& outcome) {
  const Clock::time_point now = Clock::now();
  const std::int64_t at_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - start_).count();
  if (outcome.failure.empty()) {
    ledger_.Answered({.at_ms = at_ms,
                      .latency_ms = std::chrono::duration<double, std::milli>(now - due).count(),
                      .kind = kind,
                      .version = outcome.answer.version,
                      .index = outcome.answer.index,
                      .instance = outcome.answer.instance});
  } else {
    ledger_.Failed({.at_ms = at_ms, .kind = kind, .text = outcome.failure});
  }
  --in_flight_;
}

void Traffic::Stop() {
  stopping_ = true;
  timer_.cancel();
}

}  // namespace baton::load
