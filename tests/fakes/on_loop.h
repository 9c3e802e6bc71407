// What a test does on the loop's own thread.
#pragma once

#include <functional>
#include <future>

#include "orchestrator/app/leader/loop.h"

namespace baton {

// Returns when the task has run, and all that was posted by it or before.
inline void OnLoop(Loop& loop, const std::function<void()>& task) {
  loop.Post(task);
  std::promise<void> done;
  loop.Post([&] { loop.Post([&done] { done.set_value(); }); });
  done.get_future().wait();
}

}  // namespace baton
