// Directories of certificates: written whole or not at all, and never over somebody else's.
#include "tools/tls/directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/tools/tls/pki.h"
#include "tools/tls/issue.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

class TlsDirectory : public ::testing::Test {
 protected:
  std::string In(const std::string& name) const { return pki_.dir() + "/" + name; }
  Result<tls::Issued> Issue(const Identity& identity, const std::string& dir) const {
    return tls::IssueInto(pki_.authority(), {.identity = identity, .validity = Pki::Days(-1, 30)}, dir);
  }
  static int ModeOf(const std::string& path) {
    struct stat info {};
    return stat(path.c_str(), &info) == 0 ? static_cast<int>(info.st_mode & 07777) : -1;
  }
  int Entries() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(pki_.dir()), std::filesystem::directory_iterator()));
  }

  Pki pki_;
};

TEST_F(TlsDirectory, IsItsOwnersAlone) {
  const mode_t before = umask(0);
  ASSERT_TRUE(Issue({Role::kCell, "c1"}, In("c1")));
  umask(before);
  EXPECT_EQ(ModeOf(In("c1")), 0700);
  EXPECT_EQ(ModeOf(In("c1/key.pem")), 0600);
}

TEST_F(TlsDirectory, IsReplacedAsOneAndLeavesNothingBehind) {
  ASSERT_TRUE(Issue({Role::kCell, "c1"}, In("c1")));
  const auto first = tls::ReadFiles(In("c1"));
  std::filesystem::create_directory_symlink(In("c1"), In("current"));
  ASSERT_TRUE(Issue({Role::kCell, "c1"}, In("current"))) << "through a link, which stays";
  const auto second = tls::ReadFiles(In("c1"));
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->key, second->key);
  EXPECT_TRUE(std::filesystem::is_symlink(In("current")));
  EXPECT_EQ(Entries(), 2);
}

// The files of the old one are removed under who has it open. That read as "cert.pem cannot be read: No such file".
TEST_F(TlsDirectory, IsReadWholeWhileItIsReplaced) {
  ASSERT_TRUE(Issue({Role::kCell, "c1"}, In("c1")));
  std::atomic<int> reads = 0;
  std::atomic<bool> done = false;
  std::thread replaces([&] {
    for (int i = 0; i < 100; ++i) {
      for (const int before = reads; reads < before + 2;) std::this_thread::yield();
      EXPECT_TRUE(Issue({Role::kCell, "c1"}, In("c1")));
    }
    done = true;
  });
  for (; !done; ++reads) {
    const auto files = tls::ReadFiles(In("c1"));
    EXPECT_TRUE(files) << files.error().message;
  }
  replaces.join();
}

TEST_F(TlsDirectory, OfSomebodyElseIsNotReplaced) {
  ASSERT_TRUE(Issue({Role::kCell, "c1"}, In("c1")));
  const auto other = Issue({Role::kCell, "c2"}, In("c1"));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("is of spiffe://baton.test/role/cell/c1, not of spiffe://baton.test/role/cell/c2"));
  std::filesystem::create_directory(In("home"));
  std::ofstream(In("home/letter")) << "dear";
  const auto home = Issue({Role::kCell, "c1"}, In("home"));
  ASSERT_FALSE(home);
  EXPECT_THAT(home.error().message, HasSubstr("has other files than certificates in it (letter)"));
  EXPECT_TRUE(std::filesystem::exists(In("home/letter")));
}

TEST_F(TlsDirectory, AnAuthorityIsNeverReplaced) {
  ASSERT_TRUE(tls::WriteAuthority(pki_.authority(), In("ca")));
  EXPECT_EQ(ModeOf(In("ca/ca-key.pem")), 0600);
  const auto read = tls::ReadAuthority(In("ca"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->trust_domain(), kTestDomain);
  EXPECT_FALSE(tls::WriteAuthority(pki_.authority(), In("ca")));
  const auto over = Issue({Role::kCell, "c1"}, In("ca"));
  ASSERT_FALSE(over);
  EXPECT_THAT(over.error().message, HasSubstr("is an authority's directory"));
}

}  // namespace
}  // namespace baton
