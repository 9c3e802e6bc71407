#include "tools/words/text.h"

#include <algorithm>

namespace baton {
namespace {

bool IsHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool IsControl(char c) { return (static_cast<unsigned char>(c) < 0x20) || c == 0x7F; }

}  // namespace

std::string OneLine(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      line += " / ";
    } else if (c != '\r') {
      line += IsControl(c) ? '?' : c;
    }
  }
  return line;
}

std::string Harmless(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [](char c) { return IsControl(c) && c != '\n' && c != '\t'; }, '?');
  return result;
}

bool IsUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !IsHex(text[i])) return false;
  }
  return true;
}

std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::vector<std::string> Wrapped(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 1);
  std::vector<std::string> lines;
  while (Width(text) > columns) {
    std::size_t fits = 0;  // bytes
    for (std::size_t taken = 0; fits < text.size(); ++fits) {
      if ((static_cast<unsigned char>(text[fits]) & 0xC0) != 0x80 && ++taken > columns) break;
    }
    std::size_t end = fits;
    while (end > 0 && text[end] != ' ' && text[end - 1] != ' ' && text[end - 1] != ',') --end;
    if (end == 0) end = fits;
    std::string_view line = text.substr(0, end);
    while (line.ends_with(' ')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

}  // namespace baton
