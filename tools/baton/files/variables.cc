#include "tools/baton/files/variables.h"

#include <algorithm>
#include <cctype>

namespace baton::cli {
namespace {

bool IsName(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

}  // namespace

Status AddVariable(const std::string& setting, Variables& variables) {
  const std::size_t equals = setting.find('=');
  const std::string name = setting.substr(0, equals);
  if (equals == std::string::npos || !IsName(name)) {
    return InvalidArgument("--set takes NAME=VALUE with a NAME of letters, digits and '_', not '" + setting + "'");
  }
  const std::string value = setting.substr(equals + 1);
  const auto [known, is_new] = variables.emplace(name, value);
  if (!is_new && known->second != value) return InvalidArgument("--set gives " + name + " two values");
  return Done{};
}

Result<std::string> Substitute(const std::string& text, const Variables& variables) {
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = text.find("${", at);
    if (begin == std::string::npos) return result + text.substr(at);
    if (begin > at && text[begin - 1] == '$') {
      result += text.substr(at, begin - 1 - at) + "${";
      at = begin + 2;
      continue;
    }
    const std::size_t end = text.find('}', begin);
    const std::string name = text.substr(begin + 2, end == std::string::npos ? end : end - begin - 2);
    if (end == std::string::npos || !IsName(name)) {
      return InvalidArgument("${" + name + (end == std::string::npos ? "" : "}") +
                             " is no variable: it takes ${NAME} of letters, digits and '_'; write $${ for a plain ${");
    }
    const auto value = variables.find(name);
    if (value == variables.end()) return InvalidArgument("${" + name + "} is not set: give --set " + name + "=VALUE");
    result += text.substr(at, begin - at) + value->second;
    at = end + 1;
  }
}

}  // namespace baton::cli
