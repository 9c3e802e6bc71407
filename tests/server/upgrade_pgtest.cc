// An online upgrade over a whole batond: data of schema 1.1 is served and kept whole, switched, taken back and finished.
#include <gmock/gmock.h>

#include "orchestrator/model/version.h"
#include "schema/migrator/migrator.h"
#include "tests/server/upgrade_fixture.h"
#include "tools/client/hints.h"

namespace baton {
namespace {

using ::testing::HasSubstr;
using testing::Psql;

std::string Current(const std::string& url) { return Psql(url, "SELECT current, target, current_semver FROM versions"); }
std::string LegacyApps(const std::string& url) {
  return Psql(url, "SELECT process_guid, instances, modification_tag_index FROM legacy.desired_lrps ORDER BY 1");
}
const std::string kNewest = std::to_string(kSchemaMigration);

TEST(OnlineUpgrade, DataOfSchema1IsServedAndKeptWholeUntilItIsSwitched) {
  const std::string url = LegacyDatabase();
  OnlineBatond batond(url);
  EXPECT_EQ(batond.Look().upgrade.state(), "WAITING");
  EXPECT_EQ(batond.Look().upgrade.current(), "1.1.0");
  EXPECT_EQ(batond.Desire(OnlineBatond::App("shop", 2)), "");
  EXPECT_EQ(batond.Desire(OnlineBatond::App("blog")), "");
  EXPECT_EQ(batond.Annotate("shop", "changed"), "");
  EXPECT_EQ(batond.Remove("blog"), "");
  EXPECT_EQ(batond.Get("shop").annotation(), "changed");
  EXPECT_EQ(LegacyApps(url), "shop|2|1\n") << "schema 1.1 has all of it, too";
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM legacy.actual_lrps"), "2\n");
  EXPECT_EQ(Current(url), "2|2|1.1.0\n");
}

TEST(OnlineUpgrade, UntilThenBatonV2IsReadAndNotWritten) {
  OnlineBatond batond(LegacyDatabase());
  ASSERT_EQ(batond.Desire(OnlineBatond::App("shop", 2)), "");
  v2::GetDesiredLRPRequest get;
  get.set_process_guid("shop");
  v2::GetDesiredLRPResponse got;
  EXPECT_TRUE(batond.service.apps->GetDesiredLRP(Context().get(), get, &got).ok());
  EXPECT_EQ(got.desired_lrp().instances(), 2);
  const grpc::Status written = batond.service.Desire(RunningService::SmallApp("blog"));
  EXPECT_EQ(written.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(written.error_message(), HasSubstr("the data is of schema 1.1.0 still"));
  v1::UpdateDesiredLRPRequest other;
  other.set_process_guid("shop");
  *other.mutable_update()->mutable_desired_lrp() = OnlineBatond::App("shop", 2);
  other.mutable_update()->mutable_desired_lrp()->set_memory_mb(16);
  EXPECT_THAT(batond.Update(other), HasSubstr("where an app has one definition"));
}

TEST(OnlineUpgrade, ThereAndBackAndToItsEndNothingIsLost) {
  const std::string url = LegacyDatabase();
  OnlineBatond batond(url);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(batond.Desire(OnlineBatond::App("app-" + std::to_string(i))), "");
  ASSERT_TRUE(batond.Begin().status.ok());
  ASSERT_TRUE(batond.Becomes("SWITCHED"));
  EXPECT_EQ(Current(url), kNewest + "|" + kNewest + "|" + kSchemaSemver + "\n");
  EXPECT_TRUE(batond.service.Desire(RunningService::SmallApp("new")).ok()) << "baton.v2 is written from here on";
  EXPECT_EQ(batond.Annotate("app-3", "after the switch"), "");
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM legacy.desired_lrps"), "21\n") << "kept in step";

  ASSERT_TRUE(batond.RollBack().status.ok());
  ASSERT_TRUE(batond.Becomes("WAITING"));
  EXPECT_EQ(Current(url), "2|2|1.1.0\n");
  EXPECT_EQ(batond.Get("app-3").annotation(), "after the switch");
  EXPECT_EQ(batond.Annotate("new", "taken back"), "");
  EXPECT_FALSE(batond.service.Desire(RunningService::SmallApp("blog")).ok());

  ASSERT_TRUE(batond.Begin(/*shards=*/7).status.ok());
  ASSERT_TRUE(batond.Becomes("SWITCHED"));
  ASSERT_TRUE(batond.Finish().status.ok());
  EXPECT_EQ(batond.Look().upgrade.state(), "NONE");
  EXPECT_EQ(batond.Get("new").annotation(), "taken back");
  EXPECT_EQ(Psql(url, "SELECT method, outcome FROM audit WHERE method LIKE '%.Upgrades/%' ORDER BY sequence DESC LIMIT 2"),
            "baton.v2.Upgrades/FinishUpgrade|OK @schema%20" + std::string(kSchemaSemver) +
                "\nbaton.v2.Upgrades/BeginUpgrade|OK @schema%20" + kSchemaSemver + "\n");
  EXPECT_EQ(testing::PgDump(url, {"--schema-only"}), testing::PgDump(MigratedDatabase(), {"--schema-only"}))
      << "nothing of it is left";
}

TEST(OnlineUpgrade, TheSameAgainChangesNothingAndAnythingElseIsRefused) {
  const std::string url = LegacyDatabase();
  OnlineBatond batond(url);
  ASSERT_EQ(batond.Desire(OnlineBatond::App("shop")), "");
  EXPECT_EQ(batond.Begin(4, true, "2.0.0").status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(batond.Begin(4, true, "two").status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(batond.Begin(5000).status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(batond.Finish().status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_TRUE(batond.RollBack().status.ok()) << "nothing was begun";
  EXPECT_EQ(Current(url), "2|2|1.1.0\n");
  ASSERT_TRUE(batond.Begin(4, false, kSchemaSemver).status.ok());
  ASSERT_TRUE(batond.Becomes("SWITCHED"));
  EXPECT_TRUE(batond.Begin(4, false).status.ok()) << "the same again";
  EXPECT_THAT(batond.Begin(8, false).status.error_message(), HasSubstr("with 4 shards"));
  EXPECT_THAT(batond.Begin(4, true).status.error_message(), HasSubstr("without --keep-old-in-sync"));
  EXPECT_EQ(batond.Annotate("shop", "only new"), "");
  const auto back = batond.RollBack();
  EXPECT_EQ(back.status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(back.status.error_message(), HasSubstr("was not kept in step"));
  EXPECT_TRUE(batond.Finish().status.ok());
  EXPECT_TRUE(batond.Finish().status.ok()) << "the same again";
  EXPECT_EQ(batond.Begin().status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(batond.Get("shop").annotation(), "only new");
}

TEST(OnlineUpgrade, AShardThatFailsIsNamedAndTheOthersGoOn) {
  const std::string url = LegacyDatabase();
  OnlineBatond batond(url);
  for (int i = 0; i < 30; ++i) ASSERT_EQ(batond.Desire(OnlineBatond::App("app-" + std::to_string(i))), "");
  // By somebody else, what no batond can read.
  Psql(url, "CREATE TABLE kept AS SELECT * FROM legacy.desired_lrps WHERE process_guid = 'app-7'; "
            "UPDATE legacy.desired_lrps SET run_info = '' WHERE process_guid = 'app-7'");
  ASSERT_TRUE(batond.Begin(8).status.ok());
  const auto failed = [](const v2::UpgradeResponse& u) {
    int ready = 0;
    std::string reason;
    for (const auto& shard : u.shards()) {
      ready += shard.ready();
      reason += shard.reason();
    }
    return ready == 7 ? reason : "";
  };
  ASSERT_TRUE(Eventually([&] { return !failed(batond.Look().upgrade).empty(); }));
  EXPECT_THAT(failed(batond.Look().upgrade), HasSubstr("app-7"));
  EXPECT_EQ(batond.Look().upgrade.state(), "SYNCING");
  EXPECT_EQ(batond.Annotate("app-8", "meanwhile"), "") << "writes go on";
  Psql(url, "UPDATE legacy.desired_lrps d SET run_info = k.run_info FROM kept k WHERE d.process_guid = k.process_guid; "
            "DROP TABLE kept");
  EXPECT_TRUE(batond.Becomes("SWITCHED")) << "mended, it goes on by itself";
}

TEST(OnlineUpgrade, TheNextLeaderGoesOnWhateverItWasStartedWith) {
  const std::string url = LegacyDatabase();
  {
    OnlineBatond batond(url);
    for (int i = 0; i < 10; ++i) ASSERT_EQ(batond.Desire(OnlineBatond::App("app-" + std::to_string(i))), "");
    ASSERT_TRUE(batond.Begin(64).status.ok());
  }
  OnlineBatond next(url, /*online=*/false);
  EXPECT_TRUE(next.Becomes("SWITCHED"));
  EXPECT_EQ(next.Annotate("app-1", "by the next"), "");
  EXPECT_EQ(Psql(url, "SELECT modification_tag_index FROM legacy.desired_lrps WHERE process_guid = 'app-1'"), "1\n");
}

TEST(OnlineUpgrade, WhatSomebodyElseWroteIsTakenOver) {
  const std::string url = LegacyDatabase();
  OnlineBatond batond(url);
  ASSERT_EQ(batond.Desire(OnlineBatond::App("shop", 1)), "");
  Psql(url, "UPDATE legacy.desired_lrps SET instances = 3, modification_tag_index = 9");
  EXPECT_TRUE(Eventually([&] { return batond.Get("shop").instances() == 3; }));
}

TEST(OnlineUpgrade, WhatCannotBeTakenOverIsSaidUntilItIsMended) {
  const std::string url = LegacyDatabase();
  OnlineBatond batond(url);
  ASSERT_EQ(batond.Desire(OnlineBatond::App("shop")), "");
  Psql(url, "CREATE TABLE kept AS SELECT * FROM legacy.desired_lrps; UPDATE legacy.desired_lrps SET run_info = ''");
  ASSERT_TRUE(Eventually([&] { return batond.Look().upgrade.last_error().find("shop") != std::string::npos; }));
  // The note of it stays, and with it the error, at each look.
  EXPECT_EQ(Psql(url, "SELECT process_guid, foreign_write FROM legacy.changes"), "shop|t\n");
  Psql(url, "UPDATE legacy.desired_lrps d SET run_info = k.run_info FROM kept k; DROP TABLE kept");
  EXPECT_TRUE(Eventually([&] { return batond.Look().upgrade.last_error().empty(); }));
}

TEST(OnlineUpgrade, ARecordThatAnotherProgramHasOvertakenIsForgotten) {
  const std::string url = LegacyDatabase();
  { OnlineBatond batond(url); }
  // A program that knows no such record ends the migration in its own way.
  Psql(url, "CREATE TABLE kept AS SELECT * FROM upgrade; DELETE FROM upgrade");
  ASSERT_TRUE(Migrate(*OpenSession(url)).ok());
  Psql(url, "INSERT INTO upgrade SELECT * FROM kept; DROP TABLE kept");
  OnlineBatond next(url);
  EXPECT_EQ(next.Look().upgrade.state(), "NONE");
  EXPECT_TRUE(next.service.Desire(RunningService::SmallApp("new")).ok());
}

TEST(OnlineUpgrade, TheOtherWayBackIsRefusedWhileItIsOpen) {
  const std::string url = LegacyDatabase();
  OnlineBatond batond(url);
  ASSERT_TRUE(batond.Begin().status.ok());
  ASSERT_TRUE(batond.Becomes("SWITCHED"));
  batond.service.Stop();
  JsonLog log("batond", LogLevel::kError);
  batond::ServiceOptions options = OnlineBatond::Options(true);
  options.listen = "127.0.0.1:0";
  options.metrics.clear();
  options.rollback_on_drain_to = 102;
  auto service = StartedService::Start(options, url, log);
  ASSERT_TRUE(service.ok());
  const auto channel = grpc::CreateChannel(service->address(), grpc::InsecureChannelCredentials());
  ASSERT_TRUE(Eventually([&] {
    v2::UpgradeResponse answer;
    return v2::Upgrades::NewStub(channel)->GetUpgrade(Context().get(), {}, &answer).ok();
  }));
  const Status stopped = service->Stop();
  ASSERT_FALSE(stopped.ok());
  EXPECT_THAT(stopped.error().message, HasSubstr("an online upgrade is SWITCHED"));
  EXPECT_EQ(Current(url), kNewest + "|" + kNewest + "|" + kSchemaSemver + "\n");
}

TEST(OnlineUpgrade, ARollIsLedToItsEndAlsoWhileSchema1Counts) {
  OnlineBatond batond(LegacyDatabase());
  v2::ChangeRollRequest pause;
  pause.set_process_guid("nobody");
  v2::ChangeRollResponse answer;
  EXPECT_EQ(batond.service.rolls->PauseRoll(Context().get(), pause, &answer).error_code(), grpc::StatusCode::NOT_FOUND)
      << "asked, and not refused";
}

// What clients go by, of both APIs.
TEST(OnlineUpgrade, EachAnswerSaysWhereItIsUntilItIsFinished) {
  OnlineBatond batond(LegacyDatabase());
  const auto data = [&batond] {
    const auto context = Context();
    v1::DesiredLRPByProcessGuidRequest request;
    request.set_process_guid("nobody");
    v1::DesiredLRPResponse response;
    EXPECT_TRUE(batond.apps->GetDesiredLRP(context.get(), request, &response).ok());
    const auto other = Context();
    v2::PingResponse pong;
    EXPECT_TRUE(batond.service.admin->Ping(other.get(), {}, &pong).ok());
    EXPECT_EQ(DataIn(*context), DataIn(*other));
    return DataIn(*context);
  };
  EXPECT_EQ(data(), std::string("WAITING 1.1.0 ") + kSchemaSemver);
  ASSERT_TRUE(batond.Begin().status.ok());
  ASSERT_TRUE(batond.Becomes("SWITCHED"));
  EXPECT_EQ(data(), std::string("SWITCHED 1.1.0 ") + kSchemaSemver);
  ASSERT_TRUE(batond.Finish().status.ok());
  EXPECT_EQ(data(), "");
}

}  // namespace
}  // namespace baton
