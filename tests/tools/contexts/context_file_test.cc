#include "tools/contexts/context_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace baton {
namespace {

namespace fs = std::filesystem;

class ContextFileTest : public ::testing::Test {
 protected:
  ContextFileTest() { EXPECT_NE(mkdtemp(dir_.data()), nullptr); }
  ~ContextFileTest() override {
    fs::remove_all(dir_);
    for (const char* name : {"BATON_CONTEXT_FILE", "XDG_CONFIG_HOME"}) unsetenv(name);
    setenv("HOME", home_.c_str(), 1);
  }

  static Contexts One() { return {.current = "a", .all = {{.name = "a", .batond = {"a:1"}}}}; }

  std::string dir_ = "/tmp/baton-contexts-XXXXXX";
  const std::string home_ = std::getenv("HOME") ? std::getenv("HOME") : "/";
};

TEST_F(ContextFileTest, IsWhereTheEnvironmentSays) {
  setenv("HOME", "/home/ann", 1);
  EXPECT_EQ(ContextFile(), "/home/ann/.config/baton/contexts.yaml");
  setenv("XDG_CONFIG_HOME", "relative", 1);
  EXPECT_EQ(ContextFile(), "/home/ann/.config/baton/contexts.yaml") << "XDG: a relative one is ignored";
  setenv("XDG_CONFIG_HOME", "/home/ann/cfg", 1);
  EXPECT_EQ(ContextFile(), "/home/ann/cfg/baton/contexts.yaml");
  setenv("BATON_CONTEXT_FILE", "/elsewhere", 1);
  EXPECT_EQ(ContextFile(), "/elsewhere");
  unsetenv("BATON_CONTEXT_FILE");
  unsetenv("XDG_CONFIG_HOME");
  unsetenv("HOME");
  EXPECT_EQ(ContextFile(), "");
  EXPECT_FALSE(SaveContexts("", One()));
  EXPECT_EQ(*LoadContexts(""), Contexts{});
}

TEST_F(ContextFileTest, IsItsOwnersAloneAndWholeAtAnyTime) {
  const std::string file = dir_ + "/config/baton/contexts.yaml";
  EXPECT_EQ(*LoadContexts(file), Contexts{}) << "one that is not there";
  const mode_t before = umask(0);
  ASSERT_TRUE(SaveContexts(file, One()));
  ASSERT_TRUE(SaveContexts(file, One()));
  umask(before);
  struct stat info {};
  ASSERT_EQ(stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
  EXPECT_EQ(*LoadContexts(file), One());
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(file).parent_path()), fs::directory_iterator()), 1) << "nothing beside it";
  std::ofstream(file) << "contexts: {\n";
  EXPECT_THAT(LoadContexts(file).error().message, ::testing::HasSubstr(file + ":"));
}

TEST_F(ContextFileTest, ThroughALinkStaysOne) {
  const std::string link = dir_ + "/contexts.yaml";
  std::ofstream(dir_ + "/real.yaml") << "contexts: []\n";
  fs::create_symlink(dir_ + "/real.yaml", link);
  ASSERT_TRUE(SaveContexts(link, One()));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(*LoadContexts(dir_ + "/real.yaml"), One());
}

}  // namespace
}  // namespace baton
