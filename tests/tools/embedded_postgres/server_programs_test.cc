// Which PostgreSQL runs a cluster, of several that are installed.
#include "tools/embedded_postgres/server_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/tools/shim/scratch_dir.h"

namespace baton {
namespace {

namespace fs = std::filesystem;

class ServerPrograms : public ::testing::Test {
 protected:
  void Install(const std::string& version) const {
    fs::create_directories(Bin(version));
    for (const char* program : {"/initdb", "/pg_ctl"}) std::ofstream(Bin(version) + program) << "";
  }
  std::string Bin(const std::string& version) const { return Installed() + "/" + version + "/bin"; }
  std::string Installed() const { return scratch_ / "postgresql"; }
  std::string Data() const { return scratch_ / "data"; }
  void MakeCluster(const std::string& version) const {
    fs::create_directories(Data());
    std::ofstream(Data() + "/PG_VERSION") << version << "\n";
  }
  Result<std::string> Find() const { return FindServerPrograms(Data(), Installed()); }

  testing::ScratchDir scratch_;
};

// As texts, "9.6" is more than "15".
TEST_F(ServerPrograms, ANewClusterIsOfTheNewestByNumber) {
  for (const char* version : {"9.6", "15", "9.5", "11"}) Install(version);
  EXPECT_EQ(*Find(), Bin("15"));
}

TEST_F(ServerPrograms, WhatIsNoVersionOrHasNoServerIsPassedOver) {
  Install("13");
  Install("99rc1");
  fs::create_directories(Bin("16"));  // as the client's package makes it
  EXPECT_EQ(*Find(), Bin("13"));
}

TEST_F(ServerPrograms, AClusterIsRunByItsOwnVersion) {
  for (const char* version : {"9.6", "15", "17"}) Install(version);
  MakeCluster("15");
  EXPECT_EQ(*Find(), Bin("15"));
  MakeCluster("9.6");
  EXPECT_EQ(*Find(), Bin("9.6"));
}

TEST_F(ServerPrograms, OneWhoseVersionIsMissingIsToldWhichPackageHasIt) {
  Install("17");
  MakeCluster("15");
  ASSERT_FALSE(Find().ok());
  EXPECT_EQ(Find().error().message,
            "the data in " + Data() + " is of PostgreSQL 15, whose programs are not in " + Bin("15") +
                ": apt-get install postgresql-15 (apt.postgresql.org has those that Debian has not)");
}

TEST_F(ServerPrograms, WithNoneAtAllTheyAreToBeInstalled) {
  ASSERT_FALSE(Find().ok());
  EXPECT_EQ(Find().error().message,
            "no PostgreSQL server found under " + Installed() + ": apt-get install postgresql-15, or use --database");
}

// It becomes a part of a path to a program.
TEST_F(ServerPrograms, AVersionThatIsNoneIsNotLookedFor) {
  for (const char* odd : {"../../tmp", "15/../15", "", "-1x", "15 "}) {
    MakeCluster(odd);
    ASSERT_FALSE(Find().ok()) << odd;
    EXPECT_THAT(Find().error().message, ::testing::HasSubstr("/PG_VERSION does not hold a version")) << odd;
  }
}

}  // namespace
}  // namespace baton
