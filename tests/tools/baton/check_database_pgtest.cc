// `baton admin check-database`: a role of the database against what schema/roles.sql makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/fakes/own_postgres.h"
#include "tests/fakes/silent_log.h"
#include "tests/schema/pg_tools.h"
#include "tools/baton/baton.h"
#include "tools/baton/outcome.h"
#include "tools/batond/embedded.h"
#include "tools/batond/prepare.h"

namespace baton::cli {
namespace {

using ::testing::HasSubstr;

class CheckDatabase : public ::testing::Test {
 protected:
  void MakeRoles() {
    ::baton::testing::PgProgram({"psql", "-q", "-X", "-v", "ON_ERROR_STOP=1", "-d", postgres_.postgres->url(), "-f", BATON_ROLES});
  }
  std::string All(const std::string& query) { return ::baton::testing::Psql(postgres_.postgres->url(), query); }
  int Check(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"admin", "check-database"};
    if (std::ranges::find(more, "--database") == more.end()) words.insert(words.end(), {"--database", postgres_.postgres->url()});
    words.insert(words.end(), more.begin(), more.end());
    std::istringstream input;
    std::ostringstream output, errors;
    Io io{input, output, errors, nullptr, [] { return std::int64_t{0}; }};
    const int exit_status = cli::Run(words, io);
    out = output.str();
    err = errors.str();
    return exit_status;
  }

  OwnPostgres postgres_;
  std::string out, err;
};

TEST_F(CheckDatabase, TheServiceOfRolesSqlIsAsItShouldBe) {
  MakeRoles();
  EXPECT_EQ(Check({"--role", "baton_service"}), kDone) << out << err;
  EXPECT_THAT(out, HasSubstr("what batond's work takes, and no more"));
}

TEST_F(CheckDatabase, EachStatementThatItSaysMendsWhatItFound) {
  MakeRoles();
  All("REVOKE INSERT ON desired_lrps FROM baton_service; REVOKE USAGE ON SCHEMA public FROM baton_service;"
      "GRANT TRUNCATE ON events TO baton_service; GRANT UPDATE ON audit TO PUBLIC; GRANT CREATE ON SCHEMA public TO baton_service;"
      "GRANT pg_execute_server_program TO baton_service; ALTER ROLE baton_service CREATEROLE BYPASSRLS;"
      "GRANT CREATE ON DATABASE baton TO baton_service");
  ASSERT_EQ(Check({"--role", "baton_service", "-o", "json"}), kFailed) << err;
  const auto shown = nlohmann::json::parse(out);
  std::multiset<std::string> found;
  for (const auto& one : shown["findings"]) {
    found.insert(one["kind"].get<std::string>() + ": " + one["what"].get<std::string>());
    All(one["todo"].get<std::string>());
  }
  EXPECT_EQ(found, (std::multiset<std::string>{"lacks: INSERT on desired_lrps", "lacks: USAGE on the schema", "too much: BYPASSRLS",
                                               "too much: CREATE on the database", "too much: CREATE on the schema",
                                               "too much: CREATEROLE", "too much: TRUNCATE on events", "too much: UPDATE on audit",
                                               "too much: member of pg_execute_server_program"}));
  EXPECT_EQ(Check({"--role", "baton_service"}), kDone) << out << err;
}

TEST_F(CheckDatabase, WhoMayDoEverythingIsToldInOneLine) {
  EXPECT_EQ(Check(), kFailed);
  EXPECT_THAT(out, HasSubstr("SUPERUSER"));
  MakeRoles();
  EXPECT_EQ(Check({"--role", "baton_migrator"}), kFailed);
  EXPECT_THAT(out, HasSubstr("it may drop and alter them"));
  EXPECT_THAT(out, HasSubstr("schema/roles.sql"));
  EXPECT_EQ(Check({"--role", "nobody-there"}), kFailed);
  EXPECT_THAT(err, HasSubstr("there is no role nobody-there"));
}

TEST_F(CheckDatabase, AnotherMachineTakesVerifiedTls) {
  EXPECT_EQ(Check({"--database", "host=db.invalid user=baton_service"}), kUsage);
  EXPECT_THAT(err, HasSubstr("PostgreSQL on another machine (db.invalid) takes sslmode=verify-full in --database"));
  EXPECT_EQ(Check({"--database", "host=db.invalid user=baton_service", "--database-insecure"}), kUnreachable);
  EXPECT_THAT(err, HasSubstr("db.invalid")) << "libpq was asked";
}

// The directory of `batond --embedded`, as that starts on it.
class CheckEmbedded : public CheckDatabase {
 protected:
  CheckEmbedded() {
    char path[] = "/tmp/baton-embedded-XXXXXX";
    CHECK(mkdtemp(path) != nullptr);
    dir_ = path;
    CopyClusterTo(dir_);
  }
  ~CheckEmbedded() override {
    running_.reset();
    std::filesystem::remove_all(dir_);
  }
  // As batond did when it had one role: all of it is the superuser's.
  void MakeAsItWasOnce() {
    const auto postgres = *EmbeddedPostgres::Start({.dir = dir_, .durable = false});
    ASSERT_TRUE(Migrate(*OpenSession(postgres->url())).ok());
    ASSERT_EQ(Owners(postgres->url()), "baton\n");
    ASSERT_TRUE(postgres->Stop().ok());
  }
  void StartAndPrepare() {
    running_.reset();
    auto started = batond::WatchedPostgres::Start(dir_, log_);
    ASSERT_TRUE(started.ok()) << started.error().message;
    running_ = *std::move(started);
    const Status ready = batond::PrepareDatabase({.url = running_->url(),
                                                  .owner = running_->owner_url(),
                                                  .superuser = running_->superuser_url(),
                                                  .state_file = {}},
                                                 log_, [](Duration) { return true; });
    ASSERT_TRUE(ready.ok()) << ready.error().message;
  }
  void AllIsWell() {
    EXPECT_EQ(Check({"--database", running_->url()}), kDone) << out << err;
    EXPECT_THAT(out, HasSubstr("role baton_service may do to database baton what batond's work takes, and no more"));
    EXPECT_EQ(Owners(running_->url()), "baton_owner\n");
  }
  static std::string Owners(const std::string& url) {
    return ::baton::testing::Psql(url, "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'");
  }

  SilentLog log_;
  std::string dir_;
  std::unique_ptr<batond::WatchedPostgres> running_;
};

TEST_F(CheckEmbedded, ANewOneHasAServiceAndAnOwner) {
  StartAndPrepare();
  AllIsWell();
}

TEST_F(CheckEmbedded, AnOldOneOfTheSuperuserGoesOnAsThem) {
  MakeAsItWasOnce();
  for (int start = 0; start < 2; ++start) {
    StartAndPrepare();
    AllIsWell();
  }
}

// batond makes them at each start of its own PostgreSQL, and somebody may be reading.
TEST_F(CheckDatabase, RolesThatAreMadeAgainWaitForNobody) {
  MakeRoles();
  const auto reader = OpenSession(postgres_.postgres->url());
  const SessionError read = reader->Transact(::baton::Session::Isolation::kSnapshotReadOnly, [&](::baton::Session& s) {
    s.RunScript("SET LOCAL idle_in_transaction_session_timeout = 0");
    s.RunScript("SELECT (SELECT count(*) FROM audit), (SELECT count(*) FROM desired_lrps)");
    ::baton::testing::PgProgram({"psql", "-q", "-X", "-v", "ON_ERROR_STOP=1", "-d", postgres_.postgres->url(), "-c",
                                 "SET lock_timeout = '100ms'", "-f", BATON_ROLES});
    return true;
  });
  EXPECT_TRUE(read.ok()) << read.detail;
}

}  // namespace
}  // namespace baton::cli
