// The one place of version numbers: of the data that this program is built for, and of all programs.
#pragma once

#include <cstdint>

namespace baton {

inline constexpr std::int64_t kSchemaMigration = 104;  // the newest of schema/migrations
inline constexpr char kSchemaSemver[] = "2.4.0";
inline constexpr char kSchemaServedFrom[] = "2.2.0";  // and what is compatible with it: the same major
inline constexpr char kAppVersion[] = "0.2.0";

}  // namespace baton
