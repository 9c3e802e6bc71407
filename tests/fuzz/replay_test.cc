// Every input that fuzzing has left behind, the seeds, and a second of blind mutations of them, whose seed is printed.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "tests/fuzz/targets.h"

namespace baton::fuzz {
namespace {

constexpr auto kEach = std::chrono::milliseconds(700);

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

class Fuzzed : public testing::TestWithParam<std::size_t> {};

TEST_P(Fuzzed, HoldsWhateverIsWritten) {
  const Target& target = Targets()[GetParam()];
  const auto inputs = Inputs(target);
  ASSERT_FALSE(inputs.empty());
  for (const std::string& input : inputs) target.run(input);
  target.run("");
  const char* given = std::getenv("FUZZ_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device()();
  std::printf("FUZZ_SEED=%llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  const auto end = std::chrono::steady_clock::now() + kEach;
  std::size_t runs = 0;
  for (; std::chrono::steady_clock::now() < end; ++runs) {
    target.run(Mutated(inputs[random() % inputs.size()], inputs, random));
  }
  std::printf("fuzz: %s: %zu inputs of the corpus, %zu mutations\n", target.name, inputs.size(), runs);
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzzed, testing::Range(std::size_t{0}, Targets().size()),
                         [](const auto& one) { return std::string(Targets()[one.param].name); });

}  // namespace
}  // namespace baton::fuzz
