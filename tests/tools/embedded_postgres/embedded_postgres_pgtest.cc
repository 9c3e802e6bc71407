// Where the embedded PostgreSQL has its files and its socket, and what it does not touch for that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "tests/tools/shim/scratch_dir.h"
#include "tools/embedded_postgres/command.h"
#include "tools/embedded_postgres/embedded_postgres.h"

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
  static std::string SocketOf(const std::string& dir) { return "/tmp/baton-" + std::to_string(std::hash<std::string>()(dir)); }

  testing::ScratchDir scratch_;
};

// As root it changed owner and mode of whatever a link of that name led to.
TEST_F(EmbeddedPostgresTest, ALinkWhereItsSocketIsToBeIsLeftAlone) {
  const std::string victim = scratch_ / "victim";
  fs::create_directory(victim);
  chmod(victim.c_str(), 0755);
  const std::string socket = SocketOf(LongDir());
  fs::create_directory_symlink(victim, socket);
  EXPECT_THAT(WhyNot(LongDir()), HasSubstr(socket + " is not a directory of mode 0700 that belongs to "));
  fs::remove(socket);
  struct stat after {};
  ASSERT_EQ(stat(victim.c_str(), &after), 0);
  EXPECT_EQ(after.st_mode & 07777U, 0755U);
  EXPECT_EQ(after.st_uid, geteuid());
}

TEST_F(EmbeddedPostgresTest, ADirectoryThatOthersCanEnterIsNotTaken) {
  const std::string socket = SocketOf(LongDir());
  fs::create_directory(socket);
  chmod(socket.c_str(), 0777);
  EXPECT_THAT(WhyNot(LongDir()), HasSubstr("remove it if it is yours"));
  fs::remove(socket);
}

TEST_F(EmbeddedPostgresTest, ALongPathHasItsSocketInADirectoryOfItsOwnAndIsTakenUp) {
  auto first = EmbeddedPostgres::Start({.dir = LongDir(), .durable = false});
  ASSERT_TRUE(first.ok()) << first.error().message;
  const std::string socket = SocketOf(LongDir());
  EXPECT_THAT((*first)->url(), HasSubstr("host=" + socket + " "));
  struct stat made {};
  ASSERT_EQ(lstat(socket.c_str(), &made), 0);
  EXPECT_EQ(made.st_mode & 07777U, 0700U);
  auto second = EmbeddedPostgres::Start({.dir = LongDir(), .durable = false});
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_TRUE((*second)->taken_up());
  EXPECT_TRUE((*second)->StopImmediately().ok());
  std::error_code ignored;
  fs::remove_all(socket, ignored);
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
  auto started = EmbeddedPostgres::Start({.dir = scratch_ / "pg", .durable = false, .settings = {"log_line_prefix=%a 'it' $x "}});
  ASSERT_TRUE(started.ok()) << started.error().message;
  const auto shown = RunCommand({"/usr/bin/psql", (*started)->url(), "-AtXc", "SHOW log_line_prefix"}, {});
  ASSERT_TRUE(shown.ok()) << shown.error().message;
  EXPECT_EQ(shown->output, "%a 'it' $x \n");
  EXPECT_TRUE((*started)->StopImmediately().ok());
}

TEST_F(EmbeddedPostgresTest, WhatPostgresDoesNotTakeIsToldInItsOwnWords) {
  const auto started = EmbeddedPostgres::Start({.dir = scratch_ / "pg", .durable = false, .settings = {"no_such=1"}});
  ASSERT_FALSE(started.ok());
  EXPECT_THAT(started.error().message, HasSubstr("unrecognized configuration parameter \"no_such\""));
}

}  // namespace
}  // namespace baton
