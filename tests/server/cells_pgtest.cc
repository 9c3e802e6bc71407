// Cells over their stream: honest ones, and ones that lie, repeat themselves or come too late (I31).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using ReportResult = v2::CellReportResult;
using ::testing::HasSubstr;

class CellsOverTheWire : public ::testing::Test {
 protected:
  CellsOverTheWire() { service.WaitForLead(); }

  v2::ActualLRP Only(const std::string& guid) {
    const auto all = service.Instances(guid);
    return all.size() == 1 ? all[0] : v2::ActualLRP();
  }
  // One instance of the app, running and ready on the cell.
  std::string RunOne(ScriptedCell& cell, const std::string& guid) {
    EXPECT_TRUE(service.Desire(RunningService::SmallApp(guid)).ok());
    const std::string id = cell.NextRun().actual_id();
    EXPECT_EQ(cell.Report(ScriptedCell::Claimed(id)).outcome(), ReportResult::APPLIED);
    EXPECT_EQ(cell.Report(ScriptedCell::Started(id)).outcome(), ReportResult::APPLIED);
    return id;
  }

  RunningService service;
};

TEST_F(CellsOverTheWire, AnInstanceIsOrderedClaimedAndStarted) {
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  const std::string id = RunOne(cell, "app");
  const v2::ActualLRP row = Only("app");
  EXPECT_EQ(row.actual_id(), id);
  EXPECT_EQ(row.state(), "RUNNING");
  EXPECT_TRUE(row.routable());
  EXPECT_EQ(row.instance_key().cell_id(), "cell-1");
  v2::ListCellsResponse cells;
  ASSERT_TRUE(service.cells->ListCells(Context().get(), {}, &cells).ok());
  ASSERT_EQ(cells.cells_size(), 1);
  EXPECT_TRUE(cells.cells(0).connected());
  EXPECT_EQ(cells.cells(0).state(), "PRESENT");
  EXPECT_EQ(cells.cells(0).available().memory_mb(), 4096 - 16);
}

TEST_F(CellsOverTheWire, ARepeatedReportChangesNothingTwice) {
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  const std::string id = RunOne(cell, "app");
  const v2::ActualLRP before = Only("app");
  EXPECT_EQ(cell.Report(ScriptedCell::Claimed(id)).outcome(), ReportResult::UNCHANGED);
  EXPECT_EQ(cell.Report(ScriptedCell::Started(id)).outcome(), ReportResult::UNCHANGED);
  EXPECT_EQ(Only("app").SerializeAsString(), before.SerializeAsString());
  EXPECT_EQ(cell.Report(ScriptedCell::Crashed(id)).outcome(), ReportResult::APPLIED);
  const int crashes = Only("app").crash_count();
  EXPECT_EQ(crashes, 1);
  const ReportResult again = cell.Report(ScriptedCell::Crashed(id));
  EXPECT_EQ(again.outcome(), ReportResult::UNCHANGED) << "that start is over already: " << again.message();
  EXPECT_EQ(Only("app").crash_count(), crashes);
}

TEST_F(CellsOverTheWire, ALieAboutAnothersInstanceIsRefusedAndChangesNothing) {
  ScriptedCell honest(service, "cell-1");
  honest.Hello();
  const std::string id = RunOne(honest, "app");
  const v2::ActualLRP before = Only("app");
  ScriptedCell liar(service, "cell-2");
  liar.Hello();
  EXPECT_EQ(liar.Report(ScriptedCell::Claimed(id, "-stolen")).outcome(), ReportResult::REFUSED);
  EXPECT_EQ(liar.Report(ScriptedCell::Started(id, "-run")).outcome(), ReportResult::REFUSED);
  EXPECT_EQ(liar.Report(ScriptedCell::Crashed(id, "-run")).outcome(), ReportResult::REFUSED);
  EXPECT_EQ(liar.Report(ScriptedCell::Started("no-such-id")).outcome(), ReportResult::REFUSED);
  EXPECT_EQ(liar.Report(ScriptedCell::Crashed("no-such-id")).outcome(), ReportResult::UNCHANGED)
      << "nobody says that it runs";
  EXPECT_EQ(honest.Report(ScriptedCell::Crashed(id, "-earlier-start")).outcome(), ReportResult::REFUSED);
  EXPECT_EQ(Only("app").SerializeAsString(), before.SerializeAsString());
}

TEST_F(CellsOverTheWire, AReportThatMakesNoSenseIsRefusedByName) {
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  const std::string id = RunOne(cell, "app");
  v2::CellReport report = ScriptedCell::Started(id);
  report.mutable_started()->mutable_net_info()->mutable_ports(0)->set_host_port(70000);
  const ReportResult odd_port = cell.Report(report);
  EXPECT_EQ(odd_port.outcome(), ReportResult::REFUSED);
  EXPECT_THAT(odd_port.message(), HasSubstr("net_info.ports[0].host_port is 70000"));
  report = ScriptedCell::Started(id);
  report.mutable_started()->mutable_net_info()->set_address("cell-1.example");
  EXPECT_THAT(cell.Report(report).message(),
              HasSubstr("net_info.address is 'cell-1.example'; it takes an IPv4 or IPv6"));
  report.mutable_started()->mutable_net_info()->set_address("169.254.169.254");
  EXPECT_THAT(cell.Report(report).message(), HasSubstr("169.254.169.254: it must be a machine's own"));
  report = ScriptedCell::Started(id);
  report.mutable_started()->mutable_net_info()->clear_ports();
  EXPECT_THAT(cell.Report(report).message(), HasSubstr("net_info.ports lacks container_port 8080 of definition"));
  report = ScriptedCell::Claimed(id);
  report.clear_claimed();
  EXPECT_THAT(cell.Report(report).message(), HasSubstr("fact is not set"));
}

TEST_F(CellsOverTheWire, AStartWithAPortThatTheDefinitionDoesNotHaveIsRefusedByName) {
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  const std::string id = cell.NextRun().actual_id();
  ASSERT_EQ(cell.Report(ScriptedCell::Claimed(id)).outcome(), ReportResult::APPLIED);
  v2::CellReport report = ScriptedCell::Started(id);
  v1::PortMapping& other = *report.mutable_started()->mutable_net_info()->add_ports();
  other.set_container_port(2222);
  other.set_host_port(61002);
  const ReportResult refused = cell.Report(report);
  EXPECT_EQ(refused.outcome(), ReportResult::REFUSED);
  EXPECT_THAT(refused.message(), HasSubstr("net_info.ports has container_port 2222, which is none of definition"));
  EXPECT_EQ(Only("app").state(), "CLAIMED");
}

TEST_F(CellsOverTheWire, ACrashKeepsExitStatusAndLastWordsAsText) {
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  const std::string id = RunOne(cell, "app");
  ASSERT_EQ(cell.Report(ScriptedCell::Crashed(id)).outcome(), ReportResult::APPLIED);
  const v2::ActualLRP row = Only("app");
  EXPECT_THAT(row.crash_reason(), HasSubstr("it fell over (exit status 3)\nSegmen??tation fault"));
}

TEST_F(CellsOverTheWire, AnInstanceThatNoRowKnowsIsStopped) {
  ScriptedCell cell(service, "cell-1");
  v2::CellInstance& stray = *cell.hello().add_instances();
  stray.set_actual_id("stray");
  stray.set_instance_guid("stray-run");
  stray.set_process_guid("gone");
  stray.set_state(v2::CellInstance::RUNNING);
  cell.Hello();
  EXPECT_TRUE(cell.WasToldToStop("stray"));
}

TEST_F(CellsOverTheWire, AnInstanceThatTheCellForgotIsStartedAgain) {
  {
    ScriptedCell cell(service, "cell-1");
    cell.Hello();
    RunOne(cell, "app");
  }
  ScriptedCell again(service, "cell-1");  // comes back with nothing in its hands
  again.Hello();
  const std::string id = again.NextRun().actual_id();
  EXPECT_EQ(again.Report(ScriptedCell::Claimed(id, "-second")).outcome(), ReportResult::APPLIED);
  EXPECT_EQ(again.Report(ScriptedCell::Started(id, "-second")).outcome(), ReportResult::APPLIED);
  EXPECT_TRUE(Eventually([&] { return Only("app").state() == "RUNNING"; }));
}

TEST_F(CellsOverTheWire, AStartThatIsOverIsNotClaimedAgain) {
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  const std::string id = RunOne(cell, "app");
  ASSERT_EQ(cell.Report(ScriptedCell::Crashed(id)).outcome(), ReportResult::APPLIED);
  ASSERT_EQ(cell.NextRun().actual_id(), id) << "started again at once";
  const ReportResult late = cell.Report(ScriptedCell::Claimed(id));
  EXPECT_EQ(late.outcome(), ReportResult::REFUSED);
  EXPECT_THAT(late.message(), HasSubstr("is over"));
  EXPECT_EQ(cell.Report(ScriptedCell::Started(id)).outcome(), ReportResult::REFUSED);
  EXPECT_EQ(cell.Report(ScriptedCell::Crashed(id)).outcome(), ReportResult::UNCHANGED) << "told before";
  EXPECT_EQ(Only("app").state(), "UNCLAIMED");
  EXPECT_EQ(Only("app").instance_key().SerializeAsString(), "");
  EXPECT_EQ(cell.Report(ScriptedCell::Claimed(id, "-second")).outcome(), ReportResult::APPLIED) << "the order stands";
  EXPECT_EQ(cell.Report(ScriptedCell::Started(id, "-second")).outcome(), ReportResult::APPLIED);
}

// The crash was told before the stream was lost, and its answer was not heard: the cell has the instance still, and tells
// it again.
TEST_F(CellsOverTheWire, WhatAHelloHoldsForAStartThatIsOverIsLetGoOf) {
  ScriptedCell other(service, "cell-2");
  std::string id;
  {
    ScriptedCell cell(service, "cell-1");
    cell.Hello();
    id = RunOne(cell, "app");
    other.Hello();
    ASSERT_EQ(cell.Report(ScriptedCell::Crashed(id)).outcome(), ReportResult::APPLIED);
  }
  ASSERT_EQ(other.NextRun().actual_id(), id) << "asked of the one that is there";
  ASSERT_EQ(other.Report(ScriptedCell::Claimed(id, "-second")).outcome(), ReportResult::APPLIED);
  ASSERT_EQ(other.Report(ScriptedCell::Started(id, "-second")).outcome(), ReportResult::APPLIED);

  ScriptedCell again(service, "cell-1");
  v2::CellInstance& crashed = *again.hello().add_instances();
  crashed.set_actual_id(id);
  crashed.set_instance_guid(id + "-run");
  crashed.set_process_guid("app");
  crashed.mutable_resources()->set_memory_mb(16);
  crashed.set_state(v2::CellInstance::STOPPING);
  again.Hello();
  EXPECT_EQ(again.Report(ScriptedCell::Crashed(id)).outcome(), ReportResult::UNCHANGED);
  v2::ListCellsResponse cells;
  ASSERT_TRUE(service.cells->ListCells(Context().get(), {}, &cells).ok());
  for (const v2::Cell& cell : cells.cells()) {
    EXPECT_EQ(cell.available().memory_mb(), cell.cell_id() == "cell-1" ? 4096 : 4096 - 16) << cell.cell_id();
  }
}

TEST_F(CellsOverTheWire, AnotherProtocolIsRefusedNamingBoth) {
  ScriptedCell cell(service, "cell-1");
  cell.hello().set_protocol_version(2);
  cell.Hello();
  ASSERT_TRUE(cell.WaitForEnd());
  const grpc::Status status = cell.Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("protocol_version is 2, this batond speaks 1"));
}

TEST_F(CellsOverTheWire, ACellFromTheFutureEndsTheStreamInsteadOfBeingBelieved) {
  ScriptedCell cell(service, "cell-1");
  cell.hello().set_highest_epoch(1000);
  cell.Hello();
  ASSERT_TRUE(cell.WaitForEnd());
  EXPECT_THAT(cell.Finish().error_message(), HasSubstr("epoch 1000"));
}

std::string StoreOf(const RunningService& service) {
  std::string store;
  const SessionError error = OpenSession(service.url())->Transact(
      Session::Isolation::kReadCommitted, [&](Session& s) { return store = s.Run("ReadStore")[0].Text("store_id"), true; });
  EXPECT_TRUE(error.ok()) << error.detail;
  return store;
}

TEST_F(CellsOverTheWire, ACellIsToldWhichStoreItBelongsTo) {
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  EXPECT_EQ(cell.Welcome().store_id(), StoreOf(service));
}

TEST_F(CellsOverTheWire, ACellOfAnotherStoreIsRefusedAndTheLeaderLeadsOn) {
  ScriptedCell cell(service, "cell-1");
  cell.hello().set_store_id("00000000-0000-4000-8000-000000000000");
  cell.hello().set_highest_epoch(1000);
  cell.Hello();
  ASSERT_TRUE(cell.WaitForEnd());
  const grpc::Status status = cell.Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("belongs to store 00000000-0000-4000-8000-000000000000"));
  EXPECT_TRUE(service.Serving());
  EXPECT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
}

// The cell reached the next leader before this one noticed: the database has the last word, not the cell.
TEST_F(CellsOverTheWire, ACellThatKnowsAnEpochWhichTheDatabaseKnowsTooStopsNobody) {
  const std::string store = StoreOf(service);
  const SessionError error = OpenSession(service.url())->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    return s.RunScript("UPDATE leases SET epoch = 1000 WHERE name = 'batond'"), true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  ScriptedCell cell(service, "cell-1");
  cell.hello().set_store_id(store);
  cell.hello().set_highest_epoch(1000);
  cell.Hello();
  ASSERT_TRUE(cell.WaitForEnd());
  // Another leads by now, as far as the database knows: this one is followed by whoever is elected next, and by nothing else.
  EXPECT_TRUE(Eventually([&] {
    v2::PingResponse ping;
    return service.admin->Ping(Context().get(), {}, &ping).ok() && ping.available() && ping.epoch() > 1000;
  }));
  EXPECT_FALSE(Exists(service.url(), "lost_epochs"));
}

TEST_F(CellsOverTheWire, AnEpochBeyondAnyReasonStopsNobody) {
  for (const std::int64_t epoch : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    ScriptedCell cell(service, "cell-1");
    cell.hello().set_store_id(StoreOf(service));
    cell.hello().set_highest_epoch(epoch);
    cell.Hello();
    ASSERT_TRUE(cell.WaitForEnd());
    EXPECT_EQ(cell.Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  }
  EXPECT_TRUE(service.Serving());
  EXPECT_FALSE(Exists(service.url(), "lost_epochs"));
}

TEST_F(CellsOverTheWire, ASecondStreamOfACellEndsTheFirst) {
  ScriptedCell first(service, "cell-1");
  first.Hello();
  ScriptedCell second(service, "cell-1");
  second.Hello();
  ASSERT_TRUE(first.WaitForEnd());
  EXPECT_THAT(first.Finish().error_message(), HasSubstr("connected again"));
}

// A name is known to everybody, the directory's id to the cell alone.
TEST_F(CellsOverTheWire, AStrangerWithTheNameOfACellIsRefusedAndTheCellStays) {
  ScriptedCell cell(service, "cell-1");
  cell.KeepBeating();
  cell.Hello();
  EXPECT_EQ(cell.Welcome().store_id(), StoreOf(service));
  for (const char* directory : {"", "another"}) {
    ScriptedCell stranger(service, "cell-1");
    stranger.hello().set_directory_id(directory);
    stranger.hello().set_store_id(StoreOf(service));
    stranger.hello().set_highest_epoch(1000);  // nor does it speak for it
    stranger.Hello();
    ASSERT_TRUE(stranger.WaitForEnd());
    EXPECT_EQ(stranger.Finish().error_code(), grpc::StatusCode::ALREADY_EXISTS);
  }
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  EXPECT_EQ(cell.Report(ScriptedCell::Claimed(cell.NextRun().actual_id())).outcome(), ReportResult::APPLIED);
  EXPECT_FALSE(Exists(service.url(), "lost_epochs"));
}

TEST_F(CellsOverTheWire, WhatAHelloNamesIsNotTheCellsForThat) {
  auto elsewhere = RunningService::SmallApp("elsewhere");  // no cell has its stack: it waits for one
  elsewhere.mutable_desired_lrp()->mutable_definition()->mutable_resource()->set_root_fs("other:");
  ASSERT_TRUE(service.Desire(elsewhere).ok());
  ASSERT_TRUE(Eventually([&] { return !service.Instances("elsewhere").empty(); }));
  const std::string id = Only("elsewhere").actual_id();
  ScriptedCell thief(service, "thief");
  v2::CellInstance& claimed = *thief.hello().add_instances();
  claimed.set_actual_id(id);
  claimed.set_instance_guid(id + "-run");
  claimed.set_process_guid("elsewhere");
  claimed.set_state(v2::CellInstance::CLAIMING);
  thief.Hello();
  for (const auto& report : {ScriptedCell::Claimed(id), ScriptedCell::Started(id), ScriptedCell::Crashed(id)}) {
    EXPECT_EQ(thief.Report(report).outcome(), ReportResult::REFUSED);
  }
  EXPECT_EQ(Only("elsewhere").state(), "UNCLAIMED");
  EXPECT_EQ(Only("elsewhere").crash_count(), 0);
}

// It was lost, what it ran runs elsewhere, and it comes back with it: once that is stopped there is room again.
TEST_F(CellsOverTheWire, WhatNoRowKnowsTakesRoomUntilItIsStopped) {
  ScriptedCell cell(service, "cell-1");
  v2::CellInstance& orphan = *cell.hello().add_instances();
  orphan.set_actual_id("orphan");
  orphan.set_instance_guid("orphan-run");
  orphan.set_process_guid("gone");
  orphan.mutable_resources()->set_memory_mb(4096);
  orphan.set_state(v2::CellInstance::RUNNING);
  cell.KeepBeating();
  cell.Hello();
  ASSERT_TRUE(cell.WasToldToStop("orphan"));
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  EXPECT_TRUE(Eventually([&] { return !Only("app").placement_error().empty(); })) << "the cell is full";
  v2::CellReport stopped;
  stopped.set_actual_id("orphan");
  stopped.set_instance_guid("orphan-run");
  stopped.mutable_stopped();
  EXPECT_EQ(cell.Report(stopped).outcome(), ReportResult::UNCHANGED);
  EXPECT_EQ(cell.NextRun().process_guid(), "app");
}

// A cell's new process counts its reports from 1 again: an answer to the old one's first is none to its own.
TEST_F(CellsOverTheWire, AnAnswerGoesToTheStreamOfItsReportOrNowhere) {
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  const std::string id = cell.NextRun().actual_id();
  ScriptedCell again(service, "cell-1");
  v2::CellInstance& there = *again.hello().add_instances();
  there.set_actual_id(id);
  there.set_instance_guid(id + "-run");
  there.set_process_guid("app");
  there.set_state(v2::CellInstance::CLAIMING);
  const auto held = OpenSession(service.url());
  const SessionError error = held->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("SET LOCAL idle_in_transaction_session_timeout = 0; SELECT actual_id FROM actual_lrps FOR UPDATE");
    v2::CellMessage message;
    *message.mutable_reports()->add_reports() = ScriptedCell::Claimed(id);
    message.mutable_reports()->mutable_reports(0)->set_report_id(1);
    cell.Send(message);
    // Answered without that row, after the claim was taken in hand.
    EXPECT_EQ(cell.Report(ScriptedCell::Started("nobody")).outcome(), ReportResult::REFUSED);
    again.Hello();
    EXPECT_TRUE(cell.WaitForEnd());
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  EXPECT_TRUE(Eventually([&] { return Only("app").state() == "CLAIMED"; }));
  EXPECT_EQ(again.Report(ScriptedCell::Started("nobody")).outcome(), ReportResult::REFUSED);
}

TEST_F(CellsOverTheWire, SomethingBeforeTheHelloEndsTheStream) {
  ScriptedCell cell(service, "cell-1");
  v2::CellMessage message;
  message.mutable_heartbeat();
  cell.Send(message);
  ASSERT_TRUE(cell.WaitForEnd());
  EXPECT_EQ(cell.Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace baton
