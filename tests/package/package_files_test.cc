// debian/: what is there twice is the same, and the units start the programs with options that those take.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "orchestrator/model/version.h"
#include "tests/supply/output_of.h"
#include "tools/manual/programs.h"

namespace baton::manual {
namespace {

const std::string kSources = BATON_SOURCES;

std::string Text(const std::string& path) {
  std::ifstream in(kSources + "/" + path);
  EXPECT_TRUE(in) << path;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// What a unit says of a key, in its order.
std::vector<std::string> Values(const std::string& unit, const std::string& key) {
  std::vector<std::string> values;
  std::istringstream in(Text("debian/" + unit + ".service"));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(key + "=")) values.push_back(line.substr(key.size() + 1));
  }
  return values;
}

TEST(PackageFiles, BuildDependsAreThePackagesThatDevInstallsForBuilding) {
  std::set<std::string> wanted;
  std::istringstream list(Text("deploy/debian-packages.txt"));
  std::string section;
  for (std::string line; std::getline(list, line);) {
    if (line.starts_with("# "))
      section = line.substr(2);
    else if (section == "build" || section == "libraries")
      wanted.insert(line);
  }
  EXPECT_GT(wanted.size(), 15U);
  const std::string control = Text("debian/control");
  const auto from = control.find("Build-Depends: ");
  std::istringstream depends(control.substr(from, control.find("\n\n") - from));
  std::set<std::string> there;
  std::string line;
  ASSERT_TRUE(std::getline(depends, line));
  EXPECT_EQ(line, "Build-Depends: debhelper-compat (= 13),");
  while (std::getline(depends, line)) there.insert(line.substr(1, line.find(',') - 1));
  EXPECT_EQ(there, wanted);
}

TEST(PackageFiles, EachPackageIsAComponentThatHoldsSomething) {
  const std::string packaging = Text("cmake/Packaging.cmake");
  std::istringstream control(Text("debian/control"));
  int packages = 0;
  for (std::string line; std::getline(control, line);) {
    if (!line.starts_with("Package: ")) continue;
    ++packages;
    const std::string package = line.substr(9);
    EXPECT_TRUE(packaging.find("COMPONENT " + package) != std::string::npos || Find(package)) << package;
  }
  EXPECT_EQ(packages, 6);
}

TEST(PackageFiles, TheChangelogIsOfTheVersionThatIsBuilt) {
  const std::string changelog = OutputOf(kSources + "/deploy/package/changelog +next");
  EXPECT_TRUE(changelog.starts_with("baton (" + std::string(kAppVersion) + "+next) unstable; urgency=medium\n\n  * "))
      << changelog.substr(0, 200);
  EXPECT_EQ(
      OutputOf("printf '%s' \"$(" + kSources + "/deploy/package/changelog)\" | dpkg-parsechangelog -l - -S Version"),
      std::string(kAppVersion) + "\n");
}

class Unit : public ::testing::TestWithParam<const char*> {};

// With the environment that it gives: what is left out of it is in the configuration file.
TEST_P(Unit, StartsItsProgramWithOptionsThatItTakes) {
  const std::string unit = GetParam();
  for (const std::string& pairs : Values(unit, "Environment")) {
    for (const std::string& pair : CLI::detail::split(pairs, ' ')) {
      const auto equals = pair.find('=');
      const std::string name = pair.substr(0, equals);
      EXPECT_NE(PrintMan(unit).value().find("\\fB" + name + "\\fR"), std::string::npos) << unit << " knows no " << name;
    }
  }
  const auto starts = Values(unit, "ExecStart");
  ASSERT_EQ(starts.size(), 1U);
  auto words = CLI::detail::split(starts[0], ' ');
  EXPECT_EQ(words[0], "/usr/bin/" + unit);
  std::string config;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--config") config = std::exchange(words[i + 1], "/dev/null");
  }
  EXPECT_TRUE(config.starts_with("/etc/baton/") && config.ends_with(".conf")) << config;
  words.erase(words.begin());
  if (unit == "batond") words.insert(words.end(), {"--database", "x"});
  if (unit == "baton-cell") words.insert(words.end(), {"--id", "c", "--dir", "/d"});
  Find(unit)->with([&](CLI::App& app) {
    EXPECT_NO_THROW(app.parse(std::vector<std::string>(words.rbegin(), words.rend()))) << starts[0];
  });
}

TEST_P(Unit, WhatOutlivesItIsNotKilledWithIt) {
  const std::string unit = GetParam();
  const bool alone = unit == "batond" || unit == "baton-web";
  EXPECT_EQ(Values(unit, "KillMode"), alone ? std::vector<std::string>() : std::vector<std::string>{"process"});
  EXPECT_EQ(Values(GetParam(), "Restart"), std::vector<std::string>{"always"});
}

// Instances inherit what the cell's unit is confined to, so that one is not looked at.
TEST_P(Unit, IsExposedToLittle) {
  if (std::string(GetParam()) == "baton-cell") return;
  if (OutputOf("command -v systemd-analyze").empty()) GTEST_SKIP() << "there is no systemd-analyze here";
  const std::string said = OutputOf("systemd-analyze security --no-pager --offline=true --threshold=20 " + kSources +
                                    "/debian/" + GetParam() + ".service 2>&1; echo \"status $?\"");
  EXPECT_TRUE(said.ends_with("status 0\n")) << said;
}

INSTANTIATE_TEST_SUITE_P(OfEach, Unit, ::testing::Values("batond", "baton-cell", "baton-router", "baton-web"),
                         [](const auto& unit) { return CLI::detail::find_and_replace(unit.param, "-", "_"); });

}  // namespace
}  // namespace baton::manual
