// baton-bench-cells DIR CELLS START_MS STOP_MS BATOND...: simulated cells in a process of their own, until it is killed.
// START_MS below 0: they claim nothing.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "tests/bench/cells/simulated_cell.h"
#include "tools/logging/json_log.h"

int main(int argc, char** argv) {
  if (argc < 6) return std::fprintf(stderr, "baton-bench-cells DIR CELLS START_MS STOP_MS BATOND...\n"), 2;
  baton::JsonLog log("baton-bench-cells", baton::LogLevel::kWarn);
  baton::EventLoop loop;
  std::vector<std::unique_ptr<baton::SimulatedCell>> cells;
  for (int i = 1; i <= std::atoi(argv[2]); ++i) {
    baton::SimulatedCell::Options options;
    options.id = "sim-" + std::to_string(i);
    options.dir = std::string(argv[1]) + "/" + options.id;
    options.batond.assign(argv + 5, argv + argc);
    options.start = std::chrono::milliseconds(std::atoi(argv[3]));
    options.stop = std::chrono::milliseconds(std::atoi(argv[4]));
    std::filesystem::create_directories(options.dir);
    cells.push_back(std::make_unique<baton::SimulatedCell>(loop, log, options));
    cells.back()->Start();
  }
  loop.Run();
}
