// `baton context`, and which way a command takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/baton/baton.h"
#include "tools/baton/outcome.h"

namespace baton::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct SaidOfContext {
  int exit_status;
  std::string out;
  std::string err;
};

SaidOfContext DoInContexts(const std::vector<std::string>& words) {
  std::istringstream in;
  std::ostringstream out, err;
  Io io{in, out, err, nullptr, [] { return std::int64_t{0}; }};
  const int exit_status = cli::Run(words, io);
  return {exit_status, out.str(), err.str()};
}

class ContextCommands : public ::testing::Test {
 protected:
  ContextCommands() {
    EXPECT_NE(mkdtemp(dir_.data()), nullptr);
    setenv("BATON_CONTEXT_FILE", In("contexts.yaml").c_str(), 1);
    EXPECT_EQ(DoInContexts({"certs", "ca", "--trust-domain", "baton.example", "--out", In("ca")}).exit_status, kDone);
    EXPECT_EQ(DoInContexts({"certs", "issue", "admin", "ann", "--ca", In("ca"), "--out", In("ann")}).exit_status, kDone);
  }
  ~ContextCommands() override {
    std::filesystem::remove_all(dir_);
    unsetenv("BATON_CONTEXT_FILE");
    unsetenv("BATON_CONTEXT");
  }
  std::string In(const std::string& name) const { return dir_ + "/" + name; }
  // Where a command looks for batond, by what it says that nobody answers.
  static std::string Asked(std::vector<std::string> words) {
    words.insert(words.end(), {"--timeout", "0.05", "ping"});
    return DoInContexts(words).err;
  }

  std::string dir_ = "/tmp/baton-context-XXXXXX";
};

TEST_F(ContextCommands, AreAddedListedUsedShownAndRemoved) {
  const SaidOfContext first = DoInContexts({"context", "add", "prod", "--batond", "127.0.0.1:1,127.0.0.1:2", "--tls", In("ann")});
  EXPECT_EQ(first.exit_status, kDone) << first.err;
  EXPECT_THAT(first.out, HasSubstr("and the current one"));
  const SaidOfContext second = DoInContexts({"context", "add", "test", "--batond", "127.0.0.1:3"});
  EXPECT_THAT(second.out, HasSubstr("baton --context test asks it"));
  EXPECT_EQ(DoInContexts({"context", "add", "test", "--batond", "127.0.0.1:3"}).exit_status, kFailed);
  const SaidOfContext list = DoInContexts({"context", "list"});
  EXPECT_THAT(list.out, AllOf(HasSubstr("*  prod  127.0.0.1:1,127.0.0.1:2  admin/ann"), HasSubstr("baton.example"), HasSubstr("nobody: without TLS")));
  const SaidOfContext shown = DoInContexts({"context", "show"});
  EXPECT_EQ(shown.exit_status, kDone) << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("admin/ann of baton.example, until 20"), HasSubstr(In("ann"))));
  EXPECT_EQ(DoInContexts({"context", "use", "test"}).exit_status, kDone);
  EXPECT_THAT(DoInContexts({"context", "show"}).out, HasSubstr("test, the current one"));
  EXPECT_EQ(DoInContexts({"context", "use", "tset"}).exit_status, kFailed);
  EXPECT_THAT(DoInContexts({"context", "remove", "test"}).out, HasSubstr("none is the current one"));
  EXPECT_EQ(DoInContexts({"context", "show"}).exit_status, kFailed);
  EXPECT_EQ(DoInContexts({"context", "show", "prod"}).exit_status, kDone);
}

TEST_F(ContextCommands, WhatNobodyCouldUseIsNotAdded) {
  const SaidOfContext no_dir = DoInContexts({"context", "add", "x", "--tls", In("nothing")});
  EXPECT_EQ(no_dir.exit_status, kUsage);
  EXPECT_THAT(no_dir.err, HasSubstr("cannot be read"));
  EXPECT_THAT(DoInContexts({"context", "add", "x", "--tls", In("ann"), "--trust-domain", "other.example"}).err, HasSubstr("not of other.example"));
  EXPECT_THAT(DoInContexts({"context", "add", "x", "--ca", In("ann/ca.pem")}).err, HasSubstr("--ca requires --"));
  EXPECT_EQ(DoInContexts({"context", "add", "a/b"}).exit_status, kUsage);
  EXPECT_FALSE(std::filesystem::exists(In("contexts.yaml")));
}

TEST_F(ContextCommands, ThreeFilesAreAsGoodAsADirectory) {
  std::filesystem::rename(In("ann/key.pem"), In("k"));
  const SaidOfContext added =
      DoInContexts({"context", "add", "x", "--ca", In("ann/ca.pem"), "--cert", In("ann/cert.pem"), "--key", In("k")});
  EXPECT_EQ(added.exit_status, kDone) << added.err;
  EXPECT_THAT(DoInContexts({"context", "show", "x"}).out, HasSubstr("admin/ann of baton.example"));
  std::filesystem::permissions(In("k"), std::filesystem::perms(0644));
  const SaidOfContext open = DoInContexts({"context", "show", "x"});
  EXPECT_EQ(open.exit_status, kFailed);
  EXPECT_THAT(open.out, HasSubstr(In("k")));
}

TEST_F(ContextCommands, TheCommandLineGoesBeforeTheContextAndThatBeforeTheCurrentOne) {
  EXPECT_THAT(Asked({}), HasSubstr("127.0.0.1:8891")) << "no context at all";
  ASSERT_EQ(DoInContexts({"context", "add", "one", "--batond", "127.0.0.1:1", "--tls", In("ann")}).exit_status, kDone);
  ASSERT_EQ(DoInContexts({"context", "add", "two", "--batond", "127.0.0.1:2", "--tls", In("ann")}).exit_status, kDone);
  EXPECT_THAT(Asked({}), HasSubstr("127.0.0.1:1 "));
  EXPECT_THAT(Asked({"--context", "two"}), HasSubstr("127.0.0.1:2 "));
  setenv("BATON_CONTEXT", "two", 1);
  EXPECT_THAT(Asked({}), HasSubstr("127.0.0.1:2 "));
  EXPECT_THAT(Asked({"--context", "one"}), HasSubstr("127.0.0.1:1 "));
  unsetenv("BATON_CONTEXT");
  EXPECT_THAT(Asked({"--context", "one", "--batond", "127.0.0.1:3"}), HasSubstr("127.0.0.1:3 "));
  EXPECT_THAT(Asked({"--context", "three"}), HasSubstr("there are one, two"));
}

// A certificate is not shown to whom it is not for: --batond alone is that one, as if there were no contexts.
TEST_F(ContextCommands, WhoSaysWhereToGoUsesNone) {
  ASSERT_EQ(DoInContexts({"context", "add", "one", "--batond", "127.0.0.1:1", "--tls", In("ann")}).exit_status, kDone);
  std::filesystem::remove_all(In("ann"));
  EXPECT_THAT(Asked({}), HasSubstr("context one: the directory of certificates"));
  EXPECT_THAT(Asked({"--batond", "127.0.0.1:1"}), AllOf(HasSubstr("no batond takes calls at 127.0.0.1:1"), Not(HasSubstr("context one"))));
  EXPECT_THAT(Asked({"--tls", In("nobody")}), HasSubstr("--tls: the directory of certificates " + In("nobody")));
}

TEST_F(ContextCommands, AFileThatIsBrokenIsNamedWithItsLine) {
  std::ofstream(In("contexts.yaml")) << "current: one\ncontexts: 7\n";
  EXPECT_THAT(Asked({}), HasSubstr(In("contexts.yaml") + ":2: contexts takes a list"));
  EXPECT_EQ(DoInContexts({"certs", "check", In("ann")}).exit_status, kDone) << "what asks no batond goes on";
}

}  // namespace
}  // namespace baton::cli
