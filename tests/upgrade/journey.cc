#include "tests/upgrade/journey.h"

#include <gtest/gtest.h>

#include "orchestrator/model/version.h"
#include "schema/found.h"
#include "schema/layouts.h"
#include "schema/legacy/compare.h"
#include "schema/legacy/rows.h"
#include "schema/online/open_upgrade.h"
#include "tests/adopt/random_app.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

constexpr char kLease[] = "leader";
constexpr int kPageRows = 18;  // three apps
constexpr int kShards = 2;
constexpr UpgradeState kGoals[kWords] = {UpgradeState::kSwitched, UpgradeState::kWaiting, UpgradeState::kSwitched,
                                         UpgradeState::kNone};

void Within(const std::string& url, const std::function<void(Session&)>& body) {
  const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted,
                                                        [&](Session& s) { return body(s), true; });
  ASSERT_TRUE(error.ok()) << error.detail;
}

// Once for each time that the older layout counts; as no call of a store.
Status SomebodyWrites(const std::string& url, int word) {
  const auto session = Session::Open(url);
  if (!session) return session.error();
  const std::string tag = std::to_string(2000 + word);
  const SessionError error = (*session)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("UPDATE legacy.desired_lrps SET instances = instances + 1, modification_tag_index = " + tag +
                " WHERE process_guid = 'app-3' AND modification_tag_index <> " + tag);
    return true;
  });
  if (error.ok()) return Done{};
  return Error{ErrorKind::kUnavailable, error.detail, {}};
}

Status Say(PgUpgrade& upgrade, int word) {
  if (word == 1) return upgrade.RollBack();
  if (word == 3) return upgrade.Finish();
  return upgrade.Begin({.shards = kShards, .keep_old = true});
}

Status ToldSo(const LeadingProcess& process, const UpgradeView& record) {
  const auto mode = process.mode();
  const bool old_counts = SourceCounts(record.state);
  if (mode && mode->state == record.state && mode->one_definition == old_counts) return Done{};
  return Error{ErrorKind::kInternal, "callers were not told that it is " + std::string(Name(record.state)), {}};
}

}  // namespace

void MakeWaiting(const std::string& url) {
  RandomApps random(7);
  const auto session = OpenSession(url);
  const auto within = [&](const std::function<void(Session&)>& body) {
    const SessionError error =
        session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) { return body(s), true; });
    ASSERT_TRUE(error.ok()) << error.detail;
  };
  within([&](Session& s) {
    MakeLegacyLayout(s);
    std::vector<LegacyApp> apps;
    for (int i = 0; i < kJourneyApps; ++i) {
      apps.push_back(random.Next("app-" + std::to_string(i)));
      apps.back().tag_index = i;
    }
    InsertLegacyApps(s, apps);
    s.RunScript("INSERT INTO leases VALUES ('leader', 1, 'test', '', now(), now() + interval '110 seconds')");
  });
  Found found;
  within([&](Session& s) { found = LookAt(s); });
  const Status opened = OpenUpgrade(*session, *found.mark, {});
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  within([&](Session& s) {
    s.RunScript("UPDATE legacy.desired_lrps SET instances = 7, modification_tag_index = 1000 WHERE process_guid = 'app-1'; "
                "DELETE FROM legacy.actual_lrps WHERE process_guid = 'app-5'; "
                "DELETE FROM legacy.desired_lrps WHERE process_guid = 'app-5'");
    InsertLegacyApps(s, {random.Next("app-6")});
  });
}

std::vector<ProcessGuid> JourneyApps() {
  std::vector<ProcessGuid> guids;
  for (int i = 0; i <= kJourneyApps; ++i) guids.emplace_back("app-" + std::to_string(i));
  return guids;
}

LeadingProcess::LeadingProcess(const std::string& url)
    : url_(url), upgrade_(url, /*owner=*/"", PlainCipher(), gate_, log_,
                          {.mode =
                               [this](const DataMode& mode) {
                                 const std::lock_guard lock(mutex_);
                                 mode_ = mode;
                               },
                           .taken_over = [](const ProcessGuid&) {}}) {}

Status LeadingProcess::Lead() {
  const auto session = Session::Open(url_);
  if (!session) return session.error();
  std::int64_t epoch = 0;
  const SessionError error = (*session)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    epoch = s.RunScript("UPDATE leases SET epoch = epoch + 1, expires_at = now() + interval '110 seconds' RETURNING epoch")[0]
                .Int();
    return true;
  });
  if (!error.ok()) return Error{ErrorKind::kUnavailable, error.detail, {}};
  leadership_ = {kLease, epoch};
  return upgrade_.Lead(leadership_);
}

std::optional<DataMode> LeadingProcess::mode() const {
  const std::lock_guard lock(mutex_);
  return mode_;
}

Status Walk(LeadingProcess& process, const std::string& url, std::atomic<int>& word, int until) {
  PgUpgrade& upgrade = process.upgrade();
  for (; word < until; ++word) {
    if (Status said = Say(upgrade, word); !said) return said;
    for (;;) {
      const auto view = upgrade.Look();
      if (!view) return view.error();
      if (Status told = ToldSo(process, *view); !told) return told;
      if (view->state == kGoals[word]) break;
      if (view->state == UpgradeState::kSyncing) {
        if (Status written = SomebodyWrites(url, word); !written) return written;
      }
      const auto more = upgrade.Step(kPageRows);
      if (!more) return more.error();
    }
  }
  return Done{};
}

std::string AppsOf(const std::string& url) {
  return Psql(url,
              "SELECT d.process_guid, d.domain, d.log_guid, d.instances, d.routes, d.annotation, d.metric_tags, d.created_at, "
              "d.modification_tag_epoch, d.modification_tag_index, f.content_hash FROM desired_lrps d JOIN definitions f "
              "ON (f.process_guid, f.incarnation, f.definition_identifier) = (d.process_guid, d.incarnation, "
              "d.active_definition) ORDER BY 1; "
              "SELECT process_guid, instance_index, presence, a.domain, state, instance_guid, cell_id, net_info, zone, "
              "since, crash_count, crash_reason, placement_error, a.modification_tag_epoch, a.modification_tag_index "
              "FROM actual_lrps a JOIN desired_lrps d USING (process_guid, incarnation) ORDER BY 1, 2, 3, 6");
}

std::string Wrong(const std::string& url) {
  std::string wrong;
  Within(url, [&](Session& s) {
    const auto record = ReadUpgrade(s);
    const auto versions = s.Run("ReadVersions");
    const std::int64_t current = versions[0].Int("current");
    const bool old_counts = record && SourceCounts(record->state);
    const std::string state(Name(record ? record->state : UpgradeState::kNone));
    if (versions.size() != 1 || current != (old_counts ? kLegacyMigration : kSchemaMigration)) {
      wrong += "it is " + state + ", and current is " + std::to_string(current) + "\n";
    }
    if (!record || (!old_counts && !record->keep_old)) return;
    const baton::Compared compared = CompareShapes(s, JourneyApps());
    for (const std::string& fault : compared.faults) wrong += state + ": " + fault + "\n";
    for (const ProcessGuid& app : compared.differing) {
      const bool noted =
          s.RunScript("SELECT count(*) FROM legacy.changes WHERE foreign_write AND process_guid = '" + app.str() + "'")[0]
              .Int() == 1;
      if (!noted) wrong += state + ": the layouts say different things of " + app.str() + ", and nobody knows\n";
    }
  });
  return wrong;
}

}  // namespace baton::testing
