// A lock between programs, by a file that stays: for tests that run beside each other.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <string>

#include "orchestrator/base/check.h"

namespace baton {

class FileLock {
 public:
  // `how`: LOCK_SH or LOCK_EX. Waits until it has it.
  FileLock(const std::string& path, int how) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    CHECK(file_ >= 0);
    CHECK(flock(file_, how) == 0);
  }
  ~FileLock() { close(file_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  const int file_;
};

}  // namespace baton
