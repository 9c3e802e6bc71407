#include "tools/tls/memory_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace baton::tls {
namespace {

std::string Content(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(MemoryFileTest, IsReplacedUnderItsPath) {
  MemoryFile file("one");
  EXPECT_EQ(Content(file.path()), "one");
  file.Replace("another");
  EXPECT_EQ(Content(file.path()), "another");
}

// gRPC read whatever came to have that number: a directory ended the process.
TEST(MemoryFileTest, ItsPathOutlivesIt) {
  std::string path;
  {
    const MemoryFile file("one");
    path = file.path();
  }
  const std::ifstream next("/dev/null");
  EXPECT_EQ(Content(path), "one");
}

}  // namespace
}  // namespace baton::tls
