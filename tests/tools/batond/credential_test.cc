// A key file that systemd hands over: root's, and its group bits are the mask of an access list for the unit's user.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "orchestrator/base/secret_file.h"

namespace baton {
namespace {

class Credential : public ::testing::Test {
 protected:
  Credential() : dir_(::testing::TempDir() + "baton-credential-" + std::to_string(getpid())) {
    std::filesystem::create_directories(dir_);
    std::ofstream(dir_ + "/keys") << "key";
    setenv("CREDENTIALS_DIRECTORY", dir_.c_str(), 1);
  }
  ~Credential() override {
    unsetenv("CREDENTIALS_DIRECTORY");
    std::filesystem::remove_all(dir_);
  }
  bool Reads(mode_t mode) {
    EXPECT_EQ(chmod((dir_ + "/keys").c_str(), mode), 0);
    return ReadSecretFile({.path = dir_ + "/keys"}).ok();
  }
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root has a file of root's";
  }

  std::string dir_;
};

TEST_F(Credential, MayBeReadByTheMaskOfItsListAndByNobodyElse) {
  EXPECT_TRUE(Reads(0440));
  EXPECT_FALSE(Reads(0460)) << "others could change it";
  EXPECT_FALSE(Reads(0444));
}

TEST_F(Credential, ElsewhereAFileIsItsOwnersAlone) {
  setenv("CREDENTIALS_DIRECTORY", (dir_ + "-other").c_str(), 1);
  EXPECT_FALSE(Reads(0440));
  EXPECT_TRUE(Reads(0400));
}

}  // namespace
}  // namespace baton
