// What the command line says of Baton itself: leaders, versions, callers, cells, convergence, domains.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/model/convergence/convergence.h"
#include "orchestrator/model/version.h"
#include "tests/tools/baton/program.h"

namespace baton::cli {
namespace {

TEST_F(Program, SaysWhoLeadsAndItsVersions) {
  EXPECT_EQ(Do({"ping"}), kDone);
  EXPECT_THAT(out, HasSubstr("available, leader " + service.address()));
  EXPECT_EQ(Do({"version"}), kDone);
  EXPECT_THAT(out, AllOf(HasSubstr("client:"), HasSubstr("migration " + std::to_string(kSchemaMigration))));
}

TEST_F(Program, SaysWhoCallsWhichVersionOfTheApi) {
  EXPECT_EQ(Do({"ping"}), kDone);
  EXPECT_EQ(Do({"admin", "api-usage"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("METHOD"), HasSubstr("v2   Admin.Ping"), HasSubstr("tester"),
                         HasSubstr("v1 (deprecated): nobody since calls are counted"), HasSubstr("v2: ")));
  EXPECT_EQ(Do({"admin", "api-usage", "--api", "v1"}), kDone) << err;
  EXPECT_THAT(out, AllOf(Not(HasSubstr("Admin.Ping")), Not(HasSubstr("v2: "))));
  EXPECT_EQ(Do({"admin", "api-usage", "--idle-days", "1"}), kFailed) << "they are not counted for so long";
  EXPECT_EQ(Do({"admin", "api-usage", "--api", "v9"}), kUsage);
  EXPECT_THAT(err, HasSubstr("--api: 'v9' is none of v1 and v2"));
  EXPECT_EQ(Do({"admin", "api-usage", "-o", "json"}), kDone);
  const auto usage = nlohmann::json::parse(out);
  EXPECT_EQ(usage["versions"][0]["deprecated"], true);
  EXPECT_EQ(usage["stored"], true);
}

TEST_F(Program, SaysWhatConvergenceFoundAndRunsIt) {
  EXPECT_EQ(Do({"admin", "convergence", "--run"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("Audit:"), HasSubstr("50 % of the cells lost at once"), HasSubstr(" ago, took")));
  EXPECT_EQ(Do({"admin", "convergence", "-o", "wide"}), kDone);
  EXPECT_THAT(out, AllOf(HasSubstr("missing_cell"), HasSubstr("unreadable_row"), HasSubstr("by you")));
  EXPECT_EQ(Do({"admin", "convergence", "-o", "json"}), kDone);
  EXPECT_EQ(nlohmann::json::parse(out)["categories"].size(), static_cast<std::size_t>(kCategories));
}

TEST_F(Program, SaysWhoIsThereOfWhatVersionAndWhoLeads) {
  ASSERT_TRUE(Eventually([&] {
    return Do({"admin", "versions"}) == kDone && out.find("leader, epoch") != out.npos && out.find("cell cell-1") != out.npos;
  }));
  EXPECT_THAT(out, AllOf(HasSubstr("SUBJECT"), HasSubstr("database"), HasSubstr(kSchemaSemver), HasSubstr("batond@"),
                         HasSubstr(kAppVersion), HasSubstr("cell cell-1")));
  EXPECT_EQ(Do({"admin", "versions", "-o", "json"}), kDone);
  const auto versions = nlohmann::json::parse(out);
  EXPECT_EQ(versions["batonds"][0]["state"], "LEADING");
  EXPECT_EQ(versions["schema_migration"], versions["schema_target"]);
  EXPECT_EQ(Do({"admin", "leader"}), kDone);
  EXPECT_THAT(out, HasSubstr(service.address() + " leads, epoch "));
  EXPECT_EQ(Do({"admin", "leader", "-o", "json"}), kDone);
  EXPECT_EQ(nlohmann::json::parse(out)["leader_address"], service.address());
  EXPECT_EQ(Do({"admin", "status"}), kDone);
  EXPECT_THAT(out, AllOf(HasSubstr("LEADING"), HasSubstr(service.address())));
}

TEST_F(Program, AStandbyIsShownAsOneAndASilentOneAsSilent) {
  batond::ServiceOptions options;
  options.id = "other";
  RunningService standby(service.url(), options);
  EXPECT_TRUE(Eventually([&] {
    return Do({"admin", "versions"}) == kDone && out.find("standby") != out.npos && out.find("leader, epoch") != out.npos;
  })) << out;
  standby.Stop();
  EXPECT_TRUE(Eventually([&] { return Do({"admin", "versions"}) == kDone && out.find("standby") == out.npos; }))
      << "it took its name back: " << out;
}

TEST_F(Program, ShowsCellsAndHowFarADrainingIs) {
  ASSERT_EQ(Apply("v1"), kDone);
  RunNext();
  EXPECT_EQ(Do({"cell", "drain", "cell-1"}), kDone);
  EXPECT_EQ(Do({"cell", "get"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("cell-1"), HasSubstr("PRESENT,DRAINING"), HasSubstr("0 of 1 are gone")));
  EXPECT_EQ(Do({"cell", "describe", "cell-1"}), kDone);
  EXPECT_THAT(out, AllOf(HasSubstr("[--------------------] 0 of 1 are gone"), HasSubstr("Draining since"),
                         HasSubstr("Epoch")));
  EXPECT_EQ(Do({"cell", "describe", "cell-9"}), kFailed);
}

TEST_F(Program, NamesRowsThatCannotBeReadAndListsTheOthers) {
  ASSERT_EQ(Apply("v1"), kDone);
  RunNext();
  const auto session = OpenSession(service.url());
  ASSERT_TRUE(Eventually([&] {  // the planner may be at work on these rows, in another order
    const auto spoil = [](Session& s) {
      s.RunScript("UPDATE actual_lrps SET net_info = 'rubbish'; UPDATE rolls SET strategy = 'rubbish'");
      return true;
    };
    return session->Transact(Session::Isolation::kReadCommitted, spoil).ok();
  }));
  EXPECT_EQ(Do({"get", "instances"}), kShortOfRows);
  EXPECT_THAT(err, AllOf(HasSubstr("of shop cannot be read"), HasSubstr("net_info")));
  EXPECT_EQ(std::ranges::count(err, '\n'), 1) << err;
  for (const char* kind : {"apps", "definitions"}) EXPECT_EQ(Do({"get", kind}), kShortOfRows) << kind << ": " << err;
  EXPECT_EQ(Do({"get", "rolls"}), kDone) << err << "none is open";
  EXPECT_EQ(Do({"admin", "convergence", "--run"}), kFailed) << "somebody has to look";
  EXPECT_THAT(out, AllOf(HasSubstr("unreadable_row"), HasSubstr("by you")));
}

// An instance whose row cannot be read was taken for one that is gone.
TEST_F(Program, WaitsForInstancesThatCannotBeReadToo) {
  ASSERT_EQ(Apply("v1"), kDone);
  RunNext();
  const auto session = OpenSession(service.url());
  ASSERT_TRUE(Eventually([&] {
    const auto spoil = [](Session& s) {
      s.RunScript("UPDATE actual_lrps SET net_info = 'rubbish'");
      return true;
    };
    return session->Transact(Session::Isolation::kReadCommitted, spoil).ok();
  }));
  EXPECT_EQ(Do({"cell", "drain", "cell-1", "--wait", "--timeout", "2s"}), kFailed);
  EXPECT_THAT(out, HasSubstr("0 of 1 are gone"));
  EXPECT_THAT(err, HasSubstr("of shop cannot be read"));
  EXPECT_EQ(Do({"explain", "cell", "cell-1"}), kShortOfRows);
  EXPECT_THAT(out, Not(HasSubstr("empty")));
  EXPECT_EQ(Do({"scale", "shop", "0", "--wait", "--timeout", "2s"}), kFailed);
  EXPECT_THAT(err, HasSubstr("net_info"));
}

TEST_F(Program, SaysWhichDomainsAreFresh) {
  EXPECT_EQ(Do({"domain", "fresh", "cf", "--ttl", "60"}), kDone) << err;
  EXPECT_THAT(out, HasSubstr("domain cf is fresh until"));
  EXPECT_EQ(Do({"domain", "fresh", "ever"}), kDone);
  EXPECT_EQ(Do({"domain", "list"}), kDone);
  EXPECT_THAT(out, AllOf(HasSubstr("cf"), HasSubstr("for ever")));
  EXPECT_EQ(Do({"domain", "fresh", "cf", "--ttl", "-1"}), kUsage);
}

TEST_F(Program, DecidesOfEgressThatNoCellEnforcesByDomain) {
  EXPECT_EQ(Do({"domain", "egress"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("*"), HasSubstr("refuse"), Not(HasSubstr("warn"))));
  EXPECT_EQ(Do({"domain", "egress", "lab", "warn"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("lab"), HasSubstr("warn")));
  EXPECT_EQ(Do({"domain", "egress", "*", "warn"}), kDone) << err;
  EXPECT_EQ(Do({"domain", "egress", "lab", "default"}), kDone) << err;
  EXPECT_EQ(Do({"domain", "egress"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("warn"), Not(HasSubstr("lab"))));
  EXPECT_EQ(Do({"domain", "egress", "lab", "maybe"}), kUsage);
  EXPECT_EQ(Do({"domain", "egress", "lab"}), kUsage);
  EXPECT_THAT(err, HasSubstr("refuse, warn or default?"));
  EXPECT_EQ(Do({"domain", "egress", "-o", "json"}), kDone);
  EXPECT_THAT(out, HasSubstr("\"unenforced\""));
}

}  // namespace
}  // namespace baton::cli
