// Cells that run nothing, on a thread of their own: simulated ones, over real streams.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/cells/simulated_cell.h"
#include "tests/fakes/silent_log.h"
#include "tools/stack/state_dir.h"

namespace baton {

class StormCells {
 public:
  // `batonds`: addresses. What they run serves a port at once, and stops at once.
  StormCells(int count, const std::vector<std::string>& batonds);
  ~StormCells();

 private:
  SilentLog log_;
  stack::StateDir dir_;
  shim::EventLoop loop_;
  std::vector<std::unique_ptr<bench::SimulatedCell>> cells_;
  std::size_t ended_ = 0;  // of the thread
  std::thread thread_;
};

}  // namespace baton
