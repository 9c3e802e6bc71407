// The record of one request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace baton::load {

// On a connection of its own ("Connection: close"), or on one that is kept; fast or slow.
enum class RequestKind : std::uint8_t { kNew, kKept, kNewSlow, kKeptSlow };
inline constexpr int kRequestKinds = 4;

constexpr std::string_view ToString(RequestKind kind) {
  switch (kind) {
    case RequestKind::kNew: return "new";
    case RequestKind::kKept: return "kept";
    case RequestKind::kNewSlow: return "new-slow";
    case RequestKind::kKeptSlow: return "kept-slow";
  }
  return "";
}

constexpr bool IsSlow(RequestKind kind) { return kind == RequestKind::kNewSlow || kind == RequestKind::kKeptSlow; }

// A request that was answered with 200 and a body as it should be. Times are in milliseconds since the load's start.
struct AnswerRecord {
  // When the answer was there, to its last byte.
  std::int64_t at_ms = 0;
  // From when the request was due, so that waiting for a connection counts too.
  double latency_ms = 0;
  RequestKind kind = RequestKind::kNew;
  // Who answered, by its own account. The texts live as long as the load.
  std::string_view version;
  int index = 0;
  std::string_view instance;
};

// Any other request.
struct FailureRecord {
  // When it was known to have failed.
  std::int64_t at_ms = 0;
  RequestKind kind = RequestKind::kNew;
  std::string text;
};

}  // namespace baton::load
