// Every input that fuzzing has left behind, the seeds, and blind mutations of them: some thousands, the same each time, or for FUZZ_SECONDS. FUZZ_SEED
// makes those of a long run again; the last that was tried is in the file FUZZ_LAST, also where it ended the program.
#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>

#include "tests/fuzz/targets.h"

namespace baton::fuzz {
namespace {

constexpr std::size_t kMutations = 3000;  // of a build: the same ones each time

// For how long; none: for kMutations.
std::optional<std::chrono::seconds> EachTakes() {
  const char* seconds = std::getenv("FUZZ_SECONDS");
  return seconds ? std::optional(std::chrono::seconds(std::atoi(seconds))) : std::nullopt;
}

std::uint64_t Seed(bool long_run) {
  if (const char* given = std::getenv("FUZZ_SEED")) return std::strtoull(given, nullptr, 10);
  return long_run ? std::random_device()() : 1;
}

// Mapped, so that it is there whatever ends the program.
class LastInput {
 public:
  LastInput() {
    const char* path = std::getenv("FUZZ_LAST");
    if (!path) return;
    file_ = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file_ < 0 || ftruncate(file_, kBytesMax) != 0) return;
    void* const mapped = mmap(nullptr, kBytesMax, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (mapped != MAP_FAILED) bytes_ = static_cast<char*>(mapped);
  }
  ~LastInput() {
    if (bytes_) munmap(bytes_, kBytesMax);
    if (file_ >= 0) close(file_);
  }
  // "LENGTH\n" and the bytes.
  void Keep(const std::string& input) {
    if (!bytes_ || input.size() + kHead > kBytesMax) return;
    std::snprintf(bytes_, kHead, "%zu\n", input.size());
    std::copy(input.begin(), input.end(), bytes_ + std::strlen(bytes_));
  }

 private:
  static constexpr std::size_t kBytesMax = 1 << 20;
  static constexpr std::size_t kHead = 32;
  int file_ = -1;
  char* bytes_ = nullptr;
};

std::vector<std::string> Inputs(const Target& target) {
  std::vector<std::string> inputs = target.seeds();
  const std::filesystem::path corpus = std::filesystem::path(BATON_CORPUS) / target.name;
  if (std::filesystem::exists(corpus)) {
    for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
      std::ifstream file(entry.path(), std::ios::binary);
      inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  return inputs;
}

std::string Mutated(std::string input, const std::vector<std::string>& all, std::mt19937_64& random) {
  const auto below = [&random](std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(random() % bound); };
  for (std::size_t times = 1 + below(6); times > 0; --times) {
    const std::size_t at = below(input.size() + 1);
    switch (below(5)) {
      case 0:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      case 1: input.insert(at, 1, static_cast<char>(random())); break;
      case 2: input.erase(at, 1 + below(8)); break;
      case 3: input.insert(at, input.substr(below(input.size()), 1 + below(32))); break;
      default: {
        const std::string& other = all[below(all.size())];
        input.replace(at, below(32), other.substr(below(other.size()), 1 + below(64)));
      }
    }
  }
  return input;
}

class Fuzzed : public ::testing::TestWithParam<std::size_t> {
 protected:
  // What takes all memory is a find, and no reason for the kernel to end others. AddressSanitizer has a bound of its
  // own.
  static void SetUpTestSuite() {
#ifndef __SANITIZE_ADDRESS__
    const rlimit four_gib{std::uint64_t{4} << 30, std::uint64_t{4} << 30};
    ASSERT_EQ(setrlimit(RLIMIT_AS, &four_gib), 0);
#endif
  }
};

TEST_P(Fuzzed, HoldsWhateverIsWritten) {
  google::protobuf::SetLogHandler(nullptr);  // it has a line for each text that is no UTF-8
  const Target& target = Targets()[GetParam()];
  const auto inputs = Inputs(target);
  ASSERT_FALSE(inputs.empty());
  for (const std::string& input : inputs) target.run(input);
  target.run("");
  const auto takes = EachTakes();
  const std::uint64_t seed = Seed(takes.has_value());
  std::printf("FUZZ_SEED=%llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  const auto began = std::chrono::steady_clock::now();
  LastInput last;
  std::size_t runs = 0;
  for (; takes ? std::chrono::steady_clock::now() - began < *takes : runs < kMutations; ++runs) {
    const std::string input = Mutated(inputs[random() % inputs.size()], inputs, random);
    last.Keep(input);
    target.run(input);
  }
  std::printf("fuzz: %s: %zu inputs of the corpus, %zu mutations\n", target.name, inputs.size(), runs);
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzzed, ::testing::Range(std::size_t{0}, Targets().size()),
                         [](const auto& one) { return std::string(Targets()[one.param].name); });

}  // namespace
}  // namespace baton::fuzz
