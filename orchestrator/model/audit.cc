#include "orchestrator/model/audit.h"

#include <charconv>

namespace baton {
namespace {

constexpr std::string_view kOk = "OK";

// Takes the first word off `text`.
std::string_view TakeWord(std::string_view& text) {
  const std::size_t space = text.find(' ');
  const std::string_view word = text.substr(0, space);
  text.remove_prefix(space == text.npos ? text.size() : space + 1);
  return word;
}

}  // namespace

bool IsRefusal(const Error& error) {
  return error.kind != ErrorKind::kUnavailable && error.kind != ErrorKind::kResourceExhausted;
}

std::string StoredOutcome(const AuditEntry& entry) {
  if (entry.outcome != kOk) return entry.outcome + " +" + std::to_string(entry.left_out) + " " + entry.reason;
  std::string text(kOk);
  for (const std::string& field : entry.changed) text += (text.size() == kOk.size() ? " " : ",") + field;
  return text;
}

void TakeOutcome(std::string_view stored, AuditEntry& entry) {
  entry.outcome = TakeWord(stored);
  if (entry.outcome == kOk) {
    while (!stored.empty()) {
      const std::size_t comma = stored.find(',');
      entry.changed.emplace_back(stored.substr(0, comma));
      stored.remove_prefix(comma == stored.npos ? stored.size() : comma + 1);
    }
    return;
  }
  std::string_view rest = stored;
  if (const std::string_view count = TakeWord(rest); count.starts_with('+')) {
    const char* const end = count.data() + count.size();
    const auto [parsed, error] = std::from_chars(count.data() + 1, end, entry.left_out);
    if (error == std::errc() && parsed == end) stored = rest;
  }
  entry.reason = stored;
}

}  // namespace baton
