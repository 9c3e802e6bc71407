// Versions a.b.c (semver.org, without pre-releases), and the range of them that a program can serve.
#pragma once

#include <array>
#include <charconv>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace baton {

struct Semver {
  std::array<std::int64_t, 3> parts{};  // major, minor, patch

  auto operator<=>(const Semver&) const = default;

  // Without its patch.
  Semver Release() const { return {{parts[0], parts[1], 0}}; }

  // Three numbers without signs, with dots between; anything else is nothing.
  static std::optional<Semver> Parse(std::string_view text) {
    Semver version;
    for (std::size_t i = 0; i < version.parts.size(); ++i) {
      const char* end = text.data() + text.size();
      const auto [rest, error] = std::from_chars(text.data(), end, version.parts[i]);
      if (error != std::errc() || text.front() < '0' || text.front() > '9') return std::nullopt;
      text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
      const bool last = i + 1 == version.parts.size();
      if (last != text.empty() || (!last && text.front() != '.')) return std::nullopt;
      if (!last) text.remove_prefix(1);
    }
    return version;
  }
};

// >= least, and below the next major.
inline bool Serves(const Semver& least, const Semver& schema) {
  return schema >= least && schema.parts[0] == least.parts[0];
}

}  // namespace baton
