// A folder that is gone after the test.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace baton::testing {

class ScratchDir {
 public:
  ScratchDir() {
    char name[] = "/tmp/baton-test-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~ScratchDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace baton::testing
