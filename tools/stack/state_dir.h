// A fresh directory for a stack. Below /var/tmp unless another root is given, because root's home cannot be entered by the user that
// runs PostgreSQL for root, and because its sockets need a short path.
#pragma once

#include <string>

namespace baton::stack {

class StateDir {
 public:
  // Throws StackError where it cannot be made.
  explicit StateDir(const std::string& root = "/var/tmp");
  // Removed with all that is in it, unless it was to be kept.
  ~StateDir();
  StateDir(const StateDir&) = delete;
  StateDir& operator=(const StateDir&) = delete;

  const std::string& path() const { return path_; }
  void Keep() { kept_ = true; }
  bool kept() const { return kept_; }

 private:
  std::string path_;
  bool kept_ = false;
};

}  // namespace baton::stack
