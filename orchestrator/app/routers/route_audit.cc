#include "orchestrator/app/routers/route_audit.h"

#include <utility>

namespace baton {
namespace {

// An audit leaves room for others: at the store, where cells' reports wait as well, and on the loop.
constexpr std::size_t kTurnsAtOnce = 100;
constexpr std::size_t kGoneMost = 10'000;  // of one look: more come with the next audit

}  // namespace

struct RouteAudit::Turns {
  std::vector<ProcessGuid> waiting;
  std::size_t open = 0;
  std::vector<ProcessGuid> stale;
  Done done;
};

std::vector<ProcessGuid> RouteAudit::Suspects(const Apps& apps) const {
  std::vector<ProcessGuid> suspects;
  std::set<ProcessGuid> with_rows = apps.broken;
  for (const AppState& app : apps.read) {
    with_rows.insert(app.guid);
    if (!table_.Matches(app.guid, RoutingOf(app), app.actuals)) suspects.push_back(app.guid);
  }
  for (ProcessGuid& guid : table_.Between(apps.after, apps.last, kGoneMost)) {
    if (!with_rows.contains(guid)) suspects.push_back(std::move(guid));
  }
  return suspects;
}

void RouteAudit::Look(const Apps& apps, const Done& done) {
  const auto turns = std::make_shared<Turns>(Turns{.waiting = Suspects(apps), .done = done});
  if (turns->waiting.empty()) return done({});
  for (std::size_t i = 0; i < kTurnsAtOnce; ++i) NextTurn(turns);
}

// A commit since the rows were read is no fault: what an app's turn at the store finds is.
void RouteAudit::NextTurn(const std::shared_ptr<Turns>& turns) {
  if (turns->waiting.empty()) {
    if (turns->open == 0 && turns->done) std::exchange(turns->done, nullptr)(std::move(turns->stale));
    return;
  }
  ++turns->open;
  const ProcessGuid guid = std::move(turns->waiting.back());
  turns->waiting.pop_back();
  anew_.emplace(guid, false);
  roller_.TellAnew("routes_anew", guid, "baton", [this, guid, turns] {
    loop_.Post([this, guid, turns] {
      if (const auto one = anew_.extract(guid); one && one.mapped()) turns->stale.push_back(guid);
      --turns->open;
      NextTurn(turns);
    });
  });
}

void RouteAudit::BeforeAnew(const AppState& app) {
  if (const auto at = anew_.find(app.guid); at != anew_.end())
    at->second = at->second || !table_.Matches(app.guid, RoutingOf(app), app.actuals);
}

}  // namespace baton
