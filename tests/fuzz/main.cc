// libFuzzer's program, of all targets: BATON_FUZZ_TARGET names the one. With BATON_FUZZ_SEEDS=DIR it writes that one's seeds
// there and ends; with BATON_FUZZ_LIST it says their names.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tests/fuzz/targets.h"

namespace {

const baton::fuzz::Target* target = nullptr;

void WriteSeeds(const std::string& dir) {
  int number = 0;
  for (const std::string& seed : target->seeds()) {
    std::ofstream(dir + "/seed-" + std::to_string(number++), std::ios::binary) << seed;
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("BATON_FUZZ_TARGET");
  for (const auto& one : baton::fuzz::Targets()) {
    if (std::getenv("BATON_FUZZ_LIST")) std::printf("%s\n", one.name);
    if (name && std::strcmp(name, one.name) == 0) target = &one;
  }
  if (std::getenv("BATON_FUZZ_LIST")) std::exit(0);
  if (!target) {
    std::fprintf(stderr, "BATON_FUZZ_TARGET names no target\n");
    std::exit(2);
  }
  if (const char* dir = std::getenv("BATON_FUZZ_SEEDS")) {
    WriteSeeds(dir);
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  target->run({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
