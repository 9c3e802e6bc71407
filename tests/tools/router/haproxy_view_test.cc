#include "tools/router/haproxy/haproxy_view.h"

#include <gmock/gmock.h>

namespace baton::router {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kInfo[] = "Name: HAProxy\nPid: 4711\nStopping: 0\nJobs: 5";
constexpr char kBackends[] = "# name\nbe_none\nbe_idle\ntcp_01025\nbe_0001\ntcp_01024\nbe_0000\nMASTER";
constexpr char kHeader[] =
    "1\n# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state srv_uweight srv_iweight "
    "srv_time_since_last_change srv_check_status srv_check_result srv_check_health srv_check_state srv_agent_state "
    "bk_f_forced_id srv_f_forced_id srv_fqdn srv_port srvrecord srv_use_ssl srv_check_port srv_check_addr "
    "srv_agent_addr srv_agent_port";

std::string Row(const std::string& backend, const std::string& name, int op_state, int admin_state, int weight = 1) {
  return "\n4 " + backend + " 1 " + name + " 127.0.0.1 " + std::to_string(op_state) + " " +
         std::to_string(admin_state) + " " + std::to_string(weight) + " 1 0 1 0 0 0 0 0 0 - 8081 - 0 0 - - 0";
}

Result<HaproxyView> Parse(const std::string& servers, const std::string& map = "") {
  return ParseView({kInfo, kBackends, kHeader + servers, map});
}

TEST(HaproxyView, ReadsAnEmptyOne) {
  const auto view = Parse("");
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->pid, 4711);
  EXPECT_THAT(view->pool, ElementsAre("be_0000", "be_0001"));
  EXPECT_THAT(view->tcp, ElementsAre("tcp_01024", "tcp_01025"));
  EXPECT_TRUE(view->knows_routes);
  EXPECT_THAT(view->servers, IsEmpty());
  EXPECT_THAT(view->routes, IsEmpty());
}

TEST(HaproxyView, ReadsServersWithAddressAndPort) {
  const auto view = Parse(Row("be_0000", "i1", 2, 0));
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->servers.at("be_0000").at("i1"),
            (HaproxyServer{.address = "127.0.0.1", .port = 8081, .mode = ServerMode::kReady, .weight = 1}));
}

TEST(HaproxyView, AServerServesOnlyWhenNothingSpeaksAgainstIt) {
  const auto view =
      Parse(Row("be_0000", "ready", 2, 0) + Row("be_0000", "drain", 2, 8) + Row("be_0000", "maint", 0, 1) +
            Row("be_0000", "both", 0, 9) + Row("be_0000", "down", 0, 0) + Row("be_0000", "light", 2, 0, 0));
  ASSERT_TRUE(view.ok());
  const auto& servers = view->servers.at("be_0000");
  EXPECT_EQ(servers.at("ready").mode, ServerMode::kReady);
  EXPECT_EQ(servers.at("drain").mode, ServerMode::kDrain);
  EXPECT_EQ(servers.at("maint").mode, ServerMode::kMaint);
  EXPECT_EQ(servers.at("both").mode, ServerMode::kMaint);
  EXPECT_EQ(servers.at("down").mode, ServerMode::kDown);
  EXPECT_EQ(servers.at("light").mode, ServerMode::kDown);
}

TEST(HaproxyView, OtherBackendsAreNotItsBusiness) {
  const auto view = Parse(Row("be_next", "next", 2, 0) + Row("shop", "s1", 2, 0));
  ASSERT_TRUE(view.ok());
  EXPECT_THAT(view->servers, IsEmpty());
}

TEST(HaproxyView, OneOfAnOlderRouterKnowsHostNamesOnly) {
  const auto view = ParseView({kInfo, "# name\nbe_none\nbe_full\nbe_0000", kHeader, ""});
  ASSERT_TRUE(view.ok());
  EXPECT_FALSE(view->knows_routes);
}

TEST(HaproxyView, ReadsTheMap) {
  const auto view = Parse("", "0x55c1ed77e450 a.example/ be_0000\n0x55c1ed77e451 b.example*/api/ be_full");
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->routes.at("a.example/"), "be_0000");
  EXPECT_EQ(view->routes.at("b.example*/api/"), "be_full");
}

TEST(HaproxyView, ARefusalIsNoView) {
  EXPECT_FALSE(Parse("", "Unknown map identifier. Please use #<id> or <file>.").ok());
  EXPECT_FALSE(ParseView({"Permission denied", kBackends, kHeader, ""}).ok());
  EXPECT_FALSE(ParseView({kInfo, kBackends, "Permission denied", ""}).ok());
  EXPECT_FALSE(ParseView({kInfo, kBackends}).ok());
}

constexpr char kStat[] =
    "# pxname,svname,qcur,qmax,scur,smax,stot\n"
    "be_0000,i1,0,0,2,9,40\n"
    "be_0001,i1,1,0,0,9,2\n"
    "be_0000,i2,0,0,0,9,0\n"
    "tcp_01024,i1,0,0,3,9,5\n"
    "be_next,next,0,0,5,9,7";
constexpr char kConnections[] =
    "# bkname/svname bkid/svid addr port - purge_delay used_cur used_max need_est unsafe_nb safe_nb idle_lim idle_cur "
    "idle_per_thr[2]\n"
    "be_0000/i1 4/1 127.0.0.1 8081 - 1000 1 1 1 0 0 128 0 0 0\n"
    "be_0000/i2 4/2 127.0.0.1 8082 - 1000 0 1 1 3 0 128 3 2 1\n"
    "be_0001/i1 5/1 127.0.0.1 8081 - 1000 0 1 1 0 0 128 0 0 0\n"
    "be_next/next 2/1 - 0 - 5000 5 1 1 0 0 -1 0 0 0";

TEST(HaproxyView, SessionsAreTheGreaterOfBothCountersAndIdleConnectionsAreNone) {
  const auto sessions = ParseSessions({kStat, kConnections});
  ASSERT_TRUE(sessions.ok());
  EXPECT_EQ(*sessions, (ServerSessions{{"be_0000/i1", 2}, {"be_0000/i2", 0}, {"be_0001/i1", 1}, {"tcp_01024/i1", 3}}));
}

TEST(HaproxyView, RequestsAreThoseThatEachServerWasGiven) {
  const auto requests = ParseRequests(kStat);
  ASSERT_TRUE(requests.ok());
  EXPECT_EQ(*requests, (ServerSessions{{"be_0000/i1", 40}, {"be_0000/i2", 0}, {"be_0001/i1", 2}, {"tcp_01024/i1", 5}}));
  EXPECT_FALSE(ParseRequests("# pxname,svname,qcur,qmax,scur,smax\nbe_0000,i1,0,0,2,9").ok());
}

TEST(HaproxyView, AnInstancesSessionsAreSummedOverItsBackends) {
  InstanceSessions instances;
  AddByInstance({{"be_0000/i1", 2}, {"be_0001/i1", 1}, {"be_0000/i2", 0}}, instances);
  EXPECT_EQ(instances, (InstanceSessions{{"i1", 3}, {"i2", 0}}));
}

TEST(HaproxyView, SessionsThatCannotBeReadAreNotZero) {
  EXPECT_FALSE(ParseSessions({"Permission denied", kConnections}).ok());
  EXPECT_FALSE(ParseSessions({kStat, "Permission denied"}).ok());
}

}  // namespace
}  // namespace baton::router
