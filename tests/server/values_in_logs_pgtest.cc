// I42: PostgreSQL's log says which statement failed, and never what was to be stored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string ServerLog(const std::string& url) {
  std::string data;
  (void)OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    data = s.RunScript("SHOW data_directory")[0].Text();
    return true;
  });
  std::ifstream log(data + "/../postgres.log");
  return {std::istreambuf_iterator<char>(log), {}};
}

TEST(ValuesInLogs, AWriteThatFailsLeavesNoSecretInPostgresLog) {
  RunningService service;
  service.WaitForLead();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app", 0)).ok());
  // The last statement of the batch fails: what stands before it went the same way.
  ASSERT_TRUE(OpenSession(service.url())
                  ->Transact(Session::Isolation::kReadCommitted,
                             [](Session& s) {
                               s.RunScript(
                                   "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused by a "
                                   "test'; END $$; CREATE TRIGGER refuse BEFORE INSERT ON events FOR EACH ROW EXECUTE "
                                   "FUNCTION refuse()");
                               return true;
                             })
                  .ok());
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("app");
  update.mutable_update()->set_image_username("user");
  update.mutable_update()->set_image_password("password");
  update.mutable_update()->set_annotation("another");
  EXPECT_FALSE(service.Update(update).ok());

  const std::string log = ServerLog(service.url());
  EXPECT_THAT(log, HasSubstr("refused by a test"));
  EXPECT_THAT(log, HasSubstr("INSERT INTO events")) << "it names the statement";
  EXPECT_THAT(log, Not(HasSubstr("password")));
  EXPECT_THAT(log, Not(HasSubstr("70617373776f7264"))) << "nor as bytea prints it";
}

}  // namespace
}  // namespace baton
