#include "tests/server/storm_cells.h"

#include <filesystem>

namespace baton {

StormCells::StormCells(int count, const std::vector<std::string>& batonds) {
  for (int i = 1; i <= count; ++i) {
    bench::SimulatedCell::Options options;
    options.id = "sim-" + std::to_string(i);
    options.dir = dir_.path() + "/" + options.id;
    options.batond = batonds;
    options.container_port = 8080;
    std::filesystem::create_directories(options.dir);
    cells_.push_back(std::make_unique<bench::SimulatedCell>(loop_, log_, options));
    cells_.back()->Start();
  }
  thread_ = std::thread([this] { loop_.Run(); });
}

StormCells::~StormCells() {
  loop_.Post([this] {
    for (const auto& cell : cells_) {
      cell->End([this] {
        if (++ended_ == cells_.size()) loop_.Stop();
      });
    }
  });
  thread_.join();
}

}  // namespace baton
