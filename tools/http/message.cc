#include "tools/http/message.h"

#include <charconv>

namespace baton::http {

std::string Request::Header(const std::string& name) const {
  const auto [first, last] = headers.equal_range(name);
  return first != last && std::next(first) == last ? first->second : std::string();
}

std::string Request::Cookie(std::string_view name) const {
  std::string all = Header("cookie");
  std::string_view left = all;
  while (!left.empty()) {
    const std::size_t end = left.find(';');
    std::string_view one = left.substr(0, end);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (one.starts_with(name) && one.size() > name.size() && one[name.size()] == '=') {
      return std::string(one.substr(name.size() + 1));
    }
    if (end == std::string_view::npos) break;
    left.remove_prefix(end + 1);
  }
  return {};
}

bool DecodePath(std::string_view text, std::string& decoded) {
  decoded.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      unsigned value = 0;
      if (i + 2 >= text.size()) return false;
      const auto [end, error] = std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
      if (error != std::errc() || end != text.data() + i + 3) return false;
      c = static_cast<char>(value);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
    decoded += c;
  }
  return true;
}

}  // namespace baton::http
