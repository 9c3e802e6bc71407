// Data of schema 1.1 is served, switched, taken back and switched again, with real programs: a controller that speaks baton.v1
// alone, callers that write all the time, an app that is rolled under traffic, batonds that are killed. Nobody notices, and
// each write that was acknowledged is found, once.
#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/model/version.h"
#include "orchestrator/transform/messages/desired_lrp.h"
#include "schema/layouts.h"
#include "tests/e2e/scene.h"
#include "tests/e2e/writers.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"
#include "tools/client/channel.h"
#include "tools/stack/program.h"

namespace baton {
namespace {

using ::testing::HasSubstr;
using testing::Psql;

// What an operator does, and what he sees.
class Upgrade : public Scene {
 protected:
  using Scene::Scene;
  // baton admin ..., with what it printed.
  std::string Admin(const std::string& words, std::optional<int> exit_status = 0) {
    const std::string out = dir_.path() + "/admin.out";
    stack::Program program({"baton",
                            {"/bin/sh", "-c",
                             stack_->bin_dir() + "/baton --batond " + stack_->api_address(0) + "," +
                                 stack_->api_address(1) + " --timeout 30 admin " + words + " >" + out + " 2>&1"},
                            dir_.path() + "/admin.log"});
    EXPECT_TRUE(program.WaitForEnd(std::chrono::seconds(60)));
    std::stringstream text;
    text << std::ifstream(out).rdbuf();
    EXPECT_TRUE(!exit_status || program.exit_status() == exit_status) << words << ": " << text.str();
    return text.str();
  }
  bool Is(const std::string& state) {
    return Await([&] { return ("\n" + Admin("upgrade-status")).find("\n" + state + " ") != std::string::npos; });
  }
  std::size_t Leader() {
    std::optional<std::size_t> leader;
    EXPECT_TRUE(Await([&] { return (leader = stack_->api().Leader()).has_value(); }));
    return leader.value_or(0);
  }
  std::string Counts() { return Psql(stack_->database_url(), "SELECT current FROM versions"); }
};

class FromSchema1 : public Upgrade {
 protected:
  FromSchema1() : Upgrade(Options()) {}
  static stack::StackOptions Options() {
    stack::StackOptions options;
    options.batonds = 2;
    options.batond_arguments = {"--upgrade", "online"};
    options.prepare_database = [](const std::string& url) {
      const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted,
                                                            [](Session& s) { return MakeLegacyLayout(s), true; });
      EXPECT_TRUE(error.ok()) << error.detail;
    };
    return options;
  }

  void StartController() {
    controller_ = std::make_unique<stack::Program>(
        stack::Program::Start{"sync.py",
                              {"/usr/bin/env", "PYTHONPATH=" BATON_PYTHON, "/usr/bin/python3",
                               BATON_SOURCE_DIR "/examples/controller/sync.py",
                               stack_->api_address(0) + "," + stack_->api_address(1), File()},
                              dir_.path() + "/sync.py.log"});
  }
  std::string File() const { return dir_.path() + "/apps.json"; }
  void Want(const std::string& version, int instances) {
    app_.instances = instances;
    v2::DesiredLRP desired = stack::DesiredHello(app_, stack::HelloDefinition(app_, version));
    desired.clear_strategy();
    std::string text;
    google::protobuf::util::JsonPrintOptions options;
    options.preserve_proto_field_names = true;
    ASSERT_TRUE(google::protobuf::util::MessageToJsonString(transform::ToV1(desired), &text, options).ok());
    const nlohmann::json content = {
        {"domain", "demo"}, {"apps", {{{"desired_lrp", nlohmann::json::parse(text)}}}}};
    std::ofstream(File() + ".new") << content.dump(1);
    std::filesystem::rename(File() + ".new", File());
  }

  // All of them serve, and of one definition: its name is the hash of what it is, as schema 1.1 has none. Their app has
  // no proof yet, so what its router has not applied answers 503.
  bool AwaitServing(int instances) {
    return Await([&] {
      const auto all = Instances();
      return static_cast<int>(all.size()) == instances && std::ranges::all_of(all, [&](const v2::ActualLRP& lrp) {
               return lrp.state() == "RUNNING" && lrp.routable() && lrp.applied_by_size() == 1 &&
                      lrp.definition_identifier() == all.front().definition_identifier();
             });
    });
  }
  // kill -9, and it comes again as a standby.
  void KillTheLeader() {
    const std::size_t leader = Leader();
    stack_->KillBatond(leader);
    stack_->StartBatond(leader);
  }
  // Of each app what was acknowledged last, or the one write after it whose answer was lost; and no write was done twice:
  // each made the modification tag greater by one.
  void ExpectAllWritten(const Writers& writers) {
    for (std::size_t i = 0; i < writers.count(); ++i) {
      const auto stub = v1::DesiredLRPs::NewStub(Dial(stack_->api_address(Leader())));
      v1::DesiredLRPByProcessGuidRequest request;
      request.set_process_guid(Writers::Guid(i));
      v1::DesiredLRPResponse response;
      grpc::ClientContext context;
      ASSERT_TRUE(stub->GetDesiredLRP(&context, request, &response).ok());
      const int acknowledged = writers.app(i).acknowledged;
      const std::string annotation = response.desired_lrp().annotation();
      const int found = annotation.empty() ? 0 : std::stoi(annotation);
      EXPECT_GE(found, acknowledged) << Writers::Guid(i);
      EXPECT_LE(found, acknowledged + 1) << Writers::Guid(i);
      EXPECT_EQ(static_cast<int>(response.desired_lrp().modification_tag().index()), found) << Writers::Guid(i);
      EXPECT_EQ(writers.app(i).refused, 0);
    }
  }

  std::unique_ptr<stack::Program> controller_;
};

TEST_F(FromSchema1, ThereBackAndThereAgainUnderTrafficAndWritesAndNobodyNotices) {
  Want("v1", app_.instances);
  StartController();
  ASSERT_TRUE(AwaitServing(app_.instances)) << "schema 1.1, served by baton.v1 alone";
  StartTraffic();
  Writers writers(stack_->api_addresses(), 4, std::chrono::milliseconds(8));  // 500 a second
  ASSERT_TRUE(Await([&] { return writers.Acknowledged() > 100; }));
  KillTheLeader();
  Want("v1", app_.instances + 1);
  ASSERT_TRUE(AwaitServing(app_.instances)) << "scaled, while 1.1 counts";

  // Who connects to the next leader is told where the data is.
  for (const char* log : {"/cell-1.log", "/cell-2.log", "/router.log"}) {
    EXPECT_TRUE(Await([&] {
      std::stringstream text;
      text << std::ifstream(stack_->dir() + log).rdbuf();
      return text.str().find("WAITING 1.1.0 ") != std::string::npos;
    })) << log;
  }

  EXPECT_THAT(Admin("begin-upgrade --shards 16 --keep-old-in-sync --watch"), HasSubstr("SWITCHED"));
  EXPECT_EQ(Counts(), std::to_string(kSchemaMigration) + "\n");
  Want("v2", app_.instances);
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  const v2::Roll roll = stack_->api().GetRoll(app_.process_guid).roll();
  // In the middle of a roll.
  EXPECT_THAT(Admin("rollback --watch"), HasSubstr("WAITING"));
  EXPECT_EQ(Counts(), "2\n");
  KillTheLeader();
  EXPECT_EQ(EndOf(roll), v2::COMPLETED) << "the roll went on";
  ASSERT_TRUE(Is("WAITING"));

  (void)Admin("begin-upgrade --shards 8");
  KillTheLeader();
  ASSERT_TRUE(Is("SWITCHED"));
  Want("v3", app_.instances);
  ASSERT_TRUE(Await([&] { return stack_->api().GetRoll(app_.process_guid).roll().roll_id() != roll.roll_id(); }));
  EXPECT_EQ(EndOf(stack_->api().GetRoll(app_.process_guid).roll()), v2::COMPLETED);
  EXPECT_TRUE(AwaitServing(app_.instances));
  EXPECT_THAT(Admin("finish-upgrade"), HasSubstr("NONE"));
  const int before = writers.Acknowledged();
  ASSERT_TRUE(Await([&] { return writers.Acknowledged() > before + 100; }));
  writers.Stop();
  ExpectAllWritten(writers);
  ExpectUnnoticed();
  EXPECT_TRUE(controller_->Running());
  std::cout << "scene upgrade: " << writers.Acknowledged() << " writes, none lost and none doubled, longest wait for one "
            << writers.longest_wait().count() << " ms (leaders were killed)\n";
}

// The batond that shipped schema 2.2, from its own commit (BATON_OLDER_2_2: ./dev prove upgrade), and this one, beside each
// other. Whichever of the two leads, the app goes on rolling.
class BesideAnOlderOne : public Upgrade {
 protected:
  BesideAnOlderOne() : Upgrade(Two()) {}
  static stack::StackOptions Two() {
    stack::StackOptions options;
    options.batonds = 2;
    return options;
  }
  static constexpr std::size_t kOlder = 0;
  static constexpr std::size_t kNewer = 1;
  void StartOlder() { stack_->StartBatond(kOlder, {.program = older_, .database = {}, .arguments = {}}); }
  void StartNewer(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--upgrade", "online"});
    stack_->StartBatond(kNewer, {.program = {}, .database = {}, .arguments = more});
  }
  void End(std::size_t which) {
    stack_->batond(which).Signal(SIGTERM);
    ASSERT_TRUE(stack_->batond(which).WaitForEnd(std::chrono::seconds(30)));
    ASSERT_EQ(stack_->batond(which).exit_status(), 0);
  }
  void HandOverTo(std::size_t which) {
    End(1 - which);
    ASSERT_EQ(Leader(), which);
    which == kOlder ? StartNewer() : StartOlder();
    ASSERT_EQ(Leader(), which);
  }
  std::string Why(std::size_t which) {
    const std::string rows = Admin("status", /*exit_status=*/std::nullopt);
    std::istringstream lines(rows);
    for (std::string line; std::getline(lines, line);) {
      if (line.find(stack_->api_address(which)) != std::string::npos) return line;
    }
    return rows;
  }
  const std::string older_ = std::getenv("BATON_OLDER_2_2") ? std::getenv("BATON_OLDER_2_2") : "";
};

TEST_F(BesideAnOlderOne, TheOlderServesUntilTheSwitchAndStandsByAfterIt) {
  if (older_.empty()) GTEST_SKIP() << "no older program: ./dev prove upgrade builds it";
  Begin();
  StartTraffic();
  // Data of schema 2.2, as the older one leaves it.
  End(1 - Leader());
  const std::size_t last = Leader();
  End(last);
  stack_->StartBatond(last, {.program = {}, .database = {}, .arguments = {"--rollback-on-drain-to-version", "102"}});
  End(last);
  ASSERT_EQ(Counts(), "102\n");

  StartOlder();
  v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  StartNewer({"--upgrade-after-rollback"});
  EXPECT_EQ(Leader(), kOlder) << "beside it, and the older one leads";
  HandOverTo(kNewer);
  EXPECT_TRUE(Is("WAITING")) << "the newer one serves schema 2.2 as it is";
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  roll = Update("v3");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  HandOverTo(kOlder);
  EXPECT_EQ(EndOf(roll), v2::COMPLETED) << "and the older one may lead again";
  HandOverTo(kNewer);

  roll = Update("v4");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  EXPECT_THAT(Admin("begin-upgrade --watch"), HasSubstr("SWITCHED"));
  EXPECT_EQ(Counts(), std::to_string(kSchemaMigration) + "\n");
  stack_->KillBatond(kNewer);
  EXPECT_TRUE(Await([&] { return Why(kOlder).find("run the version that fits") != std::string::npos; })) << Why(kOlder);
  StartNewer();
  EXPECT_EQ(Leader(), kNewer) << "the older one has not taken what it cannot serve";
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);

  roll = Update("v5");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  EXPECT_THAT(Admin("rollback --watch"), HasSubstr("WAITING"));
  EXPECT_EQ(Counts(), "102\n");
  HandOverTo(kOlder);
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  HandOverTo(kNewer);
  EXPECT_THAT(Admin("begin-upgrade --watch"), HasSubstr("SWITCHED"));
  EXPECT_THAT(Admin("finish-upgrade"), HasSubstr("NONE"));
  EXPECT_EQ(EndOf(Update("v6")), v2::COMPLETED);
  ExpectUnnoticed();
  std::cout << "older program: led three times beside the newer one, stood by after the switch\n";
}

}  // namespace
}  // namespace baton
