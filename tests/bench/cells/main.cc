// baton-bench-cells: simulated cells in a process of their own, until it is killed.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "tests/bench/cells/simulated_cell.h"
#include "tools/command_line/mistake.h"
#include "tools/logging/json_log.h"

int main(int argc, char** argv) {
  CLI::App app("Simulated cells, until it is killed", "baton-bench-cells");
  std::string dir;
  int count = 0;
  int start_ms = 0;
  int stop_ms = 0;
  std::vector<std::string> batonds;
  app.add_option("DIR", dir, "Where each cell has a directory")->required();
  app.add_option("CELLS", count, "How many")->required()->check(CLI::Range(1, 1000000));
  app.add_option("START_MS", start_ms, "How long an instance takes to start; -1: they claim nothing")
      ->required()
      ->check(CLI::Range(-1, 3600000));
  app.add_option("STOP_MS", stop_ms, "How long an instance takes to stop")->required()->check(CLI::Range(0, 3600000));
  app.add_option("BATOND", batonds, "Addresses")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return baton::EndOf(app, error, std::cout, std::cerr);
  }
  baton::JsonLog log("baton-bench-cells", baton::LogLevel::kWarn);
  baton::shim::EventLoop loop;
  std::vector<std::unique_ptr<baton::bench::SimulatedCell>> cells;
  for (int i = 1; i <= count; ++i) {
    baton::bench::SimulatedCell::Options options;
    options.id = "sim-" + std::to_string(i);
    options.dir = dir + "/" + options.id;
    options.batond = batonds;
    options.start = std::chrono::milliseconds(start_ms);
    options.stop = std::chrono::milliseconds(stop_ms);
    std::filesystem::create_directories(options.dir);
    cells.push_back(std::make_unique<baton::bench::SimulatedCell>(loop, log, options));
    cells.back()->Start();
  }
  loop.Run();
}
