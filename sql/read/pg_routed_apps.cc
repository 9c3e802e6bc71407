#include "sql/read/pg_routed_apps.h"

#include <algorithm>

#include "orchestrator/base/errors.h"
#include "orchestrator/model/version.h"
#include "sql/read/routed_reader.h"

namespace baton {
namespace {

constexpr std::size_t kAtOnce = 1000;

EventGaps::Writers WritersIn(const Rows& rows) {
  EventGaps::Writers writers;
  for (const auto row : rows) writers.insert(row.Text());
  return writers;
}

bool AreGone(const EventGaps::Writers& writers, const EventGaps::Writers& there) {
  return std::ranges::none_of(writers, [&](const std::string& writer) { return there.contains(writer); });
}

}  // namespace

// In this order: whoever is not among `before` any more had committed, or never will, before the events are read; and
// who has a sequence up to the newest one, and has not committed it, is among its writers.
PgRoutedApps::Look PgRoutedApps::LookNow(Session& session) {
  const auto rows =
      session.RunTogether({{"EventWriters"}, {"EventBounds"}, {"EventWriters"}, {"ReadMark"}, {"ReadSchemaMark"}});
  Look look{.before = WritersIn(rows[0]),
            .newest = {rows[1][0].Int("newest_given_out"), WritersIn(rows[2])},
            .oldest = rows[1][0].Int("oldest"),
            .history = rows[3][0].Text("store")};
  if (rows[4].empty()) return look;  // it is being restored, or somebody has emptied it
  const Rows::Row schema = rows[4][0];
  look.history += " " + schema.Text("mark");
  look.ours = schema.Int("current") == kSchemaMigration && schema.Int("target") == kSchemaMigration;
  return look;
}

// Not beside what is read ahead: the session is its.
Status PgRoutedApps::Run(Session::Isolation isolation, const std::function<void(Session&)>& body) {
  const auto session = session_.Get();
  if (!session) return session.error();
  const SessionError error = (*session)->Transact(isolation, [&](Session& s) { return body(s), true; });
  if (error.ok()) return Done{};
  return Away("the database did not answer the read" +
              (error.sqlstate.empty() ? "" : " (SQLSTATE " + error.sqlstate + ")"));
}

std::vector<AppState> PgRoutedApps::Take(LoadedApps loaded, std::vector<std::string>& broken) {
  std::vector<AppState> apps;
  for (auto& [guid, app] : loaded.apps) {
    const auto fault = loaded.broken.find(guid);
    if (fault == loaded.broken.end()) {
      broken_.erase(guid);
      apps.push_back(std::move(app));
      continue;
    }
    apps.push_back({.guid = guid});
    if (broken_.insert(guid).second) broken.push_back(guid.str() + ": " + fault->second.message);
  }
  return apps;
}

Result<bool> PgRoutedApps::Begin() {
  ahead_.reset();
  bool ours = false;
  bool begun = false;
  const Status status = Run(Session::Isolation::kEachAlone, [&](Session& s) {
    Look look = LookNow(s);
    ours = look.ours;
    const bool goes_on = history_ == look.history && !next_.writers.empty();
    begun = goes_on ? AreGone(next_.writers, look.before) : look.newest.writers.empty();
    if (begun) told_ = goes_on ? next_.sequence : look.newest.sequence;
    if (begun || !goes_on) next_ = std::move(look.newest);
    history_ = std::move(look.history);
  });
  if (!status) return status.error();
  if (!ours) return FailedPrecondition("the data is of another schema, or is being migrated");
  return begun;
}

Result<PgRoutedApps::RawPage> PgRoutedApps::ReadRaw(const ProcessGuid& after, int limit) {
  RawPage page;
  const Status status = Run(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    s.Run("PlanLists");
    std::vector<ProcessGuid> guids;
    for (const auto row : s.Run("ListApps", {after.str(), std::to_string(limit)})) guids.emplace_back(row.Text());
    if (static_cast<int>(guids.size()) == limit) page.next = guids.back();
    page.rows = ReadRouted(s, std::move(guids));
  });
  if (!status) return status.error();
  return page;
}

Result<PgRoutedApps::RawPage> PgRoutedApps::RawPageAfter(const ProcessGuid& after, int limit) {
  auto ahead = std::exchange(ahead_, std::nullopt);
  if (ahead && ahead->after == after && ahead->limit == limit) return ahead->page.get();
  ahead.reset();
  return ReadRaw(after, limit);
}

Result<RoutedApps::Page> PgRoutedApps::ReadPage(const ProcessGuid& after, int limit, bool ahead) {
  auto raw = RawPageAfter(after, limit);
  if (!raw) return raw.error();
  Page page;
  page.next = raw->next;
  if (page.next && ahead) {
    // Where there are no more threads it is read when it is asked for.
    constexpr auto kIfPossible = std::launch::async | std::launch::deferred;
    ahead_ = {*page.next, limit, std::async(kIfPossible, [this, next = *page.next, limit] { return ReadRaw(next, limit); })};
  }
  page.apps = Take(Decoded(raw->rows, cipher_), page.broken);
  return page;
}

Result<RoutedApps::Written> PgRoutedApps::Since() {
  ahead_.reset();
  Written written;
  const Status status = Run(Session::Isolation::kEachAlone, [&](Session& s) {
    Look look = LookNow(s);
    const bool went_back = look.newest.sequence < next_.sequence;
    const std::int64_t next_kept = look.oldest == 0 ? look.newest.sequence + 1 : look.oldest;
    const bool some_are_lost = next_kept > told_ + 1;  // or were never committed
    written.anew = look.history != history_ || went_back || some_are_lost;
    if (written.anew) return;
    std::set<ProcessGuid> apps = broken_;
    for (const auto row : s.Run("AppsOfEventsAfter", {std::to_string(told_)})) apps.emplace(row.Text());
    const std::vector<ProcessGuid> guids(apps.begin(), apps.end());
    for (auto from = guids.begin(); from != guids.end();) {
      const auto to = from + std::min<std::ptrdiff_t>(kAtOnce, guids.end() - from);
      std::ranges::move(Take(Decoded(ReadRoutedOf(s, {from, to}), cipher_), written.broken), std::back_inserter(written.apps));
      from = to;
    }
    if (AreGone(next_.writers, look.before)) {
      told_ = next_.sequence;
      next_ = std::move(look.newest);
    }
  });
  if (!status) return status.error();
  return written;
}

}  // namespace baton
