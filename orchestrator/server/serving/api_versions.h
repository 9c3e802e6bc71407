// The versions of the API that are served, the newest one last.
#pragma once

namespace baton {

inline constexpr const char* kApiVersions[] = {"v1", "v2"};

}  // namespace baton
