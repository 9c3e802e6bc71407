#include "tools/cell/machine/dir_watcher.h"

#include <sys/inotify.h>
#include <unistd.h>

#include "orchestrator/base/check.h"

namespace baton::cell {

DirWatcher::DirWatcher(shim::EventLoop& loop) : loop_(loop), inotify_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  CHECK(inotify_.valid());
  loop_.Watch(inotify_.get(), [this] { Read(); });
}

DirWatcher::~DirWatcher() { loop_.Unwatch(inotify_.get()); }

DirWatcher::Id DirWatcher::Watch(const std::string& dir, std::function<void(const std::string&)> renamed) {
  const Id id = inotify_add_watch(inotify_.get(), dir.c_str(), IN_MOVED_TO | IN_ONLYDIR);
  if (id >= 0) watched_[id] = std::make_shared<std::function<void(const std::string&)>>(std::move(renamed));
  return id;
}

void DirWatcher::Unwatch(Id id) {
  if (watched_.erase(id) > 0) inotify_rm_watch(inotify_.get(), id);
}

void DirWatcher::Read() {
  alignas(inotify_event) char buffer[16384];
  ssize_t count = 0;
  while ((count = read(inotify_.get(), buffer, sizeof buffer)) > 0) {
    for (const char* at = buffer; at < buffer + count;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      at += sizeof(inotify_event) + event->len;
      // Too much at once: what was lost is read again from each.
      const bool overflow = (event->mask & IN_Q_OVERFLOW) != 0;
      const auto watched = watched_;  // a callback may unwatch
      for (const auto& [id, renamed] : watched) {
        if (overflow || id == event->wd) (*renamed)(overflow || event->len == 0 ? "" : event->name);
      }
    }
  }
}

}  // namespace baton::cell
