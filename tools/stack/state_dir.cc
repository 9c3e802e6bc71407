#include "tools/stack/state_dir.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tools/stack/stack_error.h"

namespace baton::stack {

StateDir::StateDir(const std::string& root) : path_(root + "/baton-XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) throw StackError("cannot make " + path_ + ": " + std::strerror(errno));
  chmod(path_.c_str(), 0711);  // passable: PostgreSQL runs as another user where we are root
}

StateDir::~StateDir() {
  if (kept_) return;
  std::error_code ignored;  // a file more there is no reason to fail at the end
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace baton::stack
