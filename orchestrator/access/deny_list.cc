#include "orchestrator/access/deny_list.h"

#include <algorithm>
#include <sstream>

namespace baton {
namespace {

constexpr std::size_t kDigits = 64;
constexpr std::string_view kRolePrefix = "role/";

// openssl writes capitals with colons between the bytes.
std::string Fingerprint(std::string text) {
  std::erase(text, ':');
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; });
  const bool hex = std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  return hex && text.size() == kDigits ? text : "";
}

std::string Name(std::string_view text) {
  if (!text.starts_with(kRolePrefix)) return {};
  text.remove_prefix(kRolePrefix.size());
  return ParseIdentity(text) ? std::string(text) : "";
}

}  // namespace

Result<DenyList> ParseDenyList(std::string_view text, const std::string& file) {
  DenyList list;
  std::istringstream in{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string kind, what, more;
    if (!(words >> kind)) continue;
    words >> what >> more;
    const std::string read = !more.empty() ? "" : kind == "cert" ? Fingerprint(what) : kind == "name" ? Name(what) : "";
    if (read.empty()) {
      return Error{ErrorKind::kInvalidArgument,
                   file + ":" + std::to_string(number) + ": write \"cert SHA256\", 64 hexadecimal digits, or \"name role/ROLE/NAME\"", {}};
    }
    (kind == "cert" ? list.certificates : list.names).insert(read);
  }
  return list;
}

}  // namespace baton
