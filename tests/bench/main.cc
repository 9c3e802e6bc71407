// baton-bench: ratios and CPU per operation, for people and as JSON.
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/bench/bench.h"

int main(int argc, char** argv) {
  baton::Figures figures = baton::BenchPlanner();
  figures.merge(baton::BenchStore());
  for (const auto& [name, value] : figures) std::printf("%-32s %12.2f\n", name.c_str(), value);
  std::printf("CPU is that of this process: client, server and writer together, PostgreSQL's own not counted.\n");
  if (argc > 1) std::ofstream(argv[1]) << nlohmann::json(figures).dump(2) << '\n';
  return 0;
}
