// While a store works on the rows of 2.x, those of 1.x say the same after each commit.
#include "schema/legacy/dual_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <map>
#include <set>
#include <tuple>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/apps/retire.h"
#include "orchestrator/app/apps/slot.h"
#include "orchestrator/app/apps/update.h"
#include "orchestrator/app/leader/drive.h"
#include "schema/layouts.h"
#include "schema/legacy/rows.h"
#include "tests/adopt/diego.h"
#include "tests/adopt/in_step_database.h"
#include "tests/adopt/random_app.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<ProcessGuid> Guids(int apps) {
  std::vector<ProcessGuid> guids;
  for (int i = 0; i < apps; ++i) guids.emplace_back("app-" + std::to_string(i));
  return guids;
}

std::vector<LegacyApp> SomeApps(RandomApps& random, int apps) {
  std::vector<LegacyApp> made;
  for (const ProcessGuid& guid : Guids(apps)) made.push_back(random.Next(guid.str()));
  return made;
}

// Calls as they come to a store: controllers', cells' and routers'.
class Traffic {
 public:
  Traffic(InStepDatabase& database, RandomApps& random) : database_(database), random_(random) {}

  TestCall Next(const ProcessGuid& guid) {
    const AppState app = database_.Read(guid);
    for (const auto& [id, lrp] : app.actuals) presences_.insert(lrp.presence);
    if (!app.desired || app.actuals.empty() || random_.Chance(35)) return OfTheApp(guid, app);
    std::vector<const ActualLrp*> lrps;  // their ids are other ones each time
    for (const auto& [id, lrp] : app.actuals) lrps.push_back(&lrp);
    std::ranges::sort(lrps, {}, [](const ActualLrp* l) { return std::tie(l->incarnation, l->index, l->presence, l->since); });
    return OfTheInstance(guid, *lrps[static_cast<std::size_t>(random_.Upto(static_cast<int>(lrps.size())))]);
  }
  const std::set<Presence>& presences() const { return presences_; }

 private:
  TestCall Make(const char* name, const ProcessGuid& guid, std::function<Status(AppEdit&)> decide) {
    TestCall call{{.name = name, .guid = guid}};
    call.decide = std::move(decide);
    return call;
  }
  // With the planner behind it.
  TestCall Planned(const char* name, const ProcessGuid& guid, std::function<Status(AppEdit&)> decide) {
    return Make(name, guid, [decide = std::move(decide)](AppEdit& edit) {
      if (Status refused = decide ? decide(edit) : Status(Done{}); !refused) return refused;
      (void)RunPlanner(edit);
      return Status(Done{});
    });
  }
  TestCall Desire(const ProcessGuid& guid) {
    DesireRequest request;
    request.desired.domain = "new";
    request.desired.instances = random_.Upto(4);
    request.desired.annotation = random_.Text();
    request.desired.image_password = random_.Text();
    request.desired.strategy.min_healthy_time = Duration(0);
    request.definition = AnyDefinition(random_.Upto(3));
    return Planned("desire", guid, [=](AppEdit& edit) { return DecideDesire(edit, request); });
  }
  TestCall OfTheApp(const ProcessGuid& guid, const AppState& app) {
    if (!app.desired) return Desire(guid);
    UpdateRequest update;
    update.accept_unroutable = true;
    update.retry = true;
    update.strategy.min_healthy_time = Duration(0);
    const auto changed = [this, guid](const char* name, const UpdateRequest& request) {
      return Planned(name, guid, [=](AppEdit& edit) { return DecideUpdate(edit, request); });
    };
    switch (random_.Upto(8)) {
      case 0: return Planned("remove", guid, DecideRemove);
      case 1: return update.instances = random_.Upto(5), changed("scale", update);
      case 2: return update.annotation = random_.Text(), changed("annotate", update);
      case 3: return update.routes.emplace().payloads["tcp-router"] = random_.Text(), changed("route", update);
      case 4:
      case 5: return update.definition = AnyDefinition(random_.Upto(6)), changed("update", update);
      case 6: return Planned("retire", guid, [](AppEdit& edit) {
          Retirement retirement;
          return DecideRetireInstances(edit, {}, retirement);
        });
      default: return Planned("tick", guid, {});
    }
  }
  TestCall OfTheInstance(const ProcessGuid& guid, const ActualLrp& lrp) {
    const InstanceRef ref{lrp.id, MayRun(lrp) ? lrp.instance_guid : InstanceGuid("start-" + std::to_string(++starts_)),
                          MayRun(lrp) ? lrp.cell_id : CellId("cell-" + std::to_string(random_.Upto(3)))};
    const SlotRef slot{lrp.index, ref.instance_guid, ref.cell_id};
    const auto alone = [&](const char* name, std::function<Status(AppEdit&)> decide) {
      TestCall call = Make(name, guid, std::move(decide));
      call.instance = lrp.id;
      return call;
    };
    if (!MayRun(lrp) && random_.Chance(70)) return alone("claim", [=](AppEdit& e) { return DecideClaim(e, ref); });
    switch (random_.Upto(9)) {
      case 0: return Planned("crash", guid, [=](AppEdit& e) { return DecideCrash(e, ref, "it\nfell"); });
      case 1: return Planned("stopped", guid, [=](AppEdit& e) { return DecideStopped(e, ref); });
      case 2: return alone("applied", [=](AppEdit& e) {
          return DecideRouteApplied(e, ref.id, ref.instance_guid, ConsumerId("router"));
        });
      case 3: return alone("drained", [=](AppEdit& e) { return DecideRouteDrained(e, ref.id, ConsumerId("router")); });
      case 4: return alone("rejected", [=](AppEdit& e) { return DecidePlacementError(e, ref.id, "no room"); });
      // Whoever asks for an instance alone may find that it goes.
      case 5: return alone("stopped alone", [=](AppEdit& e) { return DecideStopped(e, ref); });
      case 6: return Planned("evacuate", guid, [=](AppEdit& e) {
          bool keep = false;
          return DecideEvacuateSlot(e, slot, keep);
        });
      default: {
        StartReport start{ref, {"10.0.0.9", "10.255.0.9", {}}, random_.Chance(80), "z9"};
        TestCall call = alone("start", [=, ran = lrp](AppEdit& e) mutable {
          const auto own = e.state().definitions.find({ran.incarnation, ran.definition});
          if (own == e.state().definitions.end()) return Status(Done{});
          start.net_info.ports.clear();
          for (const std::uint32_t port : own->second.ports) start.net_info.ports.push_back({port, 61009});
          return DecideStart(e, start);
        });
        call.with_definition = true;
        return call;
      }
    }
  }

  InStepDatabase& database_;
  RandomApps& random_;
  std::set<Presence> presences_;  // that were met
  int starts_ = 0;
};

// The rows of 2.x as far as 1.x has a place for them; of the working copy without what is on its way out, where 1.x shows
// one a slot as evacuating.
std::string Common(const std::string& url) {
  return Psql(url,
              "SELECT d.process_guid, d.domain, d.log_guid, d.instances, d.routes, d.annotation, d.metric_tags, "
              "d.credentials, d.created_at, d.modification_tag_epoch, d.modification_tag_index, f.content_hash, "
              "f.run_info, f.ports, f.needs FROM desired_lrps d JOIN definitions f ON (f.process_guid, f.incarnation, "
              "f.definition_identifier) = (d.process_guid, d.incarnation, d.active_definition) ORDER BY 1; "
              "SELECT process_guid, instance_index, presence, a.domain, state, instance_guid, cell_id, "
              // Without the starts that are over, field 1000 behind the endpoint: 1.x has no place for them.
              "regexp_replace(net_info::text, 'c23e.*', ''), zone, "
              "since, routable_since IS NULL, crash_count, crash_reason, placement_error, a.modification_tag_epoch, "
              "a.modification_tag_index FROM actual_lrps a JOIN desired_lrps d USING (process_guid, incarnation) "
              "WHERE presence IN ('ORDINARY', 'SUSPECT') ORDER BY 1, 2, 3");
}

// 1.x as it is now, split anew in a database of its own, where nothing is on its way out but what 1.x knows of.
std::string SplitAnew(InStepDatabase& database) {
  const std::string url = FreshDatabase();
  const auto session = OpenSession(url);
  const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    MakeLegacyLayout(s);
    InsertLegacyApps(s, database.OldApps());
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
  EXPECT_THAT(CopyToTarget(url), IsEmpty());
  return url;
}

constexpr int kApps = 12;

// What was done of each kind, and which presences were met.
struct Met {
  std::map<std::string, int> done;
  std::set<Presence> presences;
};

void WorkOn(int seed, Met& met) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomApps random(static_cast<std::uint64_t>(seed));
  InStepDatabase database(SomeApps(random, kApps - 3));
  const std::vector<ProcessGuid> guids = Guids(kApps);
  Traffic traffic(database, random);
  for (int step = 0; step < 150; ++step) {
    std::vector<TestCall> calls;
    for (int i = 1 + random.Upto(6); i > 0; --i) {
      calls.push_back(traffic.Next(guids[static_cast<std::size_t>(random.Upto(kApps))]));
    }
    std::string names;
    std::vector<std::string> kinds;
    for (const TestCall& call : calls) names += call.name + " " + call.guid.str() + ", ", kinds.push_back(call.name);
    const std::vector<Status> statuses = database.Do(std::move(calls));
    for (std::size_t i = 0; i < statuses.size(); ++i) met.done[kinds[i]] += statuses[i].ok();
    const baton::Compared compared = database.Compare(guids);
    ASSERT_THAT(compared.faults, IsEmpty()) << "step " << step << ": " << names;
    ASSERT_THAT(compared.differing, IsEmpty()) << "step " << step << ": " << names;
  }
  met.presences.insert(traffic.presences().begin(), traffic.presences().end());
  EXPECT_THAT(database.TakeChanges(), IsEmpty()) << "our own writes are not foreign";
  EXPECT_EQ(Common(SplitAnew(database)), Common(database.url()));
}

TEST(InStepWithTheStore, BothLayoutsSayTheSameAfterEachCommit) {
  Met met;
  for (int seed = 1; seed <= 5 && !::testing::Test::HasFailure(); ++seed) WorkOn(seed, met);
  EXPECT_EQ(met.presences.size(), 5u);
  for (const char* kind : {"desire", "remove", "scale", "annotate", "route", "update", "retire", "tick", "claim", "start",
                           "crash", "stopped", "stopped alone", "applied", "drained", "rejected", "evacuate"}) {
    EXPECT_GT(met.done[kind], 0) << kind;
  }
}

class Comparing : public ::testing::Test {
 protected:
  Comparing() : random(5), database(SomeApps(random, 6)) {}
  baton::Compared After(const std::string& sql) {
    Psql(database.url(), sql);
    return database.Compare(Guids(8));
  }
  RandomApps random;
  InStepDatabase database;
};

TEST_F(Comparing, NamesTheAppsThatDiffer) {
  EXPECT_THAT(database.Compare(Guids(8)).differing, IsEmpty());
  EXPECT_THAT(After("UPDATE legacy.desired_lrps SET instances = 99 WHERE process_guid = 'app-1'").differing,
              ElementsAre(ProcessGuid("app-1")));
  EXPECT_THAT(After("UPDATE actual_lrps SET zone = 'far' WHERE process_guid = 'app-3'").differing,
              ElementsAre(ProcessGuid("app-1"), ProcessGuid("app-3")));
  EXPECT_THAT(After("DELETE FROM legacy.actual_lrps WHERE process_guid = 'app-2'; DELETE FROM legacy.desired_lrps "
                    "WHERE process_guid = 'app-2'")
                  .differing,
              ElementsAre(ProcessGuid("app-1"), ProcessGuid("app-2"), ProcessGuid("app-3")));
}

TEST_F(Comparing, NamesWhatCannotBeReadWithTheReason) {
  const baton::Compared compared =
      After("UPDATE legacy.desired_lrps SET run_info = 'x' WHERE process_guid = 'app-0'; "
            "UPDATE definitions SET run_info = 'x' WHERE process_guid = 'app-1'; "
            "UPDATE legacy.desired_lrps SET domain = '' WHERE process_guid = 'app-2'; "
            "DELETE FROM legacy.desired_lrps WHERE process_guid = 'app-4'");
  EXPECT_THAT(compared.differing, IsEmpty());
  EXPECT_THAT(compared.faults, ElementsAre(HasSubstr("app-0: "), HasSubstr("app-1: "), HasSubstr("domain is empty"),
                                           HasSubstr("app-4: legacy.actual_lrps has instances of it")));
}

TEST_F(Comparing, CountsTheInstances) {
  EXPECT_EQ(std::to_string(database.Compare(Guids(8)).lrps) + "\n",
            Psql(database.url(), "SELECT count(*) FROM legacy.actual_lrps"));
}

// What cannot be told in 1.x must not stop what can: other apps of the batch go on.
TEST_F(Comparing, AnAppThatCannotBeJoinedIsLeftAsItIsAndNamed) {
  const ProcessGuid broken("app-1"), well("app-2");
  Psql(database.url(), "UPDATE definitions SET run_info = 'x' WHERE process_guid = 'app-1'");
  std::vector<TestCall> calls;
  for (const ProcessGuid& guid : {broken, well}) {
    calls.push_back({{.name = "annotate", .guid = guid}});
    calls.back().decide = [](AppEdit& edit) {
      edit.ChangeDesired().annotation = "new";
      return Status(Done{});
    };
  }
  for (const Status& status : database.Do(std::move(calls))) EXPECT_TRUE(status.ok());
  const baton::Compared compared = database.Compare({broken, well});
  EXPECT_THAT(compared.differing, IsEmpty());
  EXPECT_THAT(compared.faults, ElementsAre(HasSubstr("app-1: ")));
}

TEST_F(Comparing, DomainsAreCopiedAsTheyAre) {
  Psql(database.url(), "INSERT INTO domains (domain, expires_at) VALUES ('for-ever', NULL), ('some', to_timestamp(5.000001)),"
                       " ('far', '9999-01-01'); INSERT INTO legacy.domains VALUES ('gone', 1), ('some', 1)");
  LegacyDualWriter dual_writer;
  database.Within([&](Session& s) {
    for (const char* domain : {"for-ever", "some", "far", "gone", "nobody"}) dual_writer.WriteDomain(s, domain);
  });
  EXPECT_EQ(Psql(database.url(), "SELECT * FROM legacy.domains ORDER BY 1"),
            "far|9223372036854775806\nfor-ever|9223372036854775807\nsome|5000001000\n");
}

// Told, not held to: machines differ.
TEST(ComparingMany, TellsHowFastItWas) {
  constexpr int kMany = 4000;
  RandomApps random(9);
  std::vector<LegacyApp> apps;
  for (const ProcessGuid& guid : Guids(kMany)) {
    LegacyApp& app = apps.emplace_back(random.Next(guid.str()));
    app.actuals.clear();
    for (int i = 0; i < 5; ++i) app.actuals.push_back(random.Instance(i, v1::ActualLRP::ORDINARY, app.domain));
  }
  InStepDatabase database(apps);
  const std::vector<ProcessGuid> all = Guids(kMany);
  const auto begun = std::chrono::steady_clock::now();
  std::int64_t lrps = 0;
  for (int from = 0; from < kMany; from += 500) {
    const baton::Compared compared = database.Compare({all.begin() + from, all.begin() + from + 500});
    EXPECT_THAT(compared.differing, IsEmpty());
    EXPECT_THAT(compared.faults, IsEmpty());
    lrps += compared.lrps;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  EXPECT_EQ(lrps, kMany * 5);
  std::cout << "compared " << lrps << " LRPs in " << took.count() << " s: "
            << static_cast<std::int64_t>(static_cast<double>(lrps) / took.count()) << " LRPs/s\n";
}

// However many apps a batch changes.
TEST_F(Comparing, ABatchTakesABoundedNumberOfStatements) {
  static std::atomic<int> statements;
  const auto write = [&](int apps) {
    std::map<ProcessGuid, AppState> states;
    BatchChanges batch;
    std::set<ProcessGuid> whole;
    for (const ProcessGuid& guid : Guids(apps)) {
      AppState& state = states[guid] = database.Read(guid);
      BatchChanges::One& one = batch.apps[guid];
      one.after = &state;
      one.changes.desired = true;
      for (const auto& [id, lrp] : state.actuals) {
        one.changes.changed.insert(id);
        one.changes.events.push_back({.kind = EventKind::kActualChanged, .actual_before = lrp, .actual_after = lrp});
      }
      whole.insert(guid);
    }
    database.Within([&](Session& s) {
      Session::SetHook([](std::string_view) { ++statements; });
      statements = 0;
      LegacyDualWriter().Write(s, batch, whole);
      Session::SetHook(nullptr);
    });
    return statements.load();
  };
  EXPECT_EQ(write(6), write(1));
  EXPECT_LE(write(6), 5);
}

}  // namespace
}  // namespace baton::testing
