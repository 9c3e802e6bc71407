// A cell whose certificate is good and whose words are not, beside two honest ones, while an app rolls under traffic. Over TLS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <iostream>
#include <thread>

#include "orchestrator/base/check.h"
#include "tests/e2e/scene.h"
#include "tests/server/objects_fixture.h"
#include "tools/client/channel.h"
#include "tools/tls/credentials.h"
#include "tools/tls/issue.h"

namespace baton {
namespace {

using ::testing::IsEmpty;

constexpr char kLiar[] = "liar";
constexpr char kItsAddress[] = "127.0.0.99";
constexpr char kItsMark[] = "-of-the-liar";
constexpr int kFlood = 500;  // reports of one message

std::shared_ptr<Tls> Opened(const std::string& dir) {
  auto opened = Tls::Open({.dir = dir, .roles = tls::AllRoles()});
  if (!opened) throw std::runtime_error(opened.error().message);
  return *std::move(opened);
}

// What the cell is told by nobody, and knows all the same.
using Look = std::function<std::vector<v2::ActualLRP>()>;

class HostileCell {
 public:
  HostileCell(std::string address, std::shared_ptr<Tls> tls, Look look)
      : look_(std::move(look)), tls_(std::move(tls)), as_(Dial(address, tls_->ForClient())) {
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        LieOnce();
        ++rounds_;
      }
    });
  }
  void End() {
    thread_.request_stop();
    thread_.join();
  }

  int rounds() const { return rounds_; }
  // Once it has ended.
  int lies() const { return lies_; }
  const std::vector<std::string>& believed() const { return believed_; }

 private:
  void LieOnce() {
    const auto foreign = look_();
    const v2::CellWelcome welcome = LieOnItsStream(foreign);
    for (const v2::ActualLRP& lrp : foreign) LieByCalls(lrp);
    ActAsAnOperator();
    ExpectRefused("the hello of cell-1", [](v2::CellHello& hello) { hello.set_cell_id("cell-1"); }, grpc::StatusCode::PERMISSION_DENIED);
    ExpectRefused("an epoch that is later", [&](v2::CellHello& hello) {
      hello.set_store_id(welcome.store_id());
      hello.set_highest_epoch(welcome.epoch() + 1);
    }, grpc::StatusCode::UNAVAILABLE);
    ExpectRefused("an epoch that is nonsense", [](v2::CellHello& hello) { hello.set_highest_epoch(std::int64_t{1} << 60); },
                  grpc::StatusCode::INVALID_ARGUMENT);
  }

  void ExpectRefused(const char* what, const std::function<void(v2::CellHello&)>& lie, grpc::StatusCode with) {
    ScriptedCell stream(*as_.cells, kLiar);
    lie(stream.hello());
    stream.Hello();
    ++lies_;
    const grpc::Status end = stream.Finish();
    if (end.error_code() != with) believed_.push_back(std::string(what) + " ended with: " + end.error_message());
  }

  // All that runs elsewhere is its own, as its hello says, and so are the reports.
  v2::CellWelcome LieOnItsStream(const std::vector<v2::ActualLRP>& foreign) {
    ScriptedCell stream(*as_.cells, kLiar);
    stream.hello().clear_stacks();
    stream.hello().add_stacks("trap:");
    for (const char* ability : {"check.tcp", "check.http"}) stream.hello().add_abilities(ability);
    stream.hello().set_host_port_first(62'000);
    stream.hello().set_host_port_last(62'010);
    for (const v2::ActualLRP& lrp : foreign) {
      v2::CellInstance& one = *stream.hello().add_instances();
      one.set_actual_id(lrp.actual_id());
      one.set_instance_guid(GuidOf(lrp));
      one.set_process_guid(lrp.process_guid());
      one.set_state(v2::CellInstance::RUNNING);
    }
    stream.Hello();
    stream.KeepBeating();
    CHECK(!foreign.empty());
    if (rounds_ == 0) TakeTheBait(stream, foreign.front());
    v2::CellMessage flood;
    for (const v2::ActualLRP& lrp : foreign) {
      for (v2::CellReport& report : LiesOf(lrp)) {
        const auto result = stream.Report(report);
        Note(result.outcome() == v2::CellReportResult::APPLIED, report.ShortDebugString() + " of " + lrp.ShortDebugString());
        if (flood.reports().reports_size() < kFlood) *flood.mutable_reports()->add_reports() = std::move(report);
      }
    }
    for (int i = 0; flood.reports().reports_size() < kFlood; ++i) {
      *flood.mutable_reports()->add_reports() = v2::CellReport(flood.reports().reports(i));
    }
    stream.Send(flood);
    (void)stream.Report(LiesOf(foreign.front()).back());  // it is answered once all before it were looked at
    lies_ += flood.reports().reports_size();
    return stream.Welcome();
  }

  // An instance that is its own indeed, and is to be where another app's is.
  void TakeTheBait(ScriptedCell& stream, const v2::ActualLRP& other) {
    const std::string id = stream.NextRun().actual_id();
    const auto claimed = stream.Report(ScriptedCell::Claimed(id));
    if (claimed.outcome() != v2::CellReportResult::APPLIED) believed_.push_back("its own instance was not given to it: " + claimed.message());
    v2::CellReport started = ScriptedCell::Started(id);
    *started.mutable_started()->mutable_net_info() = other.net_info();
    Note(stream.Report(started).outcome() == v2::CellReportResult::APPLIED, "the address of " + other.ShortDebugString());
    started.mutable_started()->mutable_net_info()->set_address(kItsAddress);
    Note(stream.Report(started).outcome() == v2::CellReportResult::APPLIED, "a port that is not its own");
  }

  static std::string GuidOf(const v2::ActualLRP& lrp) {
    const std::string& guid = lrp.instance_key().instance_guid();
    return guid.empty() ? lrp.actual_id() + kItsMark : guid;
  }

  static std::vector<v2::CellReport> LiesOf(const v2::ActualLRP& lrp) {
    std::vector<v2::CellReport> lies;
    for (const std::string& guid : {GuidOf(lrp), lrp.actual_id() + kItsMark}) {
      v2::CellReport report = ScriptedCell::Started(lrp.actual_id());
      report.mutable_started()->mutable_net_info()->set_address(kItsAddress);
      report.mutable_started()->mutable_net_info()->mutable_ports(0)->set_host_port(62'001);
      lies.push_back(report);
      lies.push_back(ScriptedCell::Claimed(lrp.actual_id()));
      lies.push_back(ScriptedCell::Crashed(lrp.actual_id()));
      lies.push_back(ScriptedCell::Claimed(lrp.actual_id()));
      lies.back().mutable_stopped();
      lies.push_back(ScriptedCell::Rejected(lrp.actual_id(), "no" + std::string(kItsMark)));
      for (std::size_t i = lies.size() - 5; i < lies.size(); ++i) lies[i].set_instance_guid(guid);
    }
    return lies;
  }

  void LieByCalls(const v2::ActualLRP& lrp) {
    const std::string cell = lrp.instance_key().cell_id();
    for (const auto& key : {KeyOf(kLiar, GuidOf(lrp)), KeyOf(kLiar, lrp.actual_id() + kItsMark), KeyOf(cell, GuidOf(lrp))}) {
      const auto call = [&](const char* what, auto method, auto request) {
        request.set_actual_id(lrp.actual_id());
        if constexpr (requires { request.mutable_instance_key(); }) *request.mutable_instance_key() = key;
        if constexpr (requires { request.set_placement_error(""); }) request.set_placement_error("nowhere" + std::string(kItsMark));
        if constexpr (requires { request.mutable_net_info(); }) request.mutable_net_info()->set_address(kItsAddress);
        v2::ActualLRPLifecycleResponse answer;
        Note((as_.lrps.get()->*method)(Context().get(), request, &answer).ok(), what + (" of " + lrp.ShortDebugString()));
      };
      call("ClaimActualLRP", &v2::ActualLRPs::Stub::ClaimActualLRP, v2::ClaimActualLRPRequest());
      call("StartActualLRP", &v2::ActualLRPs::Stub::StartActualLRP, v2::StartActualLRPRequest());
      call("CrashActualLRP", &v2::ActualLRPs::Stub::CrashActualLRP, v2::CrashActualLRPRequest());
      call("RemoveActualLRP", &v2::ActualLRPs::Stub::RemoveActualLRP, v2::RemoveActualLRPRequest());
      call("FailActualLRP", &v2::ActualLRPs::Stub::FailActualLRP, v2::FailActualLRPRequest());
    }
    Note(as_.GetDefinition(lrp.process_guid(), true).ok(), "the secrets of " + lrp.process_guid());
  }

  void ActAsAnOperator() {
    v2::ChangeCellRequest drain;
    drain.set_cell_id("cell-1");
    v2::ChangeCellResponse drained;
    Note(as_.cells->DrainCell(Context().get(), drain, &drained).ok(), "DrainCell");
    Note(as_.Scale("hello", 0).ok(), "UpdateDesiredLRP");
    Note(as_.Desire(AppIn("its-own", "demo", 1)).ok(), "DesireLRP");
  }

  void Note(bool believed, const std::string& what) {
    ++lies_;
    if (believed) believed_.push_back(what);
  }

  const Look look_;
  const std::shared_ptr<Tls> tls_;
  As as_;
  std::atomic<int> rounds_ = 0;
  int lies_ = 0;
  std::vector<std::string> believed_;
  std::jthread thread_;
};

struct WithAccess {
  const AccessText access{"router *\n"};  // cells at the addresses of their certificates
};

class HostileCellScene : private WithAccess, public Scene {
 protected:
  HostileCellScene() : Scene(Guarded(access)) {}

  static stack::StackOptions Guarded(const AccessText& file) {
    stack::StackOptions options;
    options.tls = true;
    options.own_addresses = true;
    options.batond_arguments = {"--access", file.path()};
    return options;
  }

  std::shared_ptr<Tls> ItsCertificate() {
    const auto authority = tls::ReadAuthority(dir_.path() + "/pg/tls/ca");
    EXPECT_TRUE(authority);
    const std::string dir = dir_.path() + "/liar";
    const auto issued = tls::IssueInto(
        *authority, {.identity = {Role::kCell, kLiar}, .ip_addresses = {kItsAddress}, .validity = tls::ForDays(1, tls::Now())}, dir);
    EXPECT_TRUE(issued);
    return Opened(dir);
  }

  // Apps beside the one that rolls.
  void Desire(const std::string& guid, int instances, const std::string& root_fs) {
    stack::HelloApp app = app_;
    app.process_guid = guid;
    app.hostname = guid + ".example";
    app.instances = instances;
    v2::LRPDefinition definition = stack::HelloDefinition(app, "v1");
    definition.mutable_resource()->set_root_fs(root_fs);
    const v2::Roll roll = stack_->api().Desire(stack::DesiredHello(app, definition));
    if (!root_fs.starts_with("host:")) return;  // no honest cell has it
    EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  }
  static std::string TextOf(const std::vector<v2::ActualLRP>& rows) {
    std::string text;
    for (const v2::ActualLRP& lrp : rows) text += lrp.ShortDebugString() + "\n";
    return text;
  }
  std::int64_t LastEvent() { return stack_->api().Events("", "actual_created", 0).sequence; }

  // What became of the others' rows since this event that nobody honest has done: each is told.
  std::vector<std::string> ForeignChanges(std::int64_t since) {
    std::vector<std::string> changes;
    for (const char* kind : {"actual_created", "actual_changed", "actual_crashed", "actual_removed"}) {
      for (const v2::Event& event : stack_->api().Events("", kind, since).events) {
        if (event.process_guid() == "bait") continue;
        const std::string text = event.ShortDebugString();
        const bool marked = text.find(kItsMark) != text.npos || text.find(kItsAddress) != text.npos ||
                            event.actual_after().instance_key().cell_id() == kLiar;
        const bool removed = event.kind() == "actual_removed" && event.actual_before().presence() != v2::RETIRING;
        if (marked || removed || event.kind() == "actual_crashed" || event.process_guid() != app_.process_guid) changes.push_back(text);
      }
    }
    for (const char* kind : {"cell_missing", "cell_draining"}) {
      for (const v2::Event& event : stack_->api().Events("", kind, since).events) {
        if (event.cell().cell_id() != kLiar) changes.push_back(event.ShortDebugString());
      }
    }
    return changes;
  }
};

TEST_F(HostileCellScene, LiesInEveryFieldAndNobodyNotices) {
  Begin();
  Desire("still", 2, "host:any");
  Desire("bait", 1, "trap:any");
  const std::string still = TextOf(stack_->api().Instances("still"));
  const std::int64_t epoch = stack_->api().Epoch();
  const std::int64_t since = LastEvent();
  StartTraffic(200);
  const auto viewer = Opened(stack_->certificates()->For({Role::kViewer, "looker"}));
  const As looker(Dial(stack_->api_address(), viewer->ForClient()));
  HostileCell liar(stack_->api_address(), ItsCertificate(), [&] {
    std::vector<v2::ActualLRP> foreign;
    for (const char* guid : {"hello", "still"}) {
      v2::ListActualLRPsRequest request;
      request.set_process_guid(guid);
      const auto context = Context();
      const auto reader = looker.lrps->ListActualLRPs(context.get(), request);
      for (v2::ListActualLRPsResponse page; reader->Read(&page);) foreign.insert(foreign.end(), page.actual_lrps().begin(), page.actual_lrps().end());
      EXPECT_TRUE(reader->Finish().ok());
    }
    return foreign;
  });
  const auto lies_again = [&] { return Await([&, before = liar.rounds()] { return liar.rounds() > before; }); };
  EXPECT_TRUE(lies_again());
  for (const char* version : {"v2", "v3"}) {
    const v2::Roll roll = Update(version);
    EXPECT_TRUE(AwaitStep("handed_over", 1));
    EXPECT_TRUE(lies_again()) << "it lies about instances that come and go";
    EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  }
  EXPECT_TRUE(AwaitOnly("v3", app_.instances));
  liar.End();
  EXPECT_THAT(liar.believed(), IsEmpty());
  std::vector<std::string> changes = ForeignChanges(since);
  if (TextOf(stack_->api().Instances("still")) != still) changes.push_back("the rows of an app that did not roll are others");
  EXPECT_THAT(changes, IsEmpty());
  EXPECT_EQ(stack_->api().Epoch(), epoch) << "the leader stays";
  ExpectUnnoticed("the leader of epoch " + std::to_string(stack_->api().Epoch()) + " stays, " + std::to_string(liar.lies()) + " lies in " +
                  std::to_string(liar.rounds()) + " rounds, foreign rows changed " + std::to_string(changes.size()));
}

}  // namespace
}  // namespace baton
