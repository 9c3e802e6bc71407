// What a program says of a command line that it cannot take.
#include "tools/command_line/mistake.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tools/command_line/one_of.h"

namespace baton {
namespace {

// What a small program with commands says, and how it ends.
std::pair<int, std::string> Say(std::vector<std::string> words) {
  CLI::App app("A program", "/usr/bin/baton");
  std::string text;
  app.fallthrough();
  app.require_subcommand(1);
  app.add_option("--database", text);
  app.add_option_group("store")->add_option("--embedded", text);
  CLI::App* get = app.add_subcommand("get", "");
  get->add_option("KIND", text)->required()->check(CLI::IsMember({"apps", "cells"}));
  get->add_flag("--all");
  get->add_option("-o,--output", text)->check(OneOf({"table", "wide", "json"}));
  CLI::App* rollout = app.add_subcommand("rollout", "");
  rollout->require_subcommand(1);
  rollout->add_subcommand("status", "")->add_option("APP", text)->required();
  std::ostringstream out, err;
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    const int status = EndOf(app, error, out, err);
    return {status, out.str() + err.str()};
  }
  return {0, ""};
}

std::string Told(std::vector<std::string> words) {
  const auto [status, text] = Say(std::move(words));
  EXPECT_EQ(status, kMistaken);
  return text;
}

TEST(Mistake, AMistypedCommandIsNamedWithWhatWasMeant) {
  EXPECT_EQ(Told({"gte", "apps"}), "baton: 'gte' is no command of baton: did you mean get?; see baton --help\n");
  EXPECT_EQ(Told({"rollout", "stauts", "a"}),
            "baton: 'stauts' is no command of baton rollout: did you mean status?; see baton --help\n");
  EXPECT_EQ(Told({"frobnicate"}), "baton: 'frobnicate' is no command of baton; see baton --help\n");
}

// '-f' was said to be no option of the program.
TEST(Mistake, AMistypedCommandIsNamedAlsoWhereOptionsFollow) {
  EXPECT_EQ(Told({"gte", "apps", "--all"}), "baton: 'gte' is no command of baton: did you mean get?; see baton --help\n");
  EXPECT_EQ(Told({"gte", "-f", "x"}), "baton: 'gte' is no command of baton: did you mean get?; see baton --help\n");
  EXPECT_EQ(Told({"--database", "x", "gte", "-f"}), "baton: 'gte' is no command of baton: did you mean get?; see baton --help\n");
  EXPECT_EQ(Told({"rollout", "stauts", "a", "-w"}),
            "baton: 'stauts' is no command of baton rollout: did you mean status?; see baton --help\n");
  EXPECT_EQ(Told({"--databse", "x", "gte"}), "baton: '--databse' is no option of baton: did you mean --database?; see baton --help\n");
}

TEST(Mistake, AnOptionWithoutItsDashesIsSuggested) {
  EXPECT_EQ(Told({"get", "apps", "databse"}),
            "baton: 'databse' is more than baton get takes: did you mean --database?; see baton --help\n");
}

// It was CLI11's own text, with the numbers of an enumeration.
TEST(Mistake, AWordOfASetIsRefusedWithAllOfThemAndTheNearest) {
  EXPECT_EQ(Told({"get", "apps", "-o", "jsn"}),
            "baton: --output: 'jsn' is none of table, wide and json: did you mean json?; see baton --help\n");
  EXPECT_EQ(Told({"get", "apps", "-o", "pods"}), "baton: --output: 'pods' is none of table, wide and json; see baton --help\n");
}

TEST(OneOf, AnOptionKnowsItsWords) {
  CLI::App app;
  std::string text;
  EXPECT_EQ(WordsOf(*app.add_option("--output", text)->check(OneOf({"table", "json"}))->type_name("FORMAT")),
            (std::vector<std::string>{"table", "json"}));
  EXPECT_EQ(WordsOf(*app.add_option("--app", text)), std::vector<std::string>());
}

TEST(Mistake, AMistypedOptionComesBeforeWhatIsMissingBecauseOfIt) {
  EXPECT_EQ(Told({"--databse", "x"}), "baton: '--databse' is no option of baton: did you mean --database?; see baton --help\n");
  EXPECT_EQ(Told({"--embeded", "x"}), "baton: '--embeded' is no option of baton: did you mean --embedded?; see baton --help\n");
  EXPECT_EQ(Told({"get", "--databse=x"}),
            "baton: '--databse' is no option of baton get: did you mean --database?; see baton --help\n");
  EXPECT_EQ(Told({"get", "--databse", "x"}),
            "baton: '--databse' is no option of baton get: did you mean --database?; see baton --help\n");
  EXPECT_EQ(Told({"get", "apps", "--alll"}), "baton: '--alll' is no option of baton get: did you mean --all?; see baton --help\n");
  EXPECT_EQ(Told({"rollout", "status", "a", "--all"}), "baton: '--all' is no option of baton rollout status; see baton --help\n");
}

TEST(Mistake, WhatIsTooMuchOrMissingIsNamedAsSuch) {
  EXPECT_EQ(Told({"get", "apps", "x"}), "baton: 'x' is more than baton get takes; see baton --help\n");
  EXPECT_EQ(Told({"get"}), "baton: KIND is required; see baton --help\n");
  EXPECT_EQ(Told({"get", "apps", "--database"}).substr(0, 17), "baton: --database");
}

TEST(Mistake, HelpIsNone) {
  const auto [status, text] = Say({"--help"});
  EXPECT_EQ(status, 0);
  EXPECT_NE(text.find("rollout"), std::string::npos);
}

}  // namespace
}  // namespace baton
