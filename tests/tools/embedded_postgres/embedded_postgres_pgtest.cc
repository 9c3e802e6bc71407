// Where the embedded PostgreSQL has its files and its socket, and what it does not touch for that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "tests/tools/shim/scratch_dir.h"
#include "tools/embedded_postgres/command.h"
#include "tools/embedded_postgres/embedded_postgres.h"
#include "tools/embedded_postgres/server_lock.h"

namespace baton {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class EmbeddedPostgresTest : public ::testing::Test {
 protected:
  EmbeddedPostgresTest() { chmod(scratch_.path().c_str(), 0711); }  // another user's, where we are root

  static std::string WhyNot(const std::string& dir) {
    const auto started = EmbeddedPostgres::Start({.dir = dir, .durable = false});
    if (!started) return started.error().message;
    EXPECT_TRUE((*started)->StopImmediately().ok());
    return "";
  }
  // Too long for a socket: that lies in /tmp then, where everybody may make what he likes.
  std::string LongDir() const { return scratch_ / std::string(90, 'x'); }
  // "host=DIR user=..."
  static std::string SocketOf(const EmbeddedPostgres& postgres) {
    return postgres.url().substr(5, postgres.url().find(' ') - 5);
  }

  testing::ScratchDir scratch_;
};

// It was of a name that could be guessed and taken before: by a link, by which root gave away what it led to, or so
// that nothing started.
TEST_F(EmbeddedPostgresTest, ALongPathHasItsSocketWhereNobodyCanGuessAndIsTakenUp) {
  const std::string victim = scratch_ / "victim";
  fs::create_directory(victim);
  chmod(victim.c_str(), 0755);
  const std::string guessed = "/tmp/baton-" + std::to_string(std::hash<std::string>()(LongDir()));
  fs::create_directory_symlink(victim, guessed);
  auto first = EmbeddedPostgres::Start({.dir = LongDir(), .durable = false});
  fs::remove(guessed);
  ASSERT_TRUE(first.ok()) << first.error().message;
  const std::string socket = SocketOf(**first);
  EXPECT_THAT(socket, ::testing::MatchesRegex("/tmp/baton-......"));
  struct stat made {};
  ASSERT_EQ(lstat(socket.c_str(), &made), 0);
  EXPECT_EQ(made.st_mode, S_IFDIR | 0700U);
  ASSERT_EQ(stat(victim.c_str(), &made), 0);
  EXPECT_EQ(made.st_mode & 07777U, 0755U);
  EXPECT_EQ(made.st_uid, geteuid());
  auto second = EmbeddedPostgres::Start({.dir = LongDir(), .durable = false});
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_TRUE((*second)->taken_up());
  EXPECT_EQ(SocketOf(**second), socket);
  // By its own word where the name was lost, as after a Baton that kept none.
  fs::remove(LongDir() + "/socket");
  auto third = EmbeddedPostgres::Start({.dir = LongDir(), .durable = false});
  ASSERT_TRUE(third.ok()) << third.error().message;
  EXPECT_TRUE((*third)->taken_up());
  EXPECT_EQ(SocketOf(**third), socket);
  EXPECT_TRUE((*third)->StopImmediately().ok());
  fs::remove_all(socket);
  fs::remove_all(fs::read_symlink(LongDir() + "/socket"));
}

TEST_F(EmbeddedPostgresTest, TheSocketOfALongPathStaysWhereItWasUnlessOthersCanEnter) {
  std::string before;
  {
    auto first = EmbeddedPostgres::Start({.dir = LongDir(), .durable = false});
    ASSERT_TRUE(first.ok()) << first.error().message;
    before = SocketOf(**first);
    ASSERT_TRUE((*first)->StopImmediately().ok());  // as by kill -9: what it left is still there
  }
  auto second = EmbeddedPostgres::Start({.dir = LongDir(), .durable = false});
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_FALSE((*second)->taken_up());
  EXPECT_EQ(SocketOf(**second), before);
  ASSERT_TRUE((*second)->StopImmediately().ok());
  chmod(before.c_str(), 0777);
  auto third = EmbeddedPostgres::Start({.dir = LongDir(), .durable = false});
  ASSERT_TRUE(third.ok()) << third.error().message;
  EXPECT_NE(SocketOf(**third), before);
  EXPECT_TRUE((*third)->StopImmediately().ok());
  fs::remove_all(before);
  fs::remove_all(SocketOf(**third));
}

// As root it would change owner and mode of whatever a link of that name leads to.
TEST_F(EmbeddedPostgresTest, ALinkWhereItsSocketIsToBeIsLeftAlone) {
  const std::string victim = scratch_ / "victim";
  fs::create_directory(victim);
  chmod(victim.c_str(), 0755);
  fs::create_directory(scratch_ / "pg");
  fs::create_directory_symlink(victim, scratch_ / "pg/socket");
  EXPECT_THAT(WhyNot(scratch_ / "pg"), HasSubstr("/pg/socket is not a directory of mode 0700 that belongs to "));
  struct stat after {};
  ASSERT_EQ(stat(victim.c_str(), &after), 0);
  EXPECT_EQ(after.st_mode & 07777U, 0755U);
  EXPECT_EQ(after.st_uid, geteuid());
}

// pg_ctl hands the paths to a shell.
TEST_F(EmbeddedPostgresTest, APathThatAShellWouldReadIsRefused) {
  for (const std::string odd : {"a b", "a;touch pwned", "$(touch pwned)", "a'b", "a\"b", "a,b", "a\nb"}) {
    EXPECT_THAT(WhyNot(scratch_ / odd), HasSubstr("has a character that its tools would not take as it is")) << odd;
    EXPECT_FALSE(fs::exists(scratch_ / odd));
  }
}

// A setting reaches PostgreSQL as it was given, whatever a shell would make of it.
TEST_F(EmbeddedPostgresTest, ASettingMayHaveSpaces) {
  auto started =
      EmbeddedPostgres::Start({.dir = scratch_ / "pg", .durable = false, .settings = {"log_line_prefix=%a 'it' $x "}});
  ASSERT_TRUE(started.ok()) << started.error().message;
  const auto shown = RunCommand({"/usr/bin/psql", (*started)->url(), "-AtXc", "SHOW log_line_prefix"}, {});
  ASSERT_TRUE(shown.ok()) << shown.error().message;
  EXPECT_EQ(shown->output, "%a 'it' $x \n");
  EXPECT_TRUE((*started)->StopImmediately().ok());
}

TEST_F(EmbeddedPostgresTest, DataOfAVersionThatIsNotInstalledIsLeftAlone) {
  fs::create_directories(scratch_ / "pg/data");
  std::ofstream(scratch_ / "pg/data/PG_VERSION") << "8.4\n";
  EXPECT_THAT(WhyNot(scratch_ / "pg"),
              HasSubstr("is of PostgreSQL 8.4, whose programs are not in /usr/lib/postgresql/8.4/bin: "
                        "apt-get install postgresql-8.4"));
}

// It grew for as long as the directory was used.
TEST_F(EmbeddedPostgresTest, ItsLogIsMovedAsideWhenItIsLong) {
  const std::string log = scratch_ / "pg/postgres.log";
  auto started = EmbeddedPostgres::Start({.dir = scratch_ / "pg", .durable = false});
  ASSERT_TRUE(started.ok()) << started.error().message;
  (*started)->ShortenLog();
  EXPECT_FALSE(fs::exists(log + ".1"));
  fs::resize_file(log, EmbeddedPostgres::kLogBytesMax + 1);
  (*started)->ShortenLog();
  EXPECT_EQ(fs::file_size(log + ".1"), EmbeddedPostgres::kLogBytesMax + 1);
  EXPECT_EQ(fs::file_size(log), 0U);
  ASSERT_TRUE(RunCommand({"/usr/bin/psql", (*started)->url(), "-Xc", "SELECT no_such"}, {}).ok());
  const auto bytes = fs::file_size(log);  // from its begin, not after a hole of 64 MB
  EXPECT_GT(bytes, 0U);
  EXPECT_LT(bytes, 10000U);
  EXPECT_TRUE((*started)->StopImmediately().ok());
}

// As initdb leaves it where power is lost: it begins with PG_VERSION, and was taken for a cluster from then on.
TEST_F(EmbeddedPostgresTest, AClusterThatWasNotMadeToItsEndIsMadeAnew) {
  const std::string left = scratch_ / "pg/data.making-1";
  fs::create_directories(left);
  std::ofstream(left + "/PG_VERSION") << "15\n";
  if (geteuid() == 0) {
    ASSERT_EQ(RunCommand({"/bin/chown", "-R", "postgres:", scratch_ / "pg"}, {})->exit_status, 0);
  }
  EXPECT_EQ(WhyNot(scratch_ / "pg"), "");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(scratch_ / "pg/data/global/pg_control"));
}

// What a machine that lost power leaves. PostgreSQL took the number for a server of its own user's, or an empty file
// for one that starts, and its tools would have signalled a process that only has the number.
TEST_F(EmbeddedPostgresTest, AFileThatADeadServerLeftKeepsNoneFromStarting) {
  ASSERT_EQ(WhyNot(scratch_ / "pg"), "");
  struct stat data {};
  ASSERT_EQ(stat((scratch_ / "pg/data").c_str(), &data), 0);
  auto other = Process::Spawn({.arguments = {"/bin/sleep", "60"}, .user = UnixUser{"", data.st_uid, data.st_gid}});
  ASSERT_TRUE(other.ok()) << other.error().message;
  const std::string number = std::to_string(other->pid()) + "\n";
  for (const std::string& left : {std::string(), number + (scratch_ / "pg/data") + "\n1\n0\n/tmp\n\n"}) {
    for (const char* lock : {"pg/data/postmaster.pid", "pg/socket/.s.PGSQL.5432.lock"})
      std::ofstream(scratch_ / lock) << left;
    auto started = EmbeddedPostgres::Start({.dir = scratch_ / "pg", .durable = false});
    ASSERT_TRUE(started.ok()) << started.error().message;
    EXPECT_FALSE((*started)->taken_up());
    EXPECT_TRUE((*started)->StopImmediately().ok());
    std::ofstream(scratch_ / "pg/data/postmaster.pid") << left;
    EXPECT_FALSE((*started)->Stop().ok());
    fs::remove(scratch_ / "pg/data/postmaster.pid");
  }
  EXPECT_TRUE(other->Running());
  other->Signal(SIGKILL);
  other->WaitForEnd();
}

// Its file goes a moment before the process does: whoever removed the directory then, did so under its feet.
TEST_F(EmbeddedPostgresTest, TheProcessIsGoneOnceItIsStopped) {
  auto started = EmbeddedPostgres::Start({.dir = scratch_ / "pg", .durable = false});
  for (int round = 0; round < 5; ++round) {
    ASSERT_TRUE(started.ok()) << started.error().message;
    const std::optional<Process> server = ServerLock::OfCluster(scratch_ / "pg/data").Server();
    ASSERT_TRUE(server);
    ASSERT_TRUE((round % 2 == 0 ? (*started)->Stop() : (*started)->StopImmediately()).ok());
    EXPECT_FALSE(server->Running());
    ASSERT_TRUE((*started)->StartAgain().ok());
  }
}

TEST_F(EmbeddedPostgresTest, WhatTheEnvironmentSaysOfAnotherDatabaseDoesNotLeadThere) {
  setenv("PGHOSTADDR", "127.0.0.77", 1);  // where nobody listens
  auto started = EmbeddedPostgres::Start({.dir = scratch_ / "pg", .durable = false});
  EXPECT_TRUE(started.ok()) << started.error().message;
  if (started) {
    const auto asked = RunCommand({"/usr/bin/psql", (*started)->url(), "-AtXc", "SELECT current_database()"}, {});
    EXPECT_EQ(asked->output, "baton\n");
    EXPECT_TRUE((*started)->StopImmediately().ok());
  }
  unsetenv("PGHOSTADDR");
}

TEST_F(EmbeddedPostgresTest, WhatPostgresDoesNotTakeIsToldInItsOwnWords) {
  const auto started = EmbeddedPostgres::Start({.dir = scratch_ / "pg", .durable = false, .settings = {"no_such=1"}});
  ASSERT_FALSE(started.ok());
  EXPECT_THAT(started.error().message, HasSubstr("unrecognized configuration parameter \"no_such\""));
}

}  // namespace
}  // namespace baton
