// What holds of everything that is read.
#pragma once

#include <optional>
#include <string_view>

#include "orchestrator/base/check.h"
#include "orchestrator/base/result.h"
#include "orchestrator/wire/limits/text.h"

namespace baton::fuzz {

template <class M>
std::optional<M> Parsed(std::string_view bytes) {
  M message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  return message;
}

// Whoever sent it can mend it, and can read why.
inline void CheckRefusal(const Error& error) {
  CHECK(error.kind == ErrorKind::kInvalidArgument || error.kind == ErrorKind::kFailedPrecondition);
  CHECK(!error.message.empty() && wire::IsUtf8(error.message));
}

}  // namespace baton::fuzz
