#include "tests/tidy/proof_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tidy/read_file.h"

namespace baton::tidy {
namespace {

namespace fs = std::filesystem;

TEST(ProofLabels, AreReadFromScriptsAndListsOfTests) {
  EXPECT_THAT(
      ProofsGiven(
          "  baton_proof(leader server_pgtest FILES standby_pgtest.cc)\nbaton_proof(leader-scenes stack_e2e)\n"),
      ::testing::ElementsAre("leader", "leader-scenes"));
  EXPECT_THAT(ProofsRun("ctest -L '^prove-leader$' -V\n  A=1 tests_of stack_e2e leader-scenes --gtest_repeat=2"),
              ::testing::ElementsAre("leader", "leader-scenes"));
}

TEST(ProofLabels, NamesOfSuitesInAProofAreFaults) {
  EXPECT_THAT(CheckProof("p.sh", "ctest -L e2e\nctest -j 2 -R '^(A|B)'\nbuild/bin/x --gtest_filter='A.*'\n"),
              ::testing::ElementsAre(::testing::StartsWith("p.sh:2: "), ::testing::StartsWith("p.sh:3: ")));
  EXPECT_THAT(CheckProof("p.sh", R"("build/bin/$program" --gtest_filter="$names" "$@")"), ::testing::IsEmpty());
}

TEST(ProofLabels, EachIsGivenToTestsAndRun) {
  std::set<std::string> run, given;
  for (const auto& entry : fs::directory_iterator(fs::path(BATON_SOURCES) / "tests/prove")) {
    const std::string script = Read(entry.path());
    run.merge(ProofsRun(script));
    EXPECT_THAT(CheckProof(entry.path().filename(), script), ::testing::IsEmpty());
  }
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(BATON_SOURCES) / "tests")) {
    if (entry.path().filename() == "CMakeLists.txt") given.merge(ProofsGiven(Read(entry.path())));
  }
  EXPECT_GT(run.size(), 10U);
  EXPECT_EQ(run, given);
}

}  // namespace
}  // namespace baton::tidy
