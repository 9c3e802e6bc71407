// `baton admin adopt` as people call it, and what a batond makes of the database that it leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/adopt/diego.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"
#include "tests/server/running_service.h"
#include "tools/baton/baton.h"
#include "tools/baton/outcome.h"

namespace baton::cli {
namespace {

using baton::testing::Diego;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class AdoptCommand : public ::testing::Test {
 protected:
  explicit AdoptCommand(const std::vector<std::string>& options = {"--apps", "6"}) : diego(options) {}

  int Do(const std::vector<std::string>& words) {
    std::istringstream input;
    std::ostringstream output, errors;
    Io io{input, output, errors, nullptr, [] { return std::int64_t{0}; }};
    const int exit_status = cli::Run(words, io);
    out = output.str();
    err = errors.str();
    return exit_status;
  }
  int Adopt(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"admin",  "adopt", "--from",        diego.url(),
                                   "--into", into,    "--source-keys", diego.keys_file()};
    words.insert(words.end(), more.begin(), more.end());
    return Do(words);
  }

  const Diego diego;
  const std::string into = FreshDatabase();
  std::string out;
  std::string err;
};

class AdoptHostile : public AdoptCommand {
 protected:
  AdoptHostile() : AdoptCommand({"--apps", "2", "--hostile"}) {}
};

TEST_F(AdoptCommand, SaysWhatWasTakenOverAndWhatATaskIsToBaton) {
  EXPECT_EQ(Adopt(), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("6 apps (6 definitions to be), 18 instances, 3 domains"),
                         HasSubstr("tasks:       2 left where they are"), HasSubstr("left out:    0 rows, 0 fields")));
  EXPECT_EQ(Adopt(), kDone) << err;
  EXPECT_THAT(out, HasSubstr("was adopted before: nothing was done"));
  EXPECT_EQ(Adopt({"-o", "json"}), kDone);
  EXPECT_EQ(nlohmann::json::parse(out)["did_nothing"], true);
}

TEST_F(AdoptHostile, WhatWasLeftOutIsNamedAndTheExitStatusIs1) {
  const std::string report = diego.keys_file() + ".out";
  EXPECT_EQ(Adopt({"--report", report}), kFailed) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("desired_lrps hostile-flipped: run_info: it does not open"),
                         HasSubstr("actual_lrps kept-in-part/4: there is no state 'MOVING'"),
                         HasSubstr("desired_lrps kept-path-route: routes: ")));
  const auto json = nlohmann::json::parse(std::ifstream(report));
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["rows_left_out"], diego.manifest()["left_out"].size());
  EXPECT_EQ(json["left_out"].size(),
            json["rows_left_out"].get<int>() + json["fields_left_out"].get<int>() + json["notes"].get<int>());
  EXPECT_EQ(Adopt({"--drop-source", "--yes"}), kFailed);
  EXPECT_THAT(err, HasSubstr("Diego's tables stay"));
  EXPECT_EQ(Adopt(), kFailed) << "still not complete";
}

TEST_F(AdoptCommand, AnotherMachineTakesVerifiedTls) {
  constexpr char kThere[] = "host=db.invalid dbname=x";
  const auto adopt = [&](const std::string& from, const std::string& to, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"admin", "adopt", "--from", from, "--into", to, "--source-keys", diego.keys_file()};
    words.insert(words.end(), more.begin(), more.end());
    return Do(words);
  };
  EXPECT_EQ(adopt(kThere, into), kUsage);
  EXPECT_THAT(err, HasSubstr("PostgreSQL on another machine (db.invalid) takes sslmode=verify-full in --from"));
  EXPECT_EQ(adopt(diego.url(), kThere), kUsage);
  EXPECT_THAT(err, HasSubstr("sslmode=verify-full in --into"));
  EXPECT_EQ(adopt(kThere, into, {"--database-insecure"}), kUnreachable);
  EXPECT_THAT(err, HasSubstr("db.invalid")) << "libpq was asked";
}

TEST_F(AdoptCommand, TheCommandLineIsCheckedFirst) {
  EXPECT_EQ(Do({"admin", "adopt", "--into", into}), kUsage);
  EXPECT_THAT(err, HasSubstr("--from"));
  EXPECT_EQ(Do({"admin", "adopt", "--from", diego.url(), "--into", into}), kUsage);
  EXPECT_THAT(err, HasSubstr("--source-keys is required"));
  EXPECT_EQ(Adopt({"--drop-source"}), kUsage);
  EXPECT_THAT(err, HasSubstr("--yes"));
}

TEST_F(AdoptCommand, AKeysFileThatOthersMayReadIsRefused) {
  ASSERT_EQ(chmod(diego.keys_file().c_str(), 0640), 0);
  EXPECT_EQ(Adopt(), kUsage);
  EXPECT_THAT(err, HasSubstr("chmod 600"));
  EXPECT_EQ(Do({"admin", "adopt", "--from", diego.url(), "--into", into, "--source-keys", "/nowhere"}), kUsage);
  EXPECT_THAT(err, HasSubstr("/nowhere cannot be read"));
}

TEST_F(AdoptCommand, ADatabaseThatDoesNotAnswerIs3AndNoPasswordIsPrinted) {
  // The second is none that libpq can read, and all the same there is a password in it.
  for (const char* url : {"postgresql://u@127.0.0.1:1/d", "postgres//u:s3cr3t@h"}) {
    EXPECT_EQ(Do({"admin", "adopt", "--from", url, "--into", into, "--source-keys", diego.keys_file()}), kUnreachable);
    EXPECT_THAT(err, AllOf(HasSubstr("--from"), Not(HasSubstr("s3cr3t"))));
    EXPECT_EQ(Do({"admin", "adopt", "--from", diego.url(), "--into", url, "--source-keys", diego.keys_file()}),
              kUnreachable);
    EXPECT_THAT(err, AllOf(HasSubstr("--into"), Not(HasSubstr("s3cr3t"))));
  }
}

// Whoever may list processes would read it.
TEST_F(AdoptCommand, APasswordOnTheCommandLineIsRefusedAndNotRepeated) {
  const std::string url = "postgresql://u:s3cr3t@127.0.0.1:1/d";
  EXPECT_EQ(Do({"admin", "adopt", "--from", url, "--into", into, "--source-keys", diego.keys_file()}), kUsage);
  EXPECT_THAT(err, AllOf(HasSubstr("passfile"), Not(HasSubstr("s3cr3t"))));
  EXPECT_EQ(Do({"admin", "adopt", "--from", diego.url(), "--into", url, "--source-keys", diego.keys_file()}), kUsage);
}

TEST_F(AdoptCommand, AReportThatCannotBeWrittenIsSaid) {
  EXPECT_EQ(Adopt({"--report", "/nowhere/report"}), kFailed);
  EXPECT_THAT(err, AllOf(HasSubstr("/nowhere/report cannot be written"), HasSubstr("the adoption itself is done")));
}

TEST_F(AdoptCommand, DiegosTablesGoWhenAllOfThemAreTakenOver) {
  ASSERT_EQ(Adopt(), kDone) << err;
  EXPECT_EQ(Adopt({"--drop-source", "--yes"}), kDone) << err;
  EXPECT_THAT(out, HasSubstr("Diego's tables are dropped: 6 apps with 18 instances"));
  EXPECT_EQ(baton::testing::Psql(diego.url(), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0\n");
}

TEST_F(AdoptCommand, ABatondMigratesAndServesWhatWasAdopted) {
  ASSERT_EQ(Adopt(), kDone) << err;
  RunningService service(into);
  service.WaitForLead();
  EXPECT_EQ(Do({"--batond", service.address(), "get", "apps", "-o", "json"}), kDone) << err;
  EXPECT_EQ(nlohmann::json::parse(out)["desired_lrps"].size(), 6u);
  EXPECT_EQ(err, "baton: warning: batond at " + service.address() + " is --insecure: whoever reaches it is admin\n")
      << "a row that cannot be read";
  EXPECT_EQ(Do({"--batond", service.address(), "get", "definitions", "-o", "json"}), kDone) << err;
  EXPECT_EQ(nlohmann::json::parse(out)["definitions"].size(), 6u);
  // The record of the adoption outlives the legacy layout: the source may go now, too.
  EXPECT_EQ(Adopt(), kDone) << err;
  EXPECT_THAT(out, HasSubstr("nothing was done"));
  EXPECT_EQ(Adopt({"--drop-source", "--yes"}), kDone) << err;
}

}  // namespace
}  // namespace baton::cli
