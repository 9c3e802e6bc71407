// What the command line refuses before anything is sent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tools/baton/baton.h"
#include "tools/baton/outcome.h"

namespace baton::cli {
namespace {

using ::testing::HasSubstr;

struct Said {
  int exit_status;
  std::string out;
  std::string err;
};

Said Do(const std::vector<std::string>& words, const std::string& in = "") {
  std::istringstream input(in);
  std::ostringstream out;
  std::ostringstream err;
  Io io{input, out, err, nullptr, [] { return std::int64_t{0}; }};
  std::vector<std::string> all{"--batond", "127.0.0.1:1"};
  if (std::ranges::find(words, "--timeout") == words.end()) all.insert(all.end(), {"--timeout", "0.05"});
  all.insert(all.end(), words.begin(), words.end());
  const int exit_status = Run(all, io);
  return {exit_status, out.str(), err.str()};
}

struct CommandMistake {
  std::vector<std::string> words;
  std::string sentence;
};

TEST(CommandLine, EachMistakeIsNamedAndEndsWithTwo) {
  const std::vector<CommandMistake> mistakes = {
      {{}, "subcommand is required"},
      {{"frobnicate"}, "'frobnicate' is no command"},
      {{"rollout", "stauts", "app"}, "'stauts' is no command of baton rollout: did you mean status?"},
      {{"get", "--dommain", "d"}, "'--dommain' is no option of baton get: did you mean --domain?"},
      {{"--batnd", "x:1", "get", "apps"}, "'--batnd' is no option of baton get: did you mean --batond?"},
      {{"get"}, "KIND is required"},
      {{"get", "appz"}, "'appz' is no kind: did you mean app?"},
      {{"get", "pods"}, "'pods' is no kind; expected app, instance, cell, roll or definition"},
      {{"get", "apps", "-o", "text"}, "--output: 'text' is none of table, wide, json and yaml; see"},
      {{"get", "apps", "-o", "jsn"}, "--output: 'jsn' is none of table, wide, json and yaml: did you mean json?"},
      {{"get", "apps", "-o", "2"}, "--output: '2' is none of table, wide, json and yaml"},
      {{"aply", "-f", "x"}, "'aply' is no command of baton: did you mean apply?"},
      {{"logz", "hello", "-f"}, "'logz' is no command of baton: did you mean logs?"},
      {{"admin", "api-usage", "--api", "v3"}, "--api: 'v3' is none of v1 and v2"},
      {{"get", "apps", "a", "--app", "b"}, "name one app"},
      {{"get", "instances", "app/x"}, "'app/x' is no instance"},
      {{"apply"}, "--file is required"},
      {{"apply", "-f", "/no/such/file"}, "cannot read /no/such/file"},
      {{"apply", "-f", "-", "--set", "X"}, "--set takes NAME=VALUE"},
      {{"apply", "-f", "-", "--set", "X=1", "--set", "X=2"}, "--set gives X two values"},
      {{"scale", "app"}, "the number of instances, 0 to 100000, is required"},
      {{"scale", "app", "100001"}, "100000"},
      {{"scale", "app", "--", "-1"}, "100000"},
      {{"scale", "app", "1", "--instances", "2"}, "excludes"},
      {{"rollout"}, "subcommand is required"},
      {{"rollout", "status"}, "APP is required"},
      {{"--timeout", "0", "ping"}, "--timeout"},
      {{"ping", "--timeout", "soon"}, "--timeout: expected a time up to one day as 90s, 5m or 10, found 'soon'"},
      {{"ping", "--timeout", "25h"}, "found '25h'"},
      {{"completion", "fish"}, "SHELL: 'fish' is none of bash and zsh"},
  };
  for (const CommandMistake& mistake : mistakes) {
    const Said said = Do(mistake.words);
    const std::string shown = ::testing::PrintToString(mistake.words);
    EXPECT_EQ(said.exit_status, kUsage) << shown << said.err;
    EXPECT_THAT(said.err, HasSubstr(mistake.sentence)) << shown;
    EXPECT_THAT(said.err, ::testing::StartsWith("baton: ")) << shown;
    EXPECT_EQ(said.out, "") << shown;
  }
}

TEST(CommandLine, AnAddressIsHostAndPort) {
  std::istringstream in;
  std::ostringstream out, err;
  Io io{in, out, err, nullptr, [] { return std::int64_t{0}; }};
  EXPECT_EQ(cli::Run({"--batond", "somewhere", "ping"}, io), kUsage);
  EXPECT_THAT(err.str(), HasSubstr("--batond takes HOST:PORT, not 'somewhere'"));
}

TEST(CommandLine, NobodyThereIsThreeAndSaysWhere) {
  const Said said = Do({"get", "apps"});
  EXPECT_EQ(said.exit_status, kUnreachable);
  EXPECT_THAT(said.err, HasSubstr("no batond takes calls at 127.0.0.1:1"));
}

TEST(CommandLine, HelpAndVersionNeedNobody) {
  EXPECT_EQ(Do({"--help"}).exit_status, kDone);
  EXPECT_THAT(Do({"rollout", "--help"}).out, HasSubstr("explain"));
  EXPECT_THAT(Do({"--version"}).out, HasSubstr("baton "));
}

TEST(CommandLine, AMistakeInTheLastFileStopsTheFirst) {
  const std::string good = "{guid: a, domain: d, definition: {root_fs: 'host:', action: {command: /bin/x}}}\n---\n";
  const Said said = Do({"apply", "-f", "-"}, good + "{guid: b}");
  EXPECT_EQ(said.exit_status, kUsage);
  EXPECT_THAT(said.err, HasSubstr("stdin:3:1: domain is missing"));
  EXPECT_THAT(Do({"apply", "-f", "-"}, good + good).err, HasSubstr("app a is given at stdin:1:1 already"));
}

}  // namespace
}  // namespace baton::cli
