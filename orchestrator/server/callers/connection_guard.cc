#include "orchestrator/server/callers/connection_guard.h"

#include <algorithm>
#include <utility>

#include "orchestrator/bounds/cut_connection.h"

namespace baton {
namespace {

constexpr std::chrono::milliseconds kInterval{10};  // at how many calls there are in all
constexpr std::chrono::milliseconds kQuiet{20};     // while none has begun since the last look
constexpr std::chrono::milliseconds kAlarmed{2};   // once they have piled up, until kListed has passed without
constexpr std::chrono::milliseconds kListed{500};  // at which connections there are

}  // namespace

ConnectionGuard::ConnectionGuard(int port, const bounds::ConnectionLimits& most, WhoIs who_is, Log& log,
                                 Metrics& metrics)
    : connections_(port), book_(most), who_is_(std::move(who_is)), log_(log), metrics_(metrics),
      ticker_(kInterval, [this] {
        Look(Steady::now());
        return Steady::now() - alarmed_ < kListed ? kAlarmed : quiet_ ? kQuiet : kInterval;
      }) {}

void ConnectionGuard::Look(Steady::time_point now) {
  const bounds::Connections::Calls calls = connections_.CallsOfAll();
  quiet_ = calls.started == std::exchange(started_, calls.started);
  before_.held = std::min(before_.held, calls.held);
  const bool at_calls = book_.pressed(held_by_ended_) || calls.held - before_.held > book_.suspicious() ||
                        calls.failed - before_.failed > book_.suspicious();
  if (!at_calls && now - listed_ < kListed) return;
  LookAtAll(now, at_calls);
  listed_ = now;
  if (!at_calls) return;
  before_ = calls;
  alarmed_ = now;
}

bounds::KnownConnection ConnectionGuard::Named(const bounds::Connection& connection, const bounds::ConnectionState& state) const {
  const auto identity = state.certificate.empty() ? std::nullopt : who_is_(state.certificate);
  if (!identity) return {connection, "", false};
  return {connection, Show(*identity), identity->role == Role::kCell || identity->role == Role::kRouter};
}

std::vector<bounds::KnownConnection> ConnectionGuard::Known(Steady::time_point now, bool at_calls,
                                                            const std::vector<std::string>& accepted,
                                                            std::vector<bounds::CutOff>& floods) {
  std::vector<bounds::KnownConnection> all;
  std::vector<std::pair<bounds::KnownConnection, bounds::ConnectionState>> looked_at;
  const std::set<std::string> open(accepted.begin(), accepted.end());
  held_by_ended_ = 0;
  for (const bounds::Connection& connection : connections_.All()) {
    auto at = known_.find(connection.id);
    if (at == known_.end() || at_calls) {
      const auto state = bounds::Connections::StateOf(connection);
      if (!state) continue;
      if (at == known_.end()) at = known_.emplace(connection.id, Named(connection, *state)).first;
      // gRPC lists one that has ended until the last of its calls is free.
      if (open.contains(connection.peer) && !cut_.contains(connection.peer)) {
        looked_at.emplace_back(at->second, *state);
      } else {
        held_by_ended_ += state->calls_held;
      }
    }
    all.push_back(at->second);
  }
  for (const auto& [connection, state] : looked_at) {
    if (auto flood = book_.Flood(connection, state, held_by_ended_, now)) floods.push_back(*std::move(flood));
  }
  known_.clear();
  for (const bounds::KnownConnection& one : all) known_.emplace(one.connection.id, one);
  book_.Forget(all);
  return all;
}

void ConnectionGuard::LookAtAll(Steady::time_point now, bool at_calls) {
  const std::vector<std::string> accepted = bounds::PeersAt(connections_.port());  // before those whose handshake is over
  std::vector<bounds::CutOff> cuts;
  const std::vector<bounds::KnownConnection> known = Known(now, at_calls, accepted, cuts);
  for (auto& more : {book_.TooMany(known), book_.Unfinished(accepted, known, now)}) cuts.insert(cuts.end(), more.begin(), more.end());
  std::erase_if(cut_, [&](const std::string& peer) { return std::ranges::find(accepted, peer) == accepted.end(); });
  for (const bounds::CutOff& cut : cuts) Cut(cut);
  metrics_.Set("baton_connections", static_cast<double>(known.size()));
}

void ConnectionGuard::Cut(const bounds::CutOff& cut) {
  // gRPC takes a moment to find it closed.
  if (bounds::CutConnection(cut.peer) == 0 || !cut_.insert(cut.peer).second) return;
  metrics_.Count("baton_connections_cut_off_total", cut.why);
  log_.Warn("connection_cut_off", {{"peer", cut.peer}, {"caller", cut.who}, {"why", cut.why}, {"limit", cut.limit}});
}

}  // namespace baton
