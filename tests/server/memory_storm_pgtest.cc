// What batond keeps of the database in its memory (rows of apps, lists, events, routes, whose the host names are, what
// cells have left) is what the rows say, whatever happens at once: apps come, change, roll and go; others edit rows
// under them, keep transactions open, write events; answers to commits are lost; leaders change. In its long form, with
// BATON_STORM_ROUNDS, it is part of `./dev prove book`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <iostream>
#include <random>

#include "tests/fakes/commit_cutter.h"
#include "tests/fakes/long_form.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/silent_log.h"
#include "tests/server/foreign_hands.h"
#include "tests/server/key_file.h"
#include "tests/server/list_ways.h"
#include "tests/server/running_service.h"
#include "tests/server/storm_cells.h"
#include "tools/stack/free_port.h"
#include "tools/stack/state_dir.h"

namespace baton {
namespace {

using ::testing::IsEmpty;

constexpr int kStormApps = 16;
constexpr int kStormCells = 3;
constexpr int kStormInstancesMost = 12;  // from eight on an app's rows are kept from batch to batch
constexpr auto kBlows = std::chrono::seconds(2);
constexpr auto kSettles = std::chrono::seconds(60);

// With true: what is stored is sealed, and the key changes all the time.
class MemoryStorm : public ::testing::TestWithParam<bool> {
 protected:
  MemoryStorm() {
    WriteKeys();
    for (int i = 0; i < kStormApps; ++i) apps_.push_back("app-" + std::to_string(i));
    for (int i = 0; i < 2; ++i) {
      addresses_.push_back("127.0.0.1:" + std::to_string(stack::FreePort()));
      stubs_.emplace_back(grpc::CreateChannel(addresses_.back(), grpc::InsecureChannelCredentials()));
      Start(i);
    }
    cells_ = std::make_unique<StormCells>(kStormCells, addresses_);
    v2::UpsertDomainRequest fresh;  // or nothing of an app whose row is lost would be stopped
    fresh.set_domain("test");
    fresh.set_ttl_s(86400);
    v2::UpsertDomainResponse said;
    EXPECT_TRUE(Led().domains->UpsertDomain(Context().get(), fresh, &said).ok());
  }

  void Start(int which) {
    batond::ServiceOptions options;
    options.listen = addresses_[static_cast<std::size_t>(which)];
    options.metrics.clear();
    if (GetParam()) options.keys = keys_path_;
    options.converge_every = std::chrono::seconds(1);
    auto started = StartedService::Start(options, cutter_.url(), log_);
    ASSERT_TRUE(started) << started.error().message;
    services_[which].emplace(*std::move(started));
  }
  void WriteKeys() { WriteKeyFile(keys_path_, std::string("active ") + key_ + "\n" + KeyLine('a') + KeyLine('b')); }
  void ChangeKey() {
    key_ = key_ == 'a' ? 'b' : 'a';
    WriteKeys();
    const int standby = 1 - Leader();  // which has to have both: docs/guide/keys.md
    services_[standby].reset();
    Start(standby);
    v2::KeysResponse keys;
    const grpc::Status status = Led().admin->RotateKeys(Context().get(), {}, &keys);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  bool KeyChanged() {
    v2::KeysResponse keys;
    const grpc::Status status = Led().admin->Keys(Context().get(), {}, &keys);
    rotation_ = status.error_message() + keys.ShortDebugString();
    return keys.rotation().state() == "done" && keys.rotation().target() == std::string(1, key_);
  }
  // Of these that leads: its number. Waits until there is one.
  int Leader() {
    int leader = -1;
    EXPECT_TRUE(Eventually([&] {
      for (int i = 0; i < 2; ++i) {
        v2::PingResponse ping;
        if (services_[i] && stubs_[static_cast<std::size_t>(i)].admin->Ping(Context().get(), {}, &ping).ok() &&
            ping.available())
          leader = i;
      }
      return leader >= 0;
    }));
    return leader;
  }
  Stubs& Led() { return stubs_[static_cast<std::size_t>(std::max(Leader(), 0))]; }
  void ChangeLeader() {
    const int leader = Leader();
    services_[leader].reset();
    EXPECT_NE(Leader(), leader);
    Start(leader);
  }

  static v2::DesiredLRP App(const std::string& guid, const std::string& version, int instances) {
    v2::DesiredLRP app = RunningService::SmallApp(guid, instances).desired_lrp();
    auto& variable = *app.mutable_definition()->mutable_run_info()->add_environment_variables();
    variable.set_name("VERSION");
    variable.set_value(version);
    app.mutable_strategy()->set_min_healthy_time_ms(0);
    app.mutable_strategy()->mutable_max_surge()->set_count(4);
    app.mutable_strategy()->set_drain_timeout_ms(50);
    (*app.mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":[")" + guid + R"(.test"],"port":8080}])";
    return app;
  }
  // Whether it is there or not.
  static grpc::Status Put(Stubs& one, const v2::DesiredLRP& app) {
    v2::DesireLRPRequest desire;
    *desire.mutable_desired_lrp() = app;
    v2::DesireLRPResponse desired;
    const grpc::Status status = one.apps->DesireLRP(Context().get(), desire, &desired);
    if (status.error_code() != grpc::StatusCode::ALREADY_EXISTS) return status;
    v2::ReplaceDesiredLRPRequest replace;
    *replace.mutable_desired_lrp() = app;
    replace.set_reactivate(true);
    v2::UpdateDesiredLRPResponse replaced;
    return one.apps->ReplaceDesiredLRP(Context().get(), replace, &replaced);
  }
  static grpc::Status DrainCell(Stubs& one, int cell, bool drains) {
    v2::ChangeCellRequest change;
    change.set_cell_id("sim-" + std::to_string(cell));
    v2::ChangeCellResponse changed;
    return drains ? one.cells->DrainCell(Context().get(), change, &changed)
                  : one.cells->UndrainCell(Context().get(), change, &changed);
  }
  // To whoever leads; refusals are the leader changes' and the lost answers'.
  void Call(Stubs& one, std::mt19937& random) {
    const std::string& guid = apps_[random() % apps_.size()];
    const int number = static_cast<int>(random() % (kStormInstancesMost + 1));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(2));
    const int what = static_cast<int>(random() % 9);
    if (what == 8) {
      DrainCell(one, 1 + static_cast<int>(random() % kStormCells), random() % 3 == 0);
    } else if (what == 0) {
      v2::RemoveDesiredLRPRequest remove;
      remove.set_process_guid(guid);
      v2::RemoveDesiredLRPResponse removed;
      (void)one.apps->RemoveDesiredLRP(&context, remove, &removed);
    } else if (what < 4) {
      (void)Put(one, App(guid, std::to_string(random() % 5), number));
    } else {
      v2::UpdateDesiredLRPRequest update;
      update.set_process_guid(guid);
      update.mutable_update()->set_annotation(std::to_string(random()));
      if (what < 6) update.mutable_update()->set_instances(number);
      if (what == 7) {
        (*update.mutable_update()->mutable_routes()->mutable_routes())["cf-router"] =
            R"([{"hostnames":[")" + guid + "-" + std::to_string(number) + R"(.test"],"port":8080}])";
      }
      v2::UpdateDesiredLRPResponse updated;
      (void)one.apps->UpdateDesiredLRP(&context, update, &updated);
    }
  }
  void Blow(unsigned seed) {
    std::atomic<bool> over{false};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 3; ++i) {
      threads.emplace_back([&, i] {
        std::mt19937 random(seed + i);
        while (!over) {
          Call(stubs_[random() % 2], random);
          ++calls_;
        }
      });
    }
    threads.emplace_back([&] {  // answers of commits are lost, on both sides of the commit
      std::mt19937 random(seed + 10);
      while (!over) {
        cutter_.CutNext(random() % 2 == 0 ? CommitCutter::Cut::kBefore : CommitCutter::Cut::kAfter);
        if (Eventually([&] { return over || cutter_.cut(); }) && cutter_.cut()) ++lost_;
        (void)Eventually([&] { return over.load(); }, std::chrono::milliseconds(100 + random() % 300));
      }
      cutter_.CutNext(CommitCutter::Cut::kNone);
    });
    ForeignHands hands(direct_url_, apps_, /*sealed=*/GetParam(), seed + 20);
    (void)Eventually([] { return false; }, kBlows / 2);
    ChangeLeader();
    if (GetParam()) ChangeKey();
    (void)Eventually([] { return false; }, kBlows / 2);
    hands.Stop();
    over = true;
    for (auto& thread : threads) thread.join();
    edits_ += hands.committed();
    taken_back_ += hands.taken_back();
  }

  // Each app as nobody has edited it, and with it whatever is left of it.
  void SayLastWord(const std::string& version) {
    for (int cell = 1; cell <= kStormCells; ++cell) {
      ASSERT_TRUE(Eventually([&] { return DrainCell(Led(), cell, /*drains=*/false).ok(); })) << cell;
    }
    for (std::size_t i = 0; i < apps_.size(); ++i) {
      const v2::DesiredLRP app = App(apps_[i], version, static_cast<int>(i) % (kStormInstancesMost + 1));
      std::string why;
      ASSERT_TRUE(Eventually([&] {
        const grpc::Status status = Put(Led(), app);
        why = status.error_message();
        return status.ok();
      })) << apps_[i]
          << ": " << why;
    }
  }
  // What is not as it was asked for last, by the rows: one line each.
  std::vector<std::string> Unsettled() {
    std::vector<std::string> lines;
    for (const auto& row :
         Query("SELECT process_guid || ' has a roll that is ' || state FROM rolls UNION ALL "
               "SELECT d.process_guid || ' has not ' || d.instances FROM desired_lrps d WHERE d.instances <> "
               "(SELECT count(DISTINCT instance_index) FROM actual_lrps a WHERE a.process_guid = d.process_guid AND "
               "a.incarnation = "
               "d.incarnation AND a.presence = 'ORDINARY' AND a.state = 'RUNNING' AND a.routable_since IS NOT NULL AND "
               "a.definition_identifier = d.active_definition AND a.instance_index < d.instances) UNION ALL "
               "SELECT a.process_guid || '/' || a.instance_index || ' is ' || a.presence || ' ' || a.state FROM "
               "actual_lrps a LEFT "
               "JOIN desired_lrps d USING (process_guid, incarnation) WHERE d.process_guid IS NULL OR a.presence <> "
               "'ORDINARY' OR "
               "a.state <> 'RUNNING' OR a.instance_index >= d.instances ORDER BY 1")) {
      lines.push_back(row);
    }
    return lines;
  }
  std::vector<std::string> Query(const std::string& sql) {
    std::vector<std::string> values;
    const SessionError error =
        OpenSession(direct_url_)->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
          for (const auto row : s.RunScript(sql)) values.push_back(row.Text());
          return true;
        });
    EXPECT_TRUE(error.ok()) << error.detail;
    return values;
  }

  // The leader's table of routes.
  std::vector<v2::Endpoint> Endpoints() {
    v2::ListEndpointsRequest request;
    request.set_with_draining(true);
    const auto context = Context();
    const auto stream = Led().routes->ListEndpoints(context.get(), request);
    std::vector<v2::Endpoint> endpoints;
    for (v2::ListEndpointsResponse page; stream->Read(&page);)
      endpoints.insert(endpoints.end(), page.endpoints().begin(), page.endpoints().end());
    EXPECT_TRUE(stream->Finish().ok());
    return endpoints;
  }
  template <class Text>
  static std::vector<std::string> Texts(const std::vector<v2::Endpoint>& endpoints, Text text) {
    std::vector<std::string> texts;
    for (const auto& endpoint : endpoints) texts.push_back(text(endpoint));
    std::ranges::sort(texts);
    return texts;
  }
  // Memory of each cell that the leader has given away.
  std::vector<std::string> Promised() {
    v2::ListCellsResponse cells;
    EXPECT_TRUE(Led().cells->ListCells(Context().get(), {}, &cells).ok());
    std::vector<std::string> promised;
    for (const auto& cell : cells.cells()) {
      promised.push_back(cell.cell_id() + " " +
                         std::to_string(cell.capacity().memory_mb() - cell.available().memory_mb()));
    }
    std::ranges::sort(promised);
    return promised;
  }
  std::vector<std::string> PromisedByRows() {
    return Query(
        "SELECT c.cell_id || ' ' || coalesce(sum(d.memory_mb), 0) FROM cells c LEFT JOIN "
        "actual_lrps a USING "
        "(cell_id) LEFT JOIN definitions d USING (process_guid, incarnation, definition_identifier) GROUP BY c.cell_id "
        "ORDER BY 1");
  }
  std::vector<std::string> EndpointsByRows() {
    return Query("SELECT process_guid || '.test ' || actual_id FROM actual_lrps ORDER BY 1");
  }
  static void ExpectAlike(const std::vector<std::string>& memory, const std::vector<std::string>& rows,
                          const std::string& when) {
    std::vector<std::string> too_much, missing;
    std::ranges::set_difference(memory, rows, std::back_inserter(too_much));
    std::ranges::set_difference(rows, memory, std::back_inserter(missing));
    EXPECT_THAT(too_much, IsEmpty()) << when << ": in memory alone";
    EXPECT_THAT(missing, IsEmpty()) << when << ": in rows alone";
  }
  // What an audit found that only hands do, as one does by itself every ten minutes.
  std::int64_t FoundByAudit() {
    v2::ConvergenceRequest audit;
    audit.set_run(true);
    v2::ConvergenceResponse report;
    EXPECT_TRUE(Led().admin->Convergence(Context().get(), audit, &report).ok());
    std::int64_t found = 0;
    for (const auto& category : report.categories()) {
      if (category.name() == "stale_routes" || category.name() == "cell_out_of_step") found += category.found();
    }
    return found;
  }
  void ExpectMemoryIsWhatRowsSay(const std::string& when) {
    for (const ListWay& way : ListWays(Led())) {
      const Shown kept = way.kept("");
      ExpectSame(kept, way.read(apps_), when);
      rows_ += static_cast<int>(kept.size());
    }
    const auto short_of = [](const auto& e) { return e.hostname() + " " + e.actual_id(); };
    (void)Eventually([&] { return Texts(Endpoints(), short_of) == EndpointsByRows(); });
    const auto endpoints = Endpoints();
    ExpectAlike(Texts(endpoints, short_of), EndpointsByRows(), when);
    (void)Eventually([&] { return Promised() == PromisedByRows(); });  // where the cells are yet to come
    ExpectAlike(Promised(), PromisedByRows(), when);
    rows_ += static_cast<int>(endpoints.size());
  }

  const std::string direct_url_ = MigratedDatabase();
  stack::StateDir dir_;
  const std::string keys_path_ = dir_.path() + "/keys";
  char key_ = 'a';
  std::string rotation_;  // what is said of it
  CommitCutter cutter_{direct_url_, "InsertEvents"};
  SilentLog log_;
  std::vector<std::string> apps_;
  std::vector<std::string> addresses_;
  std::vector<Stubs> stubs_;
  std::optional<StartedService> services_[2];
  std::unique_ptr<StormCells> cells_;
  std::atomic<int> calls_{0};
  std::atomic<int> lost_{0};
  int edits_ = 0;
  int taken_back_ = 0;
  int rows_ = 0;
  std::int64_t mended_ = 0;
};

TEST_P(MemoryStorm, WhatIsKeptIsWhatTheRowsSay) {
  const int rounds = LongForm("BATON_STORM_ROUNDS", 1);
  const auto seed = static_cast<unsigned>(LongForm("BATON_STORM_SEED", static_cast<int>(std::random_device()() / 2)));
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    const std::string when = "round " + std::to_string(round);
    Blow(seed + 100 * static_cast<unsigned>(round));
    SayLastWord(when);
    ASSERT_TRUE(Eventually([&] { return Unsettled().empty(); }, kSettles)) << when << "\n"
                                                                           << ::testing::PrintToString(Unsettled());
    mended_ += FoundByAudit();
    ASSERT_TRUE(Eventually([&] { return Unsettled().empty(); }, kSettles)) << when << ", after an audit\n"
                                                                           << ::testing::PrintToString(Unsettled());
    ExpectMemoryIsWhatRowsSay(when + ", the leader");
    EXPECT_EQ(FoundByAudit(), 0) << when;
    const auto all = [](const auto& endpoint) { return endpoint.ShortDebugString(); };
    const auto before = Texts(Endpoints(), all);
    ChangeLeader();
    ExpectMemoryIsWhatRowsSay(when + ", who stood by");
    ExpectAlike(Texts(Endpoints(), all), before, when + ", what routers are told");
  }
  EXPECT_GT(lost_, 0);
  if (GetParam()) {
    EXPECT_TRUE(Eventually([&] { return KeyChanged(); })) << rotation_;
  }
  std::cout << "memory storm" << (GetParam() ? " over changing keys" : "") << ": " << rounds << " rounds, " << calls_
            << " calls, " << edits_ << " foreign commits and " << taken_back_ << " taken back, " << lost_
            << " lost answers of commits, " << 2 * rounds << " leader changes; " << mended_
            << " of what hands had done were found by audits; " << rows_ << " rows of memory compared, 0 differ"
            << std::endl;
}

INSTANTIATE_TEST_SUITE_P(Plain, MemoryStorm, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Sealed, MemoryStorm, ::testing::Values(true));

}  // namespace
}  // namespace baton
