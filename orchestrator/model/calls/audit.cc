#include "orchestrator/model/calls/audit.h"

#include <charconv>

namespace baton {
namespace {

constexpr std::string_view kOk = "OK";
constexpr char kSubject = '@';

// One word.
std::string Packed(std::string_view text) {
  std::string packed(1, kSubject);
  for (const char c : text) packed += c == ' ' ? "%20" : c == '%' ? "%25" : std::string(1, c);
  return packed;
}

std::string Unpacked(std::string_view word) {
  std::string text;
  for (std::size_t at = 1; at < word.size(); ++at) {
    const std::string_view three = word.substr(at, 3);
    if (three == "%20" || three == "%25") {
      text += three == "%20" ? ' ' : '%';
      at += 2;
    } else {
      text += word[at];
    }
  }
  return text;
}

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
  if (entry.outcome != kOk) {
    const bool mistakable = entry.reason.starts_with(kSubject);
    return entry.outcome + " +" + std::to_string(entry.left_out) + " " +
           (entry.subject.empty() && !mistakable ? "" : Packed(entry.subject) + " ") + entry.reason;
  }
  std::string text(kOk);
  if (!entry.subject.empty()) text += " " + Packed(entry.subject);
  const std::size_t before = text.size();
  for (const std::string& field : entry.changed) text += (text.size() == before ? " " : ",") + field;
  return text;
}

void TakeOutcome(std::string_view stored, AuditEntry& entry) {
  entry.outcome = TakeWord(stored);
  if (entry.outcome == kOk) {
    if (stored.starts_with(kSubject)) entry.subject = Unpacked(TakeWord(stored));
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
    if (error == std::errc() && parsed == end) {
      stored = rest;
      if (stored.starts_with(kSubject)) entry.subject = Unpacked(TakeWord(stored));
    }
  }
  entry.reason = stored;
}

}  // namespace baton
