// Who calls which version of the API: each call once, in the version that its caller asked, through restarts and without
// end.
#include <gmock/gmock.h>
#include <grpcpp/impl/codegen/client_unary_call.h>
#include <gtest/gtest.h>


#include "baton/v1/bbs_service.grpc.pb.h"
#include "sql/calls/pg_api_usage.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/running_service.h"
#include "tests/server/sql_script.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::unique_ptr<grpc::ClientContext> As(const std::string& actor) {
  auto context = Context();
  context->AddMetadata("baton-actor", actor);
  return context;
}

v2::GetApiUsageResponse Usage(RunningService& service, const std::string& api = "") {
  v2::GetApiUsageRequest request;
  request.set_api_version(api);
  v2::GetApiUsageResponse usage;
  const grpc::Status status = service.admin->GetApiUsage(As("reader").get(), request, &usage);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return usage;
}

// "v1 Ping.Ping by capi: 2", of all but those who only look.
std::vector<std::string> Counted(RunningService& service) {
  std::vector<std::string> lines;
  const v2::GetApiUsageResponse usage = Usage(service);
  for (const auto& one : usage.usage()) {
    if (one.method() == "Admin.GetApiUsage" || one.caller().starts_with("grpc-")) continue;
    lines.push_back(one.api_version() + " " + one.method() + " by " + one.caller() + ": " + std::to_string(one.calls()));
  }
  return lines;
}

void PingV1(RunningService& service, const std::string& actor) {
  v1::PingResponse pong;
  EXPECT_TRUE(v1::Ping::NewStub(service.channel())->Ping(As(actor).get(), {}, &pong).ok());
}

TEST(UsageOfTheApi, ACallOfV1IsCountedOnceAndAsV1) {
  RunningService service;
  service.WaitForLead();
  PingV1(service, "capi");
  PingV1(service, "capi");
  PingV1(service, "curl");
  v1::DesiredLRPResponse app;  // one that v2 refuses is a call all the same
  v1::DesiredLRPByProcessGuidRequest missing;
  missing.set_process_guid("missing");
  EXPECT_TRUE(v1::DesiredLRPs::NewStub(service.channel())->GetDesiredLRP(As("capi").get(), missing, &app).ok());
  const auto list = As("capi");
  v1::DesiredLRPsResponse page;
  const auto stream = v1::DesiredLRPs::NewStub(service.channel())->ListDesiredLRPs(list.get(), {});
  while (stream->Read(&page)) {
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_THAT(Counted(service),
              UnorderedElementsAre("v1 Ping.Ping by capi: 2", "v1 Ping.Ping by curl: 1",
                                   "v1 DesiredLRPs.GetDesiredLRP by capi: 1", "v1 DesiredLRPs.ListDesiredLRPs by capi: 1"));
}

TEST(UsageOfTheApi, AStreamIsCountedWhenItBegins) {
  RunningService service;
  service.WaitForLead();
  const auto context = As("follower");
  const auto events = service.events->Subscribe(context.get(), {});
  EXPECT_TRUE(Eventually([&] {
    return ::testing::Value(Counted(service), ElementsAre("v2 Events.Subscribe by follower: 1"));
  })) << "while it is open";
  context->TryCancel();
  (void)events->Finish();
  EXPECT_THAT(Counted(service), ElementsAre("v2 Events.Subscribe by follower: 1"));
}

// Anybody may say that v1 makes his call.
TEST(UsageOfTheApi, NobodyHidesBehindTheMarkOfPassedOnCalls) {
  RunningService service;
  service.WaitForLead();
  const auto context = As("sly");
  context->AddMetadata("baton-asked-in", "v1");
  v2::PingResponse pong;
  EXPECT_TRUE(service.admin->Ping(context.get(), {}, &pong).ok());
  EXPECT_THAT(Counted(service), ElementsAre("v2 Admin.Ping by sly: 1"));
}

// RunningService asks for health until it leads, and nobody is named for it.
TEST(UsageOfTheApi, HealthChecksAndWhatThereIsNotAreNotCounted) {
  RunningService service;
  service.WaitForLead();
  EXPECT_TRUE(service.Serving());
  grpc::internal::RpcMethod unknown("/baton.v2.Admin/Nothing", grpc::internal::RpcMethod::NORMAL_RPC);
  v2::PingResponse pong;
  const auto context = As("guesser");
  grpc::internal::BlockingUnaryCallImpl<v2::PingRequest, v2::PingResponse> call(service.channel().get(), unknown,
                                                                                context.get(), {}, &pong);
  EXPECT_FALSE(call.status().ok());
  const v2::GetApiUsageResponse usage = Usage(service);
  for (const auto& one : usage.usage()) EXPECT_EQ(one.method(), "Admin.GetApiUsage") << one.caller();
}

TEST(UsageOfTheApi, SurvivesARestart) {
  std::string url;
  {
    RunningService service;
    service.WaitForLead();
    PingV1(service, "capi");
    url = service.url();
  }  // nobody looked: what it counted was written down as it stopped
  RunningService service(url);
  service.WaitForLead();
  PingV1(service, "capi");
  const v2::GetApiUsageResponse usage = Usage(service, "v1");
  ASSERT_EQ(usage.usage_size(), 1);
  EXPECT_EQ(usage.usage(0).calls(), 2);
  EXPECT_LT(usage.usage(0).first_at(), usage.usage(0).last_at());
  EXPECT_LE(usage.counted_since(), usage.usage(0).first_at());
  ASSERT_EQ(usage.versions_size(), 1);
  EXPECT_TRUE(usage.versions(0).deprecated());
  EXPECT_TRUE(usage.stored());
}

TEST(UsageOfTheApi, DataWithoutAPlaceForItIsServedAndToldFromMemory) {
  RunningService service;
  service.WaitForLead();
  Sql(service.url(), "ALTER TABLE api_usage RENAME TO away");
  PingV1(service, "capi");
  EXPECT_FALSE(Usage(service).stored());
  EXPECT_THAT(Counted(service), ElementsAre("v1 Ping.Ping by capi: 1"));
  Sql(service.url(), "ALTER TABLE away RENAME TO api_usage");
  EXPECT_TRUE(Usage(service).stored());
  EXPECT_THAT(Counted(service), ElementsAre("v1 Ping.Ping by capi: 1"));
  EXPECT_TRUE(Exists(service.url(), "api_usage WHERE caller = 'capi'"));
}

TEST(UsageOfTheApi, AVersionThatIsNotServedIsRefused) {
  RunningService service;
  service.WaitForLead();
  v2::GetApiUsageRequest request;
  request.set_api_version("v3");
  v2::GetApiUsageResponse usage;
  EXPECT_EQ(service.admin->GetApiUsage(Context().get(), request, &usage).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

// A store of its own, by whoever leads.
class StoredUse : public ::testing::Test {
 protected:
  StoredUse() {
    Sql(url, "INSERT INTO leases VALUES ('batond', 7, 'me', '', now(), now() + interval '110 seconds')");
    store.Lead({"batond", 7});
  }
  static ApiCalls Calls(const std::string& caller, Duration ago = Duration(0)) {
    return {{"v1", "Ping.Ping"}, caller, 2, ago + seconds(1), ago};
  }
  const std::string url = MigratedDatabase();
  PgApiUsage store{url};
};

TEST_F(StoredUse, OnlyWhoeverLeadsAdds) {
  store.Lead({"batond", 6});
  const auto added = store.Add({Calls("capi")});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().kind, ErrorKind::kUnavailable);
  EXPECT_FALSE(Exists(url, "api_usage"));
}

TEST_F(StoredUse, AThousandCallersKeepTheirNamesThoseThatCalledLast) {
  ASSERT_TRUE(store.Add({Calls("oldest", std::chrono::hours(2)), Calls("older", std::chrono::hours(1))}));
  std::vector<ApiCalls> many;
  for (int i = 0; i < PgApiUsage::kCallersMax - 1; ++i) many.push_back(Calls("caller-" + std::to_string(i)));
  ASSERT_TRUE(store.Add(many));
  EXPECT_TRUE(Exists(url, "api_usage WHERE caller = 'older'"));
  EXPECT_FALSE(Exists(url, "api_usage WHERE caller = 'oldest'"));
  ASSERT_TRUE(store.Add({Calls("newest")}));
  EXPECT_TRUE(Exists(url, "api_usage WHERE caller = 'newest'"));
  EXPECT_FALSE(Exists(url, "api_usage WHERE caller = 'older'"));
  EXPECT_TRUE(Exists(url, "api_usage WHERE caller = 'other' AND calls = 4 AND first_at < now() - interval '110 minutes' "
                          "AND last_at BETWEEN now() - interval '61 minutes' AND now() - interval '59 minutes'"));
  const auto uses = store.Read();
  ASSERT_TRUE(uses);
  EXPECT_EQ(uses->size(), static_cast<std::size_t>(PgApiUsage::kCallersMax + 1));
}

// A server's clock that was ahead, and was put right.
TEST_F(StoredUse, ATimeThatLiesAheadDoesNotStay) {
  Sql(url, "INSERT INTO api_usage VALUES ('v1', 'Ping.Ping', 'capi', 1, now() + interval '1 day', now() + interval '2 days')");
  ASSERT_TRUE(store.Add({Calls("capi")}));
  EXPECT_TRUE(Exists(url, "api_usage WHERE calls = 3 AND last_at <= now() AND first_at <= last_at"));
}

// Kept since before another led: what came later stays the last.
TEST_F(StoredUse, CallsThatAreWrittenLateAreNotTheLastOnes) {
  ASSERT_TRUE(store.Add({Calls("capi")}));
  ASSERT_TRUE(store.Add({Calls("capi", std::chrono::hours(1))}));
  EXPECT_TRUE(Exists(url, "api_usage WHERE last_at > now() - interval '1 minute' AND first_at < now() - interval '1 hour'"));
}

}  // namespace
}  // namespace baton
