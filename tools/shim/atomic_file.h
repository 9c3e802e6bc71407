// Small files that are read and written whole. A reader sees the old text or the new one, never a part.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/base/result.h"

namespace baton::shim {

// Nothing: it is not there, or cannot be read.
std::optional<std::string> ReadWholeFile(const std::string& path);

enum class Durability {
  kProcess,  // survives the death of any process
  kMachine,  // is on the disk when this returns
};
// Written beside `path` with mode 0600 and renamed onto it.
Status WriteWholeFile(const std::string& path, std::string_view text, Durability durability = Durability::kProcess);

}  // namespace baton::shim
