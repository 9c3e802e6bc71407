// `baton certs`: what it makes is what --tls takes, and each mistake is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/baton/baton.h"
#include "tools/baton/outcome.h"
#include "tools/tls/material.h"

namespace baton::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct SaidOfCerts {
  int exit_status;
  std::string text;
};

class Certs : public ::testing::Test {
 protected:
  Certs() { EXPECT_NE(mkdtemp(dir_.data()), nullptr); }
  ~Certs() override { std::filesystem::remove_all(dir_); }

  std::string In(const std::string& name) const { return dir_ + "/" + name; }
  static SaidOfCerts Do(std::vector<std::string> words) {
    std::istringstream in;
    std::ostringstream out;
    Io io{in, out, out, nullptr, [] { return std::int64_t{0}; }};
    words.insert(words.begin(), "certs");
    const int exit_status = cli::Run(words, io);
    return {exit_status, out.str()};
  }
  SaidOfCerts Issue(const std::string& role, const std::string& name, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"issue", role, name, "--ca", In("ca"), "--out", In(role + "-" + name)};
    words.insert(words.end(), more.begin(), more.end());
    return Do(words);
  }
  void MakeCa() { ASSERT_EQ(Do({"ca", "--trust-domain", "baton.example", "--out", In("ca")}).exit_status, kDone); }

  std::string dir_ = "/tmp/baton-certs-XXXXXX";
};

TEST_F(Certs, FiveCommandsMakeWhatTlsTakes) {
  MakeCa();
  const SaidOfCerts issued =
      Issue("cell", "cell-7", {"--ip", "10.0.0.7", "--ip", "fd00::7", "--dns", "cell-7.example"});
  EXPECT_EQ(issued.exit_status, kDone) << issued.text;
  EXPECT_THAT(issued.text, HasSubstr("is of cell/cell-7 of baton.example, until 20"));
  const auto read = tls::ReadMaterial(In("cell-cell-7"), {Role::kCell}, tls::Now());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->self, (Identity{Role::kCell, "cell-7"}));
  const SaidOfCerts shown = Do({"show", In("cell-cell-7/cert.pem")});
  EXPECT_EQ(shown.exit_status, kDone);
  EXPECT_THAT(shown.text, AllOf(HasSubstr("who      cell/cell-7 of baton.example\n"), HasSubstr("ip       10.0.0.7\nip       fd00::7\n"),
                                HasSubstr("dns      cell-7.example\n"), HasSubstr(" days left\n"), HasSubstr("may      call\n")));
  EXPECT_THAT(Do({"show", In("ca/ca.pem")}).text, HasSubstr("who      an authority of baton.example\n"));
  const SaidOfCerts checked = Do({"check", In("cell-cell-7")});
  EXPECT_EQ(checked.exit_status, kDone);
  EXPECT_THAT(checked.text, HasSubstr("is good: cell/cell-7 of baton.example, until 20"));
  EXPECT_EQ(Do({"check", In("ca")}).exit_status, kDone);
}

TEST_F(Certs, WhatNobodyWouldTakeIsNotMade) {
  MakeCa();
  EXPECT_EQ(Issue("god", "g").exit_status, kUsage);
  EXPECT_EQ(Issue("cell", "a/b").exit_status, kUsage);
  EXPECT_EQ(Issue("cell", "..").exit_status, kUsage);
  EXPECT_EQ(Issue("cell", std::string(129, 'a')).exit_status, kUsage);
  const SaidOfCerts ip = Issue("cell", "c", {"--ip", "10.0.0"});
  EXPECT_EQ(ip.exit_status, kUsage);
  EXPECT_THAT(ip.text, HasSubstr("'10.0.0' is no IP address"));
  EXPECT_EQ(Do({"ca", "--trust-domain", "Baton Example", "--out", In("ca2")}).exit_status, kUsage);
  const SaidOfCerts longer = Issue("cell", "c", {"--days", "4000"});
  EXPECT_EQ(longer.exit_status, kFailed);
  EXPECT_THAT(longer.text, HasSubstr("its certificates cannot hold longer"));
}

TEST_F(Certs, AMachineOfTheDatabaseServesAndCallsAndIsNobodyToBaton) {
  MakeCa();
  EXPECT_THAT(Issue("database", "db1", {"--ip", "10.0.0.11"}).text, HasSubstr("is of the database's db1, until 20"));
  EXPECT_THAT(
      Do({"show", In("database-db1")}).text,
      AllOf(HasSubstr("who      nobody to Baton: "), HasSubstr("ip       10.0.0.11\n"),
            HasSubstr("uri      spiffe://baton.example/database/db1\n"), HasSubstr("may      serve and call\n")));
  EXPECT_FALSE(tls::ReadMaterial(In("database-db1"), tls::AllRoles(), tls::Now()));
  EXPECT_EQ(Issue("database", "a/b").exit_status, kUsage);
  EXPECT_EQ(Issue("database", "db1").exit_status, kDone) << "a new one of the same name";
}

TEST_F(Certs, NothingOfWorthIsReplaced) {
  MakeCa();
  EXPECT_THAT(Do({"ca", "--trust-domain", "baton.example", "--out", In("ca")}).text, HasSubstr("an authority is not replaced"));
  ASSERT_EQ(Issue("cell", "c").exit_status, kDone);
  const auto before = tls::ReadFiles(In("cell-c"));
  EXPECT_EQ(Do({"issue", "router", "c", "--ca", In("ca"), "--out", In("cell-c")}).exit_status, kFailed);
  EXPECT_EQ(*tls::ReadFiles(In("cell-c")), *before);
  EXPECT_EQ(Issue("cell", "c").exit_status, kDone) << "a new one of the same name";
  EXPECT_NE(tls::ReadFiles(In("cell-c"))->chain, before->chain);
}

TEST_F(Certs, CheckSaysWhatIsWrongAndEndsWithOne) {
  MakeCa();
  ASSERT_EQ(Issue("cell", "c").exit_status, kDone);
  const auto wrong = [&](const std::string& why) {
    const SaidOfCerts said = Do({"check", In("cell-c")});
    EXPECT_EQ(said.exit_status, kFailed);
    EXPECT_THAT(said.text, HasSubstr(why));
  };
  std::filesystem::permissions(In("cell-c/key.pem"), std::filesystem::perms(0644));
  wrong("key.pem has mode 0644, so that others may read or change it: chmod 600 ");
  std::filesystem::permissions(In("cell-c/key.pem"), std::filesystem::perms(0600));
  ASSERT_EQ(Issue("cell", "d").exit_status, kDone);
  std::filesystem::copy_file(In("cell-d/cert.pem"), In("cell-c/cert.pem"), std::filesystem::copy_options::overwrite_existing);
  wrong("key.pem is not the key of ");
}

// Step 2 of the rotation of an authority (docs/guide/security.md).
TEST_F(Certs, FurtherAuthoritiesAreBelieved) {
  MakeCa();
  ASSERT_EQ(Do({"ca", "--trust-domain", "baton.example", "--out", In("ca2")}).exit_status, kDone);
  ASSERT_EQ(Issue("cell", "c", {"--also-trust", In("ca2/ca.pem")}).exit_status, kDone);
  const auto files = tls::ReadFiles(In("cell-c"));
  EXPECT_EQ(tls::Certificate::ParseAll(files->roots, "it")->size(), 2U);
  EXPECT_EQ(Issue("cell", "c", {"--also-trust", In("cell-c/cert.pem")}).exit_status, kFailed) << "no authority's";
}

// It mends what --tls could not open.
TEST_F(Certs, DoesNotOpenWhatTlsNames) {
  setenv("BATON_TLS", In("nowhere").c_str(), 1);
  MakeCa();
  EXPECT_EQ(Issue("operator", "alice").exit_status, kDone);
  unsetenv("BATON_TLS");
}

}  // namespace
}  // namespace baton::cli
