// The program itself: its arguments, exit codes, and databases that are down.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "schema/migrator/migrator.h"
#include "schema/roles.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/test_cluster.h"
#include "tests/tools/definitions/seeded_store.h"
#include "tools/definitions/database.h"
#include "tools/embedded_postgres/command.h"

namespace baton::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

CommandResult Program(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), BATON_DEFINITIONS);
  const auto result = RunCommand(arguments, std::nullopt);
  EXPECT_TRUE(result.ok());
  return *result;
}

TEST(Program, ListsShowsAndChecksWhileNoServiceRuns) {
  SeededStore store(MigratedDatabase());
  store.Desire("app", 1, "v1");
  const CommandResult list = Program({"--database", store.url()});
  EXPECT_EQ(list.exit_status, 0) << list.output;
  EXPECT_THAT(list.output, HasSubstr("active, roll target, instance"));
  const CommandResult show = Program({"show", "app", "v1", "--database", store.url()});
  EXPECT_EQ(show.exit_status, 0) << show.output;
  EXPECT_THAT(show.output, AllOf(HasSubstr("/bin/v1"), Not(HasSubstr("s3cr3t"))));
  const CommandResult revealed = Program({"show", "app", "--reveal", "--database", store.url()});
  EXPECT_THAT(revealed.output, AllOf(HasSubstr(kSecretValue), HasSubstr("warning")));
  EXPECT_EQ(Program({"--check", "--database", store.url()}).exit_status, 0);
  store.Script("UPDATE definitions SET run_info = 'junk'");
  EXPECT_EQ(Program({"--check", "--database", store.url()}).exit_status, 1);
}

TEST(Program, WrongArgumentsAre2) {
  EXPECT_EQ(Program({}).exit_status, 2);
  EXPECT_EQ(Program({"--database", "x", "--embedded", "y"}).exit_status, 2);
  EXPECT_EQ(Program({"--database", "x", "-o", "xml"}).exit_status, 2);
  EXPECT_EQ(Program({"--database", "x", "show"}).exit_status, 2);
  EXPECT_EQ(Program({"--database", "x", "--app", "a", "--domain", "d"}).exit_status, 2);
  EXPECT_EQ(Program({"--help"}).exit_status, 0);
}

TEST(Program, NoDatabaseIs3AndNoPasswordIsPrinted) {
  const std::string nowhere = "/nowhere/at/all";
  for (const std::string& url : std::vector<std::string>{
           "postgresql://user:s3cr3t@127.0.0.1:1/db",              // nobody listens
           "postgres//user:s3cr3t@127.0.0.1/db",                   // no URL at all
           "host=" + nowhere + " password=s3cr3t user=u dbname=d",
           "host=" + nowhere + " password='s3cr3t with space' dbname=d",
           "host=" + nowhere + " pasword=s3cr3t",  // misspelt
           "postgresql://127.0.0.1:1/db?password=s3cr3t",
       }) {
    setenv("BATON_DATABASE", url.c_str(), 1);
    const CommandResult result = Program({});
    unsetenv("BATON_DATABASE");
    EXPECT_EQ(result.exit_status, 3) << url;
    EXPECT_THAT(result.output,
                AllOf(HasSubstr("baton-definitions: the database cannot be reached"), Not(HasSubstr("s3cr3t"))))
        << url;
  }
}

TEST(Program, AnotherMachineIs2AndNoPasswordIsPrinted) {
  for (const char* url : {"postgresql://user@10.1.2.3/db", "postgresql://user:s3cr3t@10.1.2.3/db?sslmode=require",
                          "postgresql://user:s3cr3t@part-s3cr3t@127.0.0.1:1/db",  // an '@' that is not escaped
                          "postgresql://user:a/s3cr3t@127.0.0.1:1/db"}) {         // a '/' that is not escaped
    setenv("BATON_DATABASE", url, 1);
    const CommandResult result = Program({});
    unsetenv("BATON_DATABASE");
    EXPECT_EQ(result.exit_status, 2) << url;
    EXPECT_THAT(result.output, AllOf(HasSubstr("takes sslmode=verify-full in --database"), HasSubstr("--database-insecure"),
                                     Not(HasSubstr("s3cr3t"))));
  }
  setenv("PGHOSTADDR", "10.1.2.3", 1);
  EXPECT_THAT(Program({"--database", "host=127.0.0.1"}).output, HasSubstr("PostgreSQL on another machine (10.1.2.3)"));
  setenv("PGHOSTADDR", "127.0.0.1", 1);  // which is libpq's to reach
  EXPECT_EQ(Program({"--database", "postgresql://user@db.example:1/db"}).exit_status, 3);
  unsetenv("PGHOSTADDR");
  EXPECT_EQ(Program({"--database", "postgresql://user@db.invalid:1/db", "--database-insecure"}).exit_status, 3);
}

// Whoever may list processes would read it.
TEST(Program, APasswordOnTheCommandLineIsRefusedAndNotRepeated) {
  const CommandResult result = Program({"--database", "postgresql://user:s3cr3t@127.0.0.1:1/db"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.output, AllOf(HasSubstr("BATON_DATABASE"), Not(HasSubstr("s3cr3t"))));
}

TEST(Trouble, KeepsWhatHelpsAndHidesThePassword) {
  EXPECT_EQ(definitions::Database::Trouble(
                "the database does not answer: connection to server at \"db\" (10.0.0.1), port 5432 failed: "
                "Connection refused\n",
                "postgresql://u:s3cr3t@db/x"),
            "the database cannot be reached: connection to server at \"db\" (10.0.0.1), port 5432 failed: Connection "
            "refused");
  EXPECT_EQ(definitions::Database::Trouble("could not translate host name \"cr@3t@db\" to address",
                                           "postgresql://u:se@cr@3t@db/x"),
            "the database cannot be reached: could not translate host name \"***@***@db\" to address");
}

class Embedded : public ::testing::Test {
 protected:
  Embedded() {
    dir_ = MakeClusterDir("baton-test");
    CopyClusterTo(dir_);
    postgres_ = *EmbeddedPostgres::Start({.dir = dir_, .durable = false});
    EXPECT_TRUE(Migrate(*OpenSession(postgres_->url())).ok());
    store_ = std::make_unique<SeededStore>(postgres_->url());
    store_->Desire("app", 1, "v1");
  }
  ~Embedded() override {
    if (postgres_->Runs()) (void)postgres_->StopImmediately();
    std::filesystem::remove_all(dir_);
  }
  void StopIt() {
    store_.reset();
    ASSERT_TRUE(postgres_->Stop().ok());
  }

  std::string dir_;
  std::unique_ptr<EmbeddedPostgres> postgres_;
  std::unique_ptr<SeededStore> store_;
};

TEST_F(Embedded, OneThatRunsIsUsedAndLeftUp) {
  const CommandResult result = Program({"--embedded", dir_});
  EXPECT_EQ(result.exit_status, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("v1"));
  EXPECT_TRUE(postgres_->Runs());
}

TEST_F(Embedded, OneThatIsDownIsStartedForTheReadingAndStopped) {
  StopIt();
  const CommandResult result = Program({"--embedded", dir_, "--check"});
  EXPECT_EQ(result.exit_status, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("all is well"));
  EXPECT_FALSE(postgres_->Runs());
}

TEST_F(Embedded, WhoTookItUpMeanwhileKeepsIt) {
  StopIt();
  std::unique_ptr<Session> other;
  std::ostringstream out;
  std::ostringstream err;
  const auto code = definitions::RunDefinitions({.embedded = dir_}, {out, err, [&] {
                                                                       if (!other)
                                                                         other = OpenSession(postgres_->url());
                                                                       return false;
                                                                     }});
  EXPECT_EQ(code, definitions::kExitFine) << err.str();
  EXPECT_TRUE(postgres_->Runs());
}

// Who only reads is not told what kind of session another role's is.
TEST_F(Embedded, ABatondInItsRolesThatTookItUpMeanwhileKeepsIt) {
  ASSERT_TRUE(MakeRoles(*OpenSession(postgres_->url())).ok());
  StopIt();
  std::unique_ptr<Session> other;
  std::ostringstream out;
  std::ostringstream err;
  const auto code =
      definitions::RunDefinitions({.embedded = dir_}, {out, err, [&] {
                                                         if (!other)
                                                           other = OpenSession(postgres_->UrlOf("baton_service"));
                                                         return false;
                                                       }});
  EXPECT_EQ(code, definitions::kExitFine) << err.str();
  EXPECT_TRUE(postgres_->Runs());
  other.reset();
  ASSERT_TRUE(postgres_->Stop().ok());
  EXPECT_EQ(definitions::RunDefinitions({.embedded = dir_}, {out, err, [] { return false; }}), definitions::kExitFine)
      << err.str();
  EXPECT_FALSE(postgres_->Runs()) << "nobody else was there";
}

TEST_F(Embedded, ADirectoryWithoutOneIsNotMadeOne) {
  const std::string empty = dir_ + "/empty";
  std::filesystem::create_directory(empty);
  for (const std::string& dir : {empty, dir_ + "/missing"}) {
    const CommandResult result = Program({"--embedded", dir});
    EXPECT_EQ(result.exit_status, 3);
    EXPECT_THAT(result.output, HasSubstr("there is no embedded PostgreSQL in"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(empty));
  EXPECT_FALSE(std::filesystem::exists(dir_ + "/missing"));
}

// A page of the disk that PostgreSQL itself cannot read: the checksum is wrong.
TEST_F(Embedded, WhatIsDamagedOnTheDiskIsToldAndTheRestIsChecked) {
  for (const char* app : {"app-2", "app-3"}) store_->Desire(app, 0, "v1");
  // Out of line, a page or more each.
  store_->Script("ALTER TABLE definitions ALTER COLUMN run_info SET STORAGE EXTERNAL");
  for (const char* version : {"big-1", "big-2", "big-3"}) store_->Insert("app-2", Version(version, 20'000));
  std::string file;
  store_->Script("CHECKPOINT");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_ + "/data/base")) {
    if (!entry.is_regular_file() || entry.file_size() < 8 * 8192) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    const std::size_t secret = bytes.find(std::string(1500, 'x'));
    if (secret == std::string::npos || bytes.size() > 40 * 8192) continue;
    file = entry.path();
  }
  ASSERT_NE(file, "");
  StopIt();
  std::fstream damaged(file, std::ios::binary | std::ios::in | std::ios::out);
  damaged.seekp(3 * 8192 + 5000);
  damaged << "damage";
  damaged.close();
  const CommandResult result = Program({"--embedded", dir_, "--check"});
  EXPECT_EQ(result.exit_status, 1) << result.output;
  EXPECT_THAT(result.output, HasSubstr("app app-2, definition big-"));
  EXPECT_THAT(result.output, HasSubstr("its run info cannot be read (XX001)"));
  EXPECT_THAT(result.output, HasSubstr("checked 3 apps, 6 definitions"));
  EXPECT_EQ(Program({"--embedded", dir_}).exit_status, 0);  // the list needs no blobs
}

}  // namespace
}  // namespace baton::testing
