// Where batond's CPU went while a row was measured: perf writes it down, for a picture of it (`./dev bench --profile`).
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "tools/stack/program.h"

namespace baton::bench {

class Profile {
 public:
  // Of all rows: FOLDER/ROW.perf. Empty: none are made.
  static void Into(std::string folder);

  // Until it is destroyed. Nothing where no folder is set or the row has no name.
  Profile(pid_t pid, const std::string& row);
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

 private:
  std::unique_ptr<stack::Program> perf_;
};

}  // namespace baton::bench
