// The version of the data that this program is built for.
#pragma once

#include <cstdint>

namespace baton {

inline constexpr std::int64_t kSchemaMigration = 100;  // Vd of versions.md
inline constexpr char kSchemaSemver[] = "2.0.0";
inline constexpr char kAppVersion[] = "0.1.0";

}  // namespace baton
