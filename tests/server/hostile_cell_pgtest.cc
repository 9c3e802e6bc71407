// What a cell may touch: the instances, definitions and addresses that are its own. Beside honest ones it lies in every field. Over TLS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/objects_fixture.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// What a test of cells begins with: one app with an instance that runs on honest-1.
class CellsObjects : public ::testing::Test {
 protected:
  void SetUp() override {
    secure.running().WaitForLead();
    ASSERT_TRUE(admin.Desire(AppIn("victim", "a", 1, "victim.example")).ok());
    honest.emplace(secure, "honest-1");
    order = honest->cell.NextRun();
    ASSERT_EQ(honest->cell.Report(ScriptedCell::Claimed(order.actual_id())).outcome(), v2::CellReportResult::APPLIED);
    ASSERT_EQ(honest->cell.Report(ScriptedCell::Started(order.actual_id())).outcome(), v2::CellReportResult::APPLIED);
  }
  std::string Rows() {
    std::string rows;
    for (auto& lrp : secure.running().Instances("victim")) rows += lrp.ShortDebugString() + "\n";
    return rows;
  }

  AccessText file{kRules};
  SecureService secure{With(file.path())};
  As admin{secure, Role::kAdmin, "root"};
  std::optional<CellOn> honest;
  v2::RunOrder order;
};

// B3: any "cell" claimed any instance, then fetched its secrets and got its traffic.
TEST_F(CellsObjects, ACellThatLiesInEveryFieldChangesNobodyElsesRows) {
  CellOn liar(secure, "liar");
  const std::string id = order.actual_id();
  const std::string run = id + "-run";
  const std::string before = Rows();
  // On its stream.
  for (const std::string& suffix : {std::string("-run"), std::string("-mine")}) {
    for (const auto& report : {ScriptedCell::Claimed(id, suffix), ScriptedCell::Started(id, suffix), ScriptedCell::Crashed(id, suffix),
                               ScriptedCell::Rejected(id, "no")}) {
      EXPECT_EQ(liar.cell.Report(report).outcome(), v2::CellReportResult::REFUSED) << report.ShortDebugString();
    }
    auto stopped = ScriptedCell::Claimed(id, suffix);
    stopped.mutable_stopped();
    EXPECT_EQ(liar.cell.Report(stopped).outcome(), v2::CellReportResult::REFUSED);
  }
  // By calls, under its own name and that of the victim's cell, by the row and by the slot.
  for (const bool by_slot : {false, true}) {
    for (const auto& key : {KeyOf("liar", run), KeyOf("liar", "mine"), KeyOf("honest-1", run)}) {  // the last is whose it is
      const auto fill = [&](auto& request) {
        if (by_slot) {
          request.mutable_slot()->set_process_guid("victim");
        } else {
          request.set_actual_id(id);
        }
        *request.mutable_instance_key() = key;
      };
      v2::ActualLRPLifecycleResponse answer;
      v2::ClaimActualLRPRequest claim;
      fill(claim);
      EXPECT_FALSE(liar.as.lrps->ClaimActualLRP(Context().get(), claim, &answer).ok()) << claim.ShortDebugString();
      v2::StartActualLRPRequest start;
      fill(start);
      *start.mutable_net_info() = ScriptedCell::Started(id).started().net_info();
      EXPECT_FALSE(liar.as.lrps->StartActualLRP(Context().get(), start, &answer).ok()) << start.ShortDebugString();
      v2::CrashActualLRPRequest crash;
      fill(crash);
      EXPECT_FALSE(liar.as.lrps->CrashActualLRP(Context().get(), crash, &answer).ok()) << crash.ShortDebugString();
      v2::RemoveActualLRPRequest remove;
      fill(remove);
      EXPECT_FALSE(liar.as.lrps->RemoveActualLRP(Context().get(), remove, &answer).ok()) << remove.ShortDebugString();
      v2::EvacuateActualLRPRequest evacuate;
      evacuate.mutable_slot()->set_process_guid("victim");
      *evacuate.mutable_instance_key() = key;
      v2::EvacuateActualLRPResponse evacuated;
      (void)liar.as.lrps->EvacuateActualLRP(Context().get(), evacuate, &evacuated);
    }
    v2::FailActualLRPRequest fail;
    by_slot ? fail.mutable_slot()->set_process_guid("victim") : fail.set_actual_id(id);
    fail.set_placement_error("nowhere");
    v2::ActualLRPLifecycleResponse answer;
    EXPECT_FALSE(liar.as.lrps->FailActualLRP(Context().get(), fail, &answer).ok());
  }
  EXPECT_EQ(liar.as.GetDefinition("victim", true).error_code(), StatusCode::NOT_FOUND);
  v2::ChangeCellRequest drain;
  drain.set_cell_id("honest-1");
  v2::ChangeCellResponse drained;
  EXPECT_EQ(liar.as.cells->DrainCell(Context().get(), drain, &drained).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(Rows(), before);
  EXPECT_TRUE(secure.running().Serving()) << "the leader stays";
  EXPECT_FALSE(honest->cell.HasHeardStop(id));
}

// The row waits for a cell, and the leader has asked another one.
TEST_F(CellsObjects, AnInstanceThatWaitsIsClaimedByWhoWasAsked) {
  ASSERT_TRUE(admin.Scale("victim", 2).ok());
  const auto second = honest->cell.NextRun();
  CellOn liar(secure, "liar");
  EXPECT_EQ(liar.cell.Report(ScriptedCell::Claimed(second.actual_id(), "-mine")).outcome(), v2::CellReportResult::REFUSED);
  EXPECT_EQ(liar.cell.Report(ScriptedCell::Rejected(second.actual_id(), "no")).outcome(), v2::CellReportResult::REFUSED);
  v2::ActualLRPLifecycleResponse answer;
  for (const bool by_slot : {false, true}) {
    v2::ClaimActualLRPRequest claim;
    v2::FailActualLRPRequest fail;
    fail.set_placement_error("nowhere");
    if (by_slot) {
      for (auto* slot : {claim.mutable_slot(), fail.mutable_slot()}) slot->set_process_guid("victim"), slot->set_index(second.index());
    } else {
      claim.set_actual_id(second.actual_id());
      fail.set_actual_id(second.actual_id());
    }
    *claim.mutable_instance_key() = KeyOf("liar", "mine");
    EXPECT_EQ(liar.as.lrps->ClaimActualLRP(Context().get(), claim, &answer).error_code(), StatusCode::FAILED_PRECONDITION);
    EXPECT_EQ(liar.as.lrps->FailActualLRP(Context().get(), fail, &answer).error_code(), StatusCode::FAILED_PRECONDITION);
    v2::StartActualLRPRequest start;
    *start.mutable_instance_key() = KeyOf("liar", "mine");
    start.mutable_slot()->set_process_guid("victim");
    start.mutable_slot()->set_index(second.index());
    *start.mutable_net_info() = ScriptedCell::Started("x").started().net_info();
    EXPECT_EQ(liar.as.lrps->StartActualLRP(Context().get(), start, &answer).error_code(), StatusCode::FAILED_PRECONDITION);
  }
  EXPECT_EQ(honest->cell.Report(ScriptedCell::Claimed(second.actual_id())).outcome(), v2::CellReportResult::APPLIED) << "its order stands";
}

// Two rows of one index are two objects: neither is the cell's that has the other one.
TEST_F(CellsObjects, TheCellOfOneRowOfASlotSaysNothingOfTheOther) {
  v2::ChangeCellRequest drain;
  drain.set_cell_id("honest-1");
  v2::ChangeCellResponse drained;
  CellOn other(secure, "honest-2");
  ASSERT_TRUE(admin.cells->DrainCell(Context().get(), drain, &drained).ok());
  const auto newcomer = other.cell.NextRun();
  ASSERT_NE(newcomer.actual_id(), order.actual_id());
  ASSERT_EQ(newcomer.index(), order.index());
  ASSERT_THAT(Rows(), HasSubstr("EVACUATING"));
  ASSERT_EQ(other.cell.Report(ScriptedCell::Claimed(newcomer.actual_id())).outcome(), v2::CellReportResult::APPLIED);
  v2::ActualLRPLifecycleResponse answer;
  const auto remove = [&](As& as, const std::string& cell, const std::string& id, const std::string& start) {
    v2::RemoveActualLRPRequest request;
    request.set_actual_id(id);
    *request.mutable_instance_key() = KeyOf(cell, start);
    return as.lrps->RemoveActualLRP(Context().get(), request, &answer).error_code();
  };
  EXPECT_EQ(remove(other.as, "honest-2", order.actual_id(), order.actual_id() + "-run"), StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(remove(honest->as, "honest-1", newcomer.actual_id(), newcomer.actual_id() + "-run"), StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(other.cell.Report(ScriptedCell::Crashed(order.actual_id())).outcome(), v2::CellReportResult::REFUSED);
  EXPECT_EQ(honest->cell.Report(ScriptedCell::Crashed(newcomer.actual_id())).outcome(), v2::CellReportResult::REFUSED);
  EXPECT_EQ(secure.running().Instances("victim").size(), 2U);
}

// B14: an instance's address could be any: the metadata service, the database, another app's.
TEST_F(CellsObjects, AnInstanceIsAtAnAddressOfItsCell) {
  ASSERT_TRUE(admin.Scale("victim", 2).ok());
  const auto second = honest->cell.NextRun();
  ASSERT_EQ(honest->cell.Report(ScriptedCell::Claimed(second.actual_id())).outcome(), v2::CellReportResult::APPLIED);
  const auto started = [&](const std::string& address, std::uint32_t port) {
    auto report = ScriptedCell::Started(second.actual_id());
    report.mutable_started()->mutable_net_info()->set_address(address);
    report.mutable_started()->mutable_net_info()->mutable_ports(0)->set_host_port(port);
    return honest->cell.Report(report);
  };
  const auto refused = started("10.0.0.9", 61002);
  EXPECT_EQ(refused.outcome(), v2::CellReportResult::REFUSED);
  EXPECT_THAT(refused.message(), HasSubstr("net_info.address is 10.0.0.9, which is neither an IP address of this cell's certificate"));
  EXPECT_EQ(started("127.0.0.1", 22).outcome(), v2::CellReportResult::REFUSED);
  v2::StartActualLRPRequest start;
  start.set_actual_id(second.actual_id());
  *start.mutable_instance_key() = KeyOf("honest-1", second.actual_id() + "-run");
  *start.mutable_net_info() = ScriptedCell::Started("x").started().net_info();
  start.mutable_net_info()->set_address("10.0.0.9");
  v2::ActualLRPLifecycleResponse answer;
  EXPECT_EQ(honest->as.lrps->StartActualLRP(Context().get(), start, &answer).error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(started("127.0.0.1", 61002).outcome(), v2::CellReportResult::APPLIED);
  // By its certificate, and through v1 as well.
  CellOn rep(secure, "rep", secure.authority().Issue({.uris = {SpiffeId(kTestTrustDomain, {Role::kCell, "rep"})}, .ipv4 = {"10.7.0.7"}}));
  ASSERT_TRUE(admin.Scale("victim", 3).ok());
  v1::StartActualLRPRequest old;
  old.mutable_actual_lrp_key()->set_process_guid("victim");
  old.mutable_actual_lrp_key()->set_index(2);
  old.mutable_actual_lrp_key()->set_domain("a");
  *old.mutable_actual_lrp_instance_key() = KeyOf("rep", "rep-start");
  *old.mutable_actual_lrp_net_info() = start.net_info();
  v1::ActualLRPLifecycleResponse old_answer;
  ASSERT_TRUE(rep.as.old_lrps->StartActualLRP(Context().get(), old, &old_answer).ok());
  EXPECT_TRUE(old_answer.has_error());
  EXPECT_THAT(old_answer.error().message(), HasSubstr("10.0.0.9"));
  old.mutable_actual_lrp_net_info()->set_address("10.7.0.7");
  old_answer.Clear();
  ASSERT_TRUE(rep.as.old_lrps->StartActualLRP(Context().get(), old, &old_answer).ok());
  EXPECT_FALSE(old_answer.has_error()) << old_answer.error().message();
}

// Another instance's port is one of its own address as well: those that it has are what it registered with.
TEST_F(CellsObjects, AnInstanceIsAtAPortOfItsCell) {
  As as(secure, Role::kCell, "honest-2");
  ScriptedCell cell(*as.cells, "honest-2");
  cell.hello().set_host_port_first(61000);
  cell.hello().set_host_port_last(61010);
  cell.Hello();
  cell.KeepBeating();
  v2::ChangeCellRequest drain;
  drain.set_cell_id("honest-1");
  v2::ChangeCellResponse drained;
  ASSERT_TRUE(admin.cells->DrainCell(Context().get(), drain, &drained).ok());
  const auto newcomer = cell.NextRun();
  ASSERT_EQ(cell.Report(ScriptedCell::Claimed(newcomer.actual_id())).outcome(), v2::CellReportResult::APPLIED);
  auto started = ScriptedCell::Started(newcomer.actual_id());
  started.mutable_started()->mutable_net_info()->mutable_ports(0)->set_host_port(61011);
  const auto refused = cell.Report(started);
  EXPECT_EQ(refused.outcome(), v2::CellReportResult::REFUSED);
  EXPECT_EQ(refused.message(), "net_info.ports has host_port 61011, and the cell registered with 61000 to 61010");
  v2::StartActualLRPRequest start;  // by a call, too
  start.set_actual_id(newcomer.actual_id());
  *start.mutable_instance_key() = KeyOf("honest-2", newcomer.actual_id() + "-run");
  *start.mutable_net_info() = started.started().net_info();
  v2::ActualLRPLifecycleResponse answer;
  EXPECT_EQ(as.lrps->StartActualLRP(Context().get(), start, &answer).error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(cell.Report(ScriptedCell::Started(newcomer.actual_id())).outcome(), v2::CellReportResult::APPLIED);
}

TEST_F(CellsObjects, PortsThatAreNoneEndTheStream) {
  for (const auto& [first, last] : {std::pair(80, 90), std::pair(61000, 60000), std::pair(61000, 70000), std::pair(0, 61000)}) {
    As as(secure, Role::kCell, "honest-2");
    ScriptedCell cell(*as.cells, "honest-2");
    cell.hello().set_host_port_first(first);
    cell.hello().set_host_port_last(last);
    cell.Hello();
    const auto ended = cell.Finish();
    EXPECT_EQ(ended.error_code(), StatusCode::INVALID_ARGUMENT) << first;
    EXPECT_THAT(ended.error_message(), HasSubstr("host_port_"));
  }
}

// Both come with certificates of that name; a directory's id is a word that the second may have read somewhere.
TEST_F(CellsObjects, ASecondStreamWithAnotherKeyWaitsUntilTheFirstIsHeardOfNoMore) {
  const std::string before = Rows();
  As thief(secure, Role::kCell, "honest-1");
  const auto hello = [&] {
    ScriptedCell second(*thief.cells, "honest-1");
    second.Hello();
    return second.WaitForEnd() ? second.Finish() : grpc::Status::OK;
  };
  const auto refused = hello();
  EXPECT_EQ(refused.error_code(), StatusCode::ALREADY_EXISTS);
  EXPECT_THAT(refused.error_message(), HasSubstr("or another key"));
  EXPECT_EQ(Rows(), before);
  ASSERT_TRUE(admin.Scale("victim", 2).ok());
  EXPECT_EQ(honest->cell.Report(ScriptedCell::Claimed(honest->cell.NextRun().actual_id())).outcome(), v2::CellReportResult::APPLIED);
  // Its machine fell silent, its stream is there still: a certificate that was renewed meanwhile, with a key of its own.
  honest->cell.FallSilent();
  EXPECT_TRUE(Eventually([&] {
    ScriptedCell renewed(*thief.cells, "honest-1");
    renewed.Hello();
    return renewed.IsWelcome();
  }));
}

// A zone is shown in lists and terminals, and in other apps' explanations of where there is room.
TEST_F(CellsObjects, WhatACellSaysOfItselfIsShortAndClean) {
  As as(secure, Role::kCell, "honest-2");
  ScriptedCell cell(*as.cells, "honest-2");
  cell.hello().set_zone("z1\x1b[2J\n" + std::string(100, 'x'));
  cell.hello().set_version(std::string(100, '1'));
  cell.Hello();
  v2::ListCellsResponse listed;
  EXPECT_TRUE(Eventually([&] {
    listed.Clear();
    return admin.cells->ListCells(Context().get(), v2::ListCellsRequest(), &listed).ok() && listed.cells_size() == 2;
  }));
  for (const auto& one : listed.cells()) {
    if (one.cell_id() != "honest-2") continue;
    EXPECT_EQ(one.zone(), "z1?[2J?" + std::string(57, 'x'));
    EXPECT_EQ(one.version(), std::string(64, '1'));
  }
}

TEST_F(CellsObjects, ACellReadsTheDefinitionsOfWhatWasGivenToIt) {
  ASSERT_TRUE(admin.Desire(AppIn("elsewhere", "a", 0)).ok());
  EXPECT_TRUE(honest->as.GetDefinition("victim", true).ok());
  EXPECT_EQ(honest->as.GetDefinition("elsewhere", true).error_code(), StatusCode::NOT_FOUND);
  CellOn other(secure, "honest-2");
  EXPECT_EQ(other.as.GetDefinition("victim").error_code(), StatusCode::NOT_FOUND);
  v1::DesiredLRPByProcessGuidRequest old;
  v1::DesiredLRPResponse answer;
  const auto read_old = [&](As& as, const std::string& guid) {
    old.set_process_guid(guid);
    answer.Clear();
    EXPECT_TRUE(as.old_apps->GetDesiredLRP(Context().get(), old, &answer).ok());
    return !answer.has_error();
  };
  EXPECT_TRUE(read_old(honest->as, "victim"));
  EXPECT_FALSE(read_old(other.as, "victim"));
  EXPECT_THAT(answer.ShortDebugString(), Not(HasSubstr(kSecret)));
  // It was ordered of it, and is not claimed yet.
  v2::ChangeCellRequest drain;
  drain.set_cell_id("honest-1");
  v2::ChangeCellResponse drained;
  ASSERT_TRUE(admin.cells->DrainCell(Context().get(), drain, &drained).ok());
  (void)other.cell.NextRun();
  EXPECT_TRUE(other.as.GetDefinition("victim", true).ok());
  // What is over ends with its last instance.
  EXPECT_TRUE(honest->as.GetDefinition("victim", true).ok());
  auto stopped = ScriptedCell::Claimed(order.actual_id());
  stopped.mutable_stopped();
  ASSERT_EQ(honest->cell.Report(stopped).outcome(), v2::CellReportResult::APPLIED);
  EXPECT_EQ(honest->as.GetDefinition("victim", true).error_code(), StatusCode::NOT_FOUND);
}

// The instance outlives its app's row, and knows whose it was.
TEST_F(CellsObjects, WhatIsLeftOfAnAppIsItsDomainsStill) {
  v2::RemoveDesiredLRPRequest remove;
  remove.set_process_guid("victim");
  v2::RemoveDesiredLRPResponse removed;
  ASSERT_TRUE(admin.apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
  ASSERT_EQ(secure.running().Instances("victim").size(), 1U);
  EXPECT_THAT(As(secure, Role::kController, "mine").Definitions("victim"), ElementsAre("victim"));
  EXPECT_THAT(As(secure, Role::kController, "mine").Instances(), ElementsAre("victim"));
  EXPECT_THAT(As(secure, Role::kController, "other").Definitions("victim"), ElementsAre());
  EXPECT_THAT(As(secure, Role::kController, "other").Instances(), ElementsAre());
}

TEST_F(CellsObjects, ARouterThatIsNotInTheFileAcknowledgesNothing) {
  const auto hello = [&](const std::string& name) {
    As router(secure, Role::kRouter, name);
    const auto context = Context();
    const auto stream = router.routes->Connect(context.get());
    v2::RouteConsumerMessage message;
    message.mutable_hello()->set_protocol_version(1);
    message.mutable_hello()->set_consumer_id(name);
    stream->Write(message);
    v2::RouteMessage told;
    const bool answered = stream->Read(&told);
    if (answered) context->TryCancel();
    const auto status = stream->Finish();
    return answered ? StatusCode::OK : status.error_code();
  };
  EXPECT_EQ(hello("r2"), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(hello("r1"), StatusCode::OK);
}

// Its name would count among those that hand-overs wait for.
TEST_F(CellsObjects, ARouterThatIsTakenOutOfTheFileIsNotHeardAnyMore) {
  As router(secure, Role::kRouter, "r1");
  const auto context = Context();
  const auto stream = router.routes->Connect(context.get());
  v2::RouteConsumerMessage message;
  message.mutable_hello()->set_protocol_version(1);
  message.mutable_hello()->set_consumer_id("r1");
  stream->Write(message);
  v2::RouteMessage told;
  ASSERT_TRUE(stream->Read(&told));
  file.Write("router r2\n");
  while (stream->Read(&told)) continue;
  const auto ended = stream->Finish();
  EXPECT_EQ(ended.error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(ended.error_message(), HasSubstr("router/r1 is not in the access file any more"));
}

// Within ten seconds, and with the default of five here within one.
TEST_F(CellsObjects, AnAccessFileIsTakenUpAndAFaultyOneIsNot) {
  As mine(secure, Role::kController, "mine");
  EXPECT_THAT(mine.Apps(), ElementsAre("victim"));
  file.Write("controller mine domains b\nnonsense\n");
  EXPECT_TRUE(Eventually([&] { return secure.running().Metrics().find("baton_access_file_refused{option=\"access\"} 1") != std::string::npos; }));
  EXPECT_THAT(mine.Apps(), ElementsAre("victim")) << "the old one holds";
  file.Write("controller mine domains b\n");
  EXPECT_TRUE(Eventually([&] { return mine.Apps().empty(); }));
  EXPECT_THAT(secure.running().Metrics(), HasSubstr("baton_access_file_refused{option=\"access\"} 0"));
  chmod(file.path().c_str(), 0644);
  EXPECT_TRUE(Eventually([&] { return secure.running().Metrics().find("baton_access_file_refused{option=\"access\"} 1") != std::string::npos; }));
}

}  // namespace
}  // namespace baton
