#include <gmock/gmock.h>

#include "tools/router/haproxy/haproxy_master.h"
#include "tools/router/haproxy/haproxy_socket.h"

namespace baton::router {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(HaproxyAnswers, EachEndsWithAnEmptyLine) {
  EXPECT_THAT(SplitAnswers("New server registered.\n\n\nNo such server.\n\n"),
              ElementsAre("New server registered.", "", "No such server."));
  EXPECT_THAT(SplitAnswers("# name\nbe_none\nbe_0000\n\n\n"), ElementsAre("# name\nbe_none\nbe_0000", ""));
  EXPECT_THAT(SplitAnswers(""), IsEmpty());
}

TEST(HaproxyAnswers, TheMastersRefusalEndsWithoutOne) {
  const auto answers = SplitAnswers("Can't find the target PID matching the prefix '@!99999'\n");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_TRUE(SaysNoSuchWorker(answers[0]));
}

TEST(HaproxyAnswers, OnlyWhatWasDoneCountsAsAccepted) {
  EXPECT_TRUE(Accepted("add server be_0000/a 127.0.0.1:80", "New server registered."));
  EXPECT_FALSE(Accepted("add server be_0000/a 127.0.0.1:80", "Already exists a server with the same name in backend."));
  EXPECT_TRUE(Accepted("enable server be_0000/a", ""));
  EXPECT_FALSE(Accepted("enable server be_0000/a", "Proxy is disabled."));
  EXPECT_TRUE(Accepted("set server be_0000/a addr 127.0.0.1 port 81",
                       "no need to change the addr, port changed from '80' to '81' by 'stats socket command'"));
  EXPECT_FALSE(Accepted("set server be_0000/a state drain", "No such server."));
  EXPECT_TRUE(Accepted("del server be_0000/a", "Server deleted."));
  EXPECT_FALSE(Accepted("del server be_0000/a", "Server still has connections attached to it, cannot remove it."));
  EXPECT_FALSE(Accepted("del map /m a", "Key not found."));
}

constexpr char kProcesses[] =
    "#<PID>          <type>          <reloads>       <uptime>        <version>      \n"
    "10945           master          2 [failed: 1]   0d00h00m02s     2.6.12-1+deb12u4\n"
    "# workers\n"
    "10989           worker          0               0d00h00m00s     2.6.12-1+deb12u4\n"
    "# old workers\n"
    "10947           worker          1               0d00h00m00s     2.6.12-1+deb12u4\n"
    "10948           worker          2               0d00h00m00s     2.6.12-1+deb12u4\n"
    "# programs";

TEST(HaproxyAnswers, TheMasterNamesItsWorkers) {
  const Result<MasterView> view = ParseProcesses(kProcesses);
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->master, 10945);
  EXPECT_EQ(view->worker, 10989);
  EXPECT_THAT(view->old_workers, ElementsAre(10947, 10948));
  EXPECT_EQ(view->failed_reloads, 1);
}

TEST(HaproxyAnswers, AnAnswerWithoutAMasterIsAnError) { EXPECT_FALSE(ParseProcesses("Unknown command.").ok()); }

}  // namespace
}  // namespace baton::router
