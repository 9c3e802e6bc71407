#include "tools/command_line/one_of.h"

#include <algorithm>

#include "tools/command_line/nearest.h"

namespace baton {
namespace {

// "table, wide, json and yaml"
std::string Listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

}  // namespace

CLI::Validator OneOf(std::vector<std::string> words) {
  const std::string description = CLI::detail::generate_set(words);
  const auto check = [words = std::move(words)](std::string& word) -> std::string {
    if (std::ranges::find(words, word) != words.end()) return {};
    const auto nearest = Nearest(word, words);
    return "'" + word + "' is none of " + Listed(words) + (nearest ? ": did you mean " + *nearest + "?" : "");
  };
  return {check, description, "one of"};
}

std::vector<std::string> WordsOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();  // the descriptions of all its checks are there
  const std::size_t from = type.find('{');
  const std::size_t to = type.find('}', std::min(from, type.size()));
  return to == std::string::npos ? std::vector<std::string>() : CLI::detail::split(type.substr(from + 1, to - from - 1), ',');
}

}  // namespace baton
