// The certificates that batond --embedded makes for itself: made once, renewed in time, and never a moment in which one part does not
// believe another.
#include "tools/tls/dev_certificates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/tools/tls/pki.h"
#include "tools/tls/material.h"

namespace baton {
namespace {

using tls::DevCertificates;
using tls::Instant;

const Identity kBatond{Role::kBatond, "batond"};
const Identity kCell{Role::kCell, "cell-1"};

class DevCertificatesTest : public ::testing::Test {
 protected:
  static Instant Day(int day) { return tls::Now() + std::chrono::hours(24) * day; }
  DevCertificates At(Instant now) const {
    auto opened = DevCertificates::Open(dir_, now);
    EXPECT_TRUE(opened) << opened.error().message;
    return *std::move(opened);
  }
  DevCertificates WithParts(Instant now) const {
    DevCertificates all = At(now);
    for (const Identity& part : tls::UsualParts()) EXPECT_TRUE(all.For(part, now));
    return all;
  }
  tls::Files In(const std::string& name) const { return *tls::ReadFiles(dir_ + "/" + name); }
  tls::Certificate Leaf(const std::string& name) const { return tls::Certificate::ParseAll(In(name).chain, name)->front(); }
  static tls::Certificate Root(const tls::Files& files) { return tls::Certificate::ParseAll(files.roots, "ca")->front(); }

  const Pki pki_;  // whose directory is gone with it
  const std::string dir_ = pki_.dir() + "/tls";
};

TEST_F(DevCertificatesTest, IsMadeOnceAndGoodForEachPart) {
  WithParts(Day(0));
  for (const Identity& part : tls::UsualParts()) {
    const auto material = tls::ReadMaterial(At(Day(0)).DirOf(part), {part.role}, tls::Now());
    ASSERT_TRUE(material) << material.error().message;
    EXPECT_EQ(material->self, part);
    EXPECT_EQ(material->trust_domain, "baton.local");
    EXPECT_LE(material->not_after, Day(30));
  }
  const tls::Files before = In("cell-1");
  WithParts(Day(0));
  EXPECT_EQ(In("cell-1"), before);
  struct stat key {};
  ASSERT_EQ(stat((dir_ + "/ca/ca-key.pem").c_str(), &key), 0);
  EXPECT_EQ(key.st_mode & 07777, 0600u);
  struct stat all {};
  ASSERT_EQ(stat(dir_.c_str(), &all), 0);
  EXPECT_EQ(all.st_mode & 07777, 0700u);
}

TEST_F(DevCertificatesTest, IsNamedAsThePartIsOrByItsRole) {
  const DevCertificates all = At(Day(0));
  EXPECT_EQ(all.DirOf(kBatond), dir_ + "/batond");
  EXPECT_EQ(all.DirOf(kCell), dir_ + "/cell-1");
  EXPECT_EQ(all.DirOf({Role::kViewer, "ann"}), dir_ + "/viewer-ann");
  EXPECT_EQ(all.DirOf({Role::kCell, "ca"}), dir_ + "/cell-ca") << "not over the authority";
}

TEST_F(DevCertificatesTest, IsDueWithAThirdOfItsLifeLeft) {
  EXPECT_FALSE(tls::IsDue(Day(0), Day(30), Day(19)));
  EXPECT_TRUE(tls::IsDue(Day(0), Day(30), Day(20)));
  EXPECT_TRUE(tls::IsDue(Day(0), Day(30), Day(40))) << "that it was off for long";
}

TEST_F(DevCertificatesTest, RenewsNothingBeforeAndAllOfItThen) {
  DevCertificates all = WithParts(Day(-19));
  EXPECT_EQ(*all.RenewWhereDue(Day(0)), 0);
  const tls::Files before = In("cell-1");
  const int parts = static_cast<int>(tls::UsualParts().size());
  EXPECT_EQ(*all.RenewWhereDue(Day(2)), parts);
  EXPECT_NE(In("cell-1"), before);
  EXPECT_GT(Leaf("cell-1").not_after(), Day(30));
  EXPECT_EQ(*all.RenewWhereDue(Day(3)), 0);
}

TEST_F(DevCertificatesTest, IsRenewedAtTheStartAfterItsEndToo) {
  WithParts(Day(-50));
  WithParts(Day(0));
  for (const Identity& part : tls::UsualParts()) EXPECT_TRUE(tls::ReadMaterial(At(Day(0)).DirOf(part), {part.role}, tls::Now()));
}

// Who has not looked at his new files yet, and who has, believe each other all the while.
TEST_F(DevCertificatesTest, OldAndNewBelieveEachOther) {
  DevCertificates all = WithParts(Day(-21));
  const tls::Files old_files = In("batond");
  const tls::Certificate old_cell = Leaf("cell-1");
  ASSERT_GT(*all.RenewWhereDue(Day(0)), 0);
  const tls::Files new_files = In("batond");
  EXPECT_NE(Root(old_files).fingerprint(), Root(new_files).fingerprint());
  EXPECT_TRUE(tls::CheckChain({old_cell}, {Root(new_files)}, /*as_server=*/false, tls::Now()).ok());
  EXPECT_TRUE(tls::CheckChain({Leaf("cell-1")}, {Root(old_files)}, /*as_server=*/false, tls::Now()).ok());
}

TEST_F(DevCertificatesTest, WhatSomebodyElseHasPutThereIsHis) {
  DevCertificates all = WithParts(Day(-25));
  std::filesystem::rename(dir_ + "/cell-2", dir_ + "/kept");
  const tls::Files kept = In("kept");
  std::filesystem::create_directories(dir_ + "/notes");
  ASSERT_TRUE(all.RenewWhereDue(Day(0)));
  EXPECT_EQ(In("kept"), kept);
}

}  // namespace
}  // namespace baton
