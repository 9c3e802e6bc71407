#include "orchestrator/bounds/connection_book.h"

#include <algorithm>
#include <set>

namespace baton::bounds {
namespace {

constexpr std::int64_t kSuspiciousMax = 500;

std::string Limit(std::int64_t most, const char* what, const char* option) {
  return std::to_string(most) + " " + what + " (" + option + ")";
}

}  // namespace

std::vector<CutOff> ConnectionBook::TooMany(const std::vector<KnownConnection>& oldest_first) const {
  std::vector<CutOff> cut;
  std::map<std::string, int> of;
  int all = 0;
  for (const KnownConnection& one : oldest_first) {
    const int own = one.of_machine ? most_.of_machine : most_.of_caller;
    const char* option = one.of_machine ? "--machine-connections" : "--identity-connections";
    if (!one.who.empty() && of[one.who] >= own) {
      cut.push_back({one.connection.peer, one.who, "identity connections", Limit(own, "connections of one caller", option)});
    } else if (all >= most_.all) {
      cut.push_back({one.connection.peer, one.who, "connections", Limit(most_.all, "connections", "--connections-most")});
    } else {
      ++of[one.who];
      ++all;
    }
  }
  return cut;
}

std::vector<CutOff> ConnectionBook::Unfinished(const std::vector<std::string>& accepted, const std::vector<KnownConnection>& known,
                                              Time now) {
  std::set<std::string> open(accepted.begin(), accepted.end());
  for (const KnownConnection& one : known) open.erase(one.connection.peer);
  std::erase_if(unfinished_, [&](const auto& one) { return !open.contains(one.first); });
  for (const std::string& peer : open) unfinished_.try_emplace(peer, now);
  std::vector<CutOff> cut;
  const auto most = static_cast<std::size_t>(most_.handshakes);
  if (unfinished_.size() <= most) return cut;
  std::vector<std::pair<Time, std::string>> by_age;
  for (const auto& [peer, since] : unfinished_) by_age.emplace_back(since, peer);
  std::ranges::sort(by_age);
  by_age.resize(by_age.size() - most);
  for (auto& [since, peer] : by_age) {
    cut.push_back({std::move(peer), "", "handshakes", Limit(most_.handshakes, "unfinished handshakes", "--handshakes-most")});
  }
  return cut;
}

std::optional<CutOff> ConnectionBook::Flood(const KnownConnection& of, const ConnectionState& state,
                                            std::int64_t held_by_ended, Time now) {
  Window& window = windows_.try_emplace(of.connection.id, Window{now, now, state.calls_cancelled}).first->second;
  if (state.calls_held > most_.held_max) {
    return CutOff{
        of.connection.peer, of.who, "calls held",
        Limit(most_.held_max, "calls of a connection that hold memory, cancelled ones too", "twice --streams-most")};
  }
  const bool is_new = now - window.first_seen < kCancelledWindow;
  if (is_new && pressed(held_by_ended) && state.calls_held > kHeldByNewMax) {
    return CutOff{of.connection.peer, of.who, "calls held",
                  Limit(kHeldByNewMax, "calls of a new connection",
                        "while those of ended ones hold more than twice --streams-most")};
  }
  const std::int64_t windows = std::max<std::int64_t>(1, (now - window.began) / kCancelledWindow);
  const bool too_many = state.calls_cancelled - window.cancelled > std::int64_t{most_.cancelled_max} * windows;
  if (now - window.began >= kCancelledWindow) window = {window.first_seen, now, state.calls_cancelled};
  if (!too_many) return std::nullopt;
  return CutOff{of.connection.peer, of.who, "cancels",
                Limit(most_.cancelled_max, "cancelled calls of a connection in 10 s", "--cancels-most")};
}

std::int64_t ConnectionBook::suspicious() const {
  return std::min({kSuspiciousMax, most_.held_max / 2, std::int64_t{most_.cancelled_max} / 2});
}

void ConnectionBook::Forget(const std::vector<KnownConnection>& known) {
  std::set<std::int64_t> there;
  for (const KnownConnection& one : known) there.insert(one.connection.id);
  std::erase_if(windows_, [&](const auto& one) { return !there.contains(one.first); });
}

}  // namespace baton::bounds
