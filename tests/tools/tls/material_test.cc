// What --tls DIR takes: each fault by file, and what to do.
#include "tools/tls/material.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/tools/tls/pki.h"

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class MaterialTest : public ::testing::Test {
 protected:
  static std::string Refusal(const std::string& dir, const std::set<Role>& roles = tls::AllRoles(), tls::Instant now = tls::Now()) {
    const auto read = tls::ReadMaterial(dir, roles, now);
    return read ? "none" : read.error().message;
  }
  void Put(const std::string& file, const std::string& text) { std::ofstream(dir_ + "/" + file) << text; }
  static std::string Content(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  Pki pki_;
  std::string dir_ = pki_.For(Role::kCell, "c1");
};

TEST_F(MaterialTest, AGoodOneSaysWhoAndHowLong) {
  const auto read = tls::ReadMaterial(dir_, {Role::kCell}, tls::Now());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->self, (Identity{Role::kCell, "c1"}));
  EXPECT_EQ(read->trust_domain, kTestDomain);
  EXPECT_LT(read->not_before, tls::Now());
  EXPECT_GT(read->not_after, tls::Now() + std::chrono::hours(24 * 29));
}

TEST_F(MaterialTest, MissingAndUnreadableFilesAreNamed) {
  EXPECT_THAT(Refusal(dir_ + "/no"), AllOf(HasSubstr(dir_ + "/no cannot be read"), HasSubstr("baton certs issue")));
  for (const char* file : {"ca.pem", "cert.pem", "key.pem"}) {
    const std::string path = dir_ + "/" + file;
    const std::string text = Content(path);
    std::filesystem::remove(path);
    EXPECT_THAT(Refusal(dir_), HasSubstr(path + " cannot be read: No such file"));
    std::ofstream{path};
    chmod(path.c_str(), 0600);
    EXPECT_THAT(Refusal(dir_), HasSubstr(path + " is empty"));
    Put(file, "nonsense");
    EXPECT_THAT(Refusal(dir_), AllOf(HasSubstr(path + " holds no "), HasSubstr("in PEM")));
    Put(file, text.substr(0, text.size() / 2));
    EXPECT_THAT(Refusal(dir_), HasSubstr(path)) << "cut off";
    Put(file, text);
  }
  EXPECT_EQ(Refusal(dir_), "none");
}

// The same rule as for the keys of encryption at rest.
TEST_F(MaterialTest, AKeyThatOthersMayReadIsRefused) {
  const std::string key = dir_ + "/key.pem";
  chmod(key.c_str(), 0640);
  EXPECT_THAT(Refusal(dir_), AllOf(HasSubstr("key file " + key + " has mode 0640"), HasSubstr("chmod 600 " + key)));
  chmod(key.c_str(), 0600);
  if (geteuid() == 0) {
    ASSERT_EQ(chown(key.c_str(), 65534, 65534), 0);
    EXPECT_THAT(Refusal(dir_), HasSubstr(key + " belongs to user 65534"));
  }
}

TEST_F(MaterialTest, AListOfAuthoritiesThatAnybodyMayChangeIsRefused) {
  chmod((dir_ + "/ca.pem").c_str(), 0666);
  EXPECT_THAT(Refusal(dir_), HasSubstr(dir_ + "/ca.pem may be changed by anybody"));
}

TEST_F(MaterialTest, AKeyOfAnotherCertificateIsRefused) {
  const std::string other = pki_.For(Role::kCell, "c2");
  Put("key.pem", Content(other + "/key.pem"));
  EXPECT_THAT(Refusal(dir_), HasSubstr(dir_ + "/key.pem is not the key of " + dir_ + "/cert.pem"));
}

TEST_F(MaterialTest, ExpiredAndFutureOnesSayWhatTheClockSays) {
  tls::Wanted wanted = pki_.Good(Role::kCell, "c1");
  wanted.validity = Pki::Days(-10, -1);
  EXPECT_THAT(Refusal(pki_.With(wanted)), AllOf(HasSubstr("cert.pem has expired, on 20"), HasSubstr("the clock here says 20"),
                                                HasSubstr("baton certs issue")));
  wanted.validity = Pki::Days(1, 10);
  EXPECT_THAT(Refusal(pki_.With(wanted)), AllOf(HasSubstr("cert.pem is not valid yet, but from 20"), HasSubstr("is it right?")));
  // A clock that is wrong by a year.
  EXPECT_THAT(Refusal(dir_, tls::AllRoles(), tls::Now() + std::chrono::hours(24 * 365)), HasSubstr("has expired"));
  EXPECT_THAT(Refusal(dir_, tls::AllRoles(), tls::Now() - std::chrono::hours(24 * 365)), HasSubstr("is not valid yet"));
}

TEST_F(MaterialTest, ItTakesOneNameOfARoleOfThisProgram) {
  EXPECT_THAT(Refusal(dir_, {Role::kBatond}), HasSubstr("cert.pem is of cell/c1; this takes one of the role batond"));
  tls::Wanted wanted = pki_.Good(Role::kCell, "c1");
  wanted.uris.clear();
  EXPECT_THAT(Refusal(pki_.With(wanted)), HasSubstr("no URI SAN"));
  wanted.uris = {"spiffe://baton.test/role/cell/c1", "spiffe://baton.test/role/cell/c1"};
  EXPECT_THAT(Refusal(pki_.With(wanted)), HasSubstr("more than one URI SAN"));
  wanted.uris = {"spiffe://baton.test/role/god/c1"};
  EXPECT_THAT(Refusal(pki_.With(wanted)), HasSubstr("no role of Baton's"));
}

TEST_F(MaterialTest, AChainThatDoesNotLeadToTheAuthoritiesIsRefused) {
  const auto other = tls::Authority::Make(kTestDomain, Pki::Days(-1, 30));
  const tls::Wanted good = pki_.Good(Role::kCell, "c1");
  EXPECT_THAT(Refusal(pki_.With(good, &other)), AllOf(HasSubstr("cert.pem does not lead to "), HasSubstr("unable to get local issuer")));
  tls::Wanted client_only = pki_.Good(Role::kBatond, "b1");
  client_only.serves = false;
  EXPECT_THAT(Refusal(pki_.With(client_only)), AllOf(HasSubstr("as a server's"), HasSubstr("purpose")));
}

TEST_F(MaterialTest, RolesServeAndCallAsTheyMay) {
  for (const Role role : tls::AllRoles()) {
    const auto issued = pki_.authority().Issue(pki_.Good(role, "n"));
    ASSERT_TRUE(issued);
    const bool serves = role == Role::kBatond || role == Role::kWeb || role == Role::kAuctioneer;
    EXPECT_EQ(issued->certificate.serves(), serves) << Name(role);
    EXPECT_EQ(issued->certificate.calls(), role != Role::kAuctioneer) << Name(role);
    EXPECT_FALSE(issued->certificate.is_authority());
  }
}

}  // namespace
}  // namespace baton
