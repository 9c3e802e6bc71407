#include "tools/demo/words.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>

namespace baton::demo {
namespace {

std::string Time(std::int64_t ms) {
  if (ms < 1000) return std::to_string(ms) + " ms";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ms) / 1000);
  return text;
}

// One line, whatever the app wrote before it crashed.
std::string OneLine(std::string text) {
  const std::size_t end = text.find('\n');
  return end == text.npos ? text : text.substr(0, end);
}

std::string OfInstance(const v2::RollStep& step) {
  const std::string& version = step.definition_identifier();
  static const std::map<std::string, std::string> kWords{
      {"surged", " is started beside the old instance"},
      {"filled", " is started"},
      {"replaced", " is to be started in the old instance's place"},
      {"stop_ordered", " has answered its last request and is told to stop"},
  };
  if (const auto words = kWords.find(step.kind()); words != kWords.end()) return version + words->second;
  if (step.kind() == "proven") return version + " serves (ready " + Time(step.start_ms()) + " after its start)";
  if (step.kind() == "handed_over") {
    return version + " has proved itself and takes the slot (ready " + Time(step.start_ms()) + " after its start)";
  }
  if (step.kind() == "withdrawn" && step.text() == "its slot was handed over") {
    return version + " gets no new requests any more and finishes those that it has";
  }
  if (step.kind() == "withdrawn" && step.text().starts_with("it crashed")) return version + " is taken away again";
  if (step.kind() == "retired") return version + " is gone (drained and stopped in " + Time(step.stop_ms()) + ")";
  if (step.kind() == "attempt_failed") return version + " FAILED: " + OneLine(step.text());
  return version + " " + step.kind() + ": " + OneLine(step.text());
}

}  // namespace

std::string Words(const v2::RollStep& step) {
  if (step.index() >= 0) return "  slot " + std::to_string(step.index()) + ": " + OfInstance(step);
  return "  roll: " + OneLine(step.text());
}

std::string Words(const load::LoadSnapshot& traffic) {
  char text[160];
  std::snprintf(text, sizeof text,
                "traffic: %lld requests, %lld failed, longest gap %lld ms; the quick ones: p50 %.1f ms, p99 %.1f ms",
                static_cast<long long>(traffic.requests), static_cast<long long>(traffic.failed),
                static_cast<long long>(traffic.longest_gap_ms), traffic.p50_ms, traffic.p99_ms);
  return text;
}

std::string Words(v2::RollState state) {
  std::string name = v2::RollState_Name(state);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return c == '_' ? ' ' : std::tolower(c); });
  return name;
}

}  // namespace baton::demo
