#include "orchestrator/model/calls/trace_parent.h"

#include <algorithm>

namespace baton {
namespace {

constexpr std::size_t kTraceAt = 3, kTraceDigits = 32;
constexpr std::size_t kParentAt = kTraceAt + kTraceDigits + 1, kParentDigits = 16;
constexpr std::size_t kFlagsAt = kParentAt + kParentDigits + 1, kFlagsDigits = 2;

bool IsHexadecimal(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool IsId(std::string_view text) {
  return IsHexadecimal(text) && std::ranges::any_of(text, [](char c) { return c != '0'; });
}

}  // namespace

TraceParent TraceParent::From(std::string_view text) {
  const bool is_one = text.size() == kFlagsAt + kFlagsDigits && text.starts_with("00-") && text[kParentAt - 1] == '-' &&
                      text[kFlagsAt - 1] == '-' && IsId(text.substr(kTraceAt, kTraceDigits)) &&
                      IsId(text.substr(kParentAt, kParentDigits)) && IsHexadecimal(text.substr(kFlagsAt));
  TraceParent parent;
  if (is_one) parent.text_ = text;
  return parent;
}

std::string_view TraceParent::trace_id() const {
  return empty() ? std::string_view() : std::string_view(text_).substr(kTraceAt, kTraceDigits);
}

}  // namespace baton
