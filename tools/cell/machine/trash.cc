#include "tools/cell/machine/trash.h"

#include <cstdio>
#include <filesystem>

#include "tools/shim/instance_dir.h"
#include "tools/system/make_dir.h"

namespace baton::cell {

namespace fs = std::filesystem;

Trash::Trash(std::string dir)
    : dir_(std::move(dir)), begun_ms_(shim::WallMillis()),
      ticker_(Ticker::kUntilWoken, [this] { return DeleteNext(); }) {
  [[maybe_unused]] const std::string made = MakeDir(dir_, 0700);  // noticed where something is thrown there
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(dir_, none)) waiting_.push_back(entry.path());
  ticker_.Wake();
}

void Trash::Throw(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const std::string here = dir_ + "/" + std::to_string(begun_ms_) + "-" + std::to_string(++thrown_);
  if (rename(path.c_str(), here.c_str()) != 0) return;
  waiting_.push_back(here);
  ticker_.Wake();
}

Ticker::Wait Trash::DeleteNext() {
  std::unique_lock lock(mutex_);
  if (waiting_.empty()) return Ticker::kUntilWoken;
  const std::string path = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  std::error_code none;
  fs::remove_all(path, none);
  return Ticker::Wait(0);
}

}  // namespace baton::cell
