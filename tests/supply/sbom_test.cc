// The bill of materials names every library that a program is linked to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/supply/output_of.h"

namespace baton {
namespace {

using ::testing::Contains;

std::string AsWords(std::string lines) {
  for (char& c : lines) c = c == '\n' ? ' ' : c;
  return lines;
}

TEST(Sbom, NamesEveryLibraryThatAProgramNeeds) {
  const std::string programs = AsWords(OutputOf("cat " BATON_PROGRAMS));
  const auto bom = nlohmann::json::parse(OutputOf(BATON_SBOM " --version 1.2.3 " + programs), nullptr, false);
  ASSERT_TRUE(bom.is_object());
  EXPECT_EQ(bom["bomFormat"], "CycloneDX");
  EXPECT_EQ(bom["metadata"]["component"]["version"], "1.2.3");
  std::set<std::string> libraries, packages;
  for (const auto& component : bom["components"]) {
    packages.insert(component["name"].get<std::string>());
    if (component["type"] == "library") {
      EXPECT_THAT(component["purl"].get<std::string>(), ::testing::StartsWith("pkg:deb/debian/"));
      EXPECT_NE(component["version"], "");
    }
    for (const auto& property : component.value("properties", nlohmann::json::array())) {
      if (property["name"] == "baton:library") libraries.insert(property["value"].get<std::string>());
    }
  }
  const std::string needed = OutputOf("for program in " + programs +
                                      "; do readelf -Wd $program | sed -nE 's/.*\\(NEEDED\\).*\\[(.+)\\]/\\1/p'; done | sort -u");
  std::size_t begin = 0, count = 0;
  for (std::size_t end; (end = needed.find('\n', begin)) != std::string::npos; begin = end + 1, ++count) {
    EXPECT_THAT(libraries, Contains(needed.substr(begin, end - begin)));
  }
  EXPECT_GT(count, 10u);
  for (const char* name : {"batond", "baton-cell", "libgrpc++1.51", "libpqxx-6.4", "libssl3", "libboost-dev"}) {
    EXPECT_THAT(packages, Contains(name));
  }
}

}  // namespace
}  // namespace baton
