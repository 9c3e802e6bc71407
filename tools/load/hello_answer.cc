#include "tools/load/hello_answer.h"

#include <nlohmann/json.hpp>

namespace baton::load {
namespace {

constexpr std::uint64_t kMostIndex = 1'000'000;

}  // namespace

std::optional<HelloAnswer> ParseHelloAnswer(std::string_view body) {
  const auto json = nlohmann::json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  const auto version = json.find("version");
  const auto index = json.find("index");
  const auto instance = json.find("instance");
  if (version == json.end() || !version->is_string()) return std::nullopt;
  if (index == json.end() || !index->is_number_unsigned() || *index > kMostIndex) return std::nullopt;
  if (instance == json.end() || !instance->is_string()) return std::nullopt;
  return HelloAnswer{.version = *version, .index = *index, .instance = *instance};
}

}  // namespace baton::load
