#include <nlohmann/json.hpp>

#include "tools/adopt/diego_row.h"

namespace baton::adopt {
namespace {

// A walk over JSON that is known to be well-formed.
class Walk {
 public:
  explicit Walk(const std::string& text) : text_(text) {}

  bool Take(char c) {
    SkipSpace();
    if (text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string TakeValue() {
    SkipSpace();
    const std::size_t begin = at_;
    int depth = 0;
    do {
      const char c = text_[at_];
      if (c == '"') {
        SkipText();
      } else {
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        ++at_;
      }
    } while (depth > 0 || !EndsValue());
    return text_.substr(begin, at_ - begin);
  }

 private:
  void SkipSpace() {
    while (IsSpace(text_[at_])) ++at_;
  }
  void SkipText() {
    for (++at_; text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }
  bool EndsValue() const {
    const char c = text_[at_];
    return c == ',' || c == ':' || c == '}' || c == ']' || IsSpace(c);
  }
  static bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<std::pair<std::string, std::string>>> MembersOf(const std::string& object) {
  const auto json = nlohmann::json::parse(object, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> members;
  Walk walk(object);
  if (!walk.Take('{')) return std::nullopt;  // a byte order mark, which the parser lets pass
  while (!walk.Take('}')) {
    const std::string name = walk.TakeValue();
    walk.Take(':');
    members.emplace_back(nlohmann::json::parse(name).get<std::string>(), walk.TakeValue());
    walk.Take(',');
  }
  return members;
}

}  // namespace baton::adopt
