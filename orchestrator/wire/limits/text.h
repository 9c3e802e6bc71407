// Which texts are accepted. Names are an allow-list (a superset of Diego's). Other text must be UTF-8 without NUL:
// PostgreSQL cannot store a NUL, and libpqxx silently cuts the text off there (invariants M6, D5).
#pragma once

#include <string>
#include <string_view>

#include "orchestrator/base/result.h"

namespace baton::wire {

inline constexpr std::size_t kNameBytesMax = 255;

bool IsUtf8(std::string_view text);
// Of ASCII.
inline bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }
// UTF-8 without NUL.
bool IsText(std::string_view value);

// `field` is how the caller knows it: "process_guid". INVALID_ARGUMENT with field and what is allowed.
Status CheckName(std::string_view field, std::string_view value);
Status CheckText(std::string_view field, std::string_view value, std::size_t bytes_max);
Status CheckRange(std::string_view field, std::int64_t value, std::int64_t least, std::int64_t most);

// For texts that are not refused but kept (crash reasons): what cannot be stored is replaced by '?'.
std::string Clean(std::string_view text);
// The same for a cell's words of itself (its zone, its version): on one line, and at most 64 bytes of them are kept.
std::string ShortWord(std::string_view text);

// A value as an error shows it: 80 characters at most of names, or of paths of them; else how long it is, since it may be a secret.
std::string Shown(std::string_view value);

}  // namespace baton::wire
