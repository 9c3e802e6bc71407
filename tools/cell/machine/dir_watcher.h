// Reports when a file in a directory is replaced, so that the cell sees at once what its shims write.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "tools/shim/event_loop.h"

namespace baton::cell {

class DirWatcher {
 public:
  using Id = int;
  explicit DirWatcher(shim::EventLoop& loop);
  ~DirWatcher();

  // `renamed` runs in the loop with the name of each file that was renamed into the directory. Negative: cannot.
  Id Watch(const std::string& dir, std::function<void(const std::string& name)> renamed);
  void Unwatch(Id id);

 private:
  void Read();

  shim::EventLoop& loop_;
  UniqueFd inotify_;
  std::map<Id, std::shared_ptr<std::function<void(const std::string&)>>> watched_;
};

}  // namespace baton::cell
