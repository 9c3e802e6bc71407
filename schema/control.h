// The migrator's own tables: control.sql, which makes what is missing.
#pragma once

#include <string_view>

namespace baton {

std::string_view ControlScript();

}  // namespace baton
