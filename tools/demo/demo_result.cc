#include "tools/demo/demo_result.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tools/demo/departure.h"
#include "tools/demo/words.h"

namespace baton::demo {
namespace {

std::string Serving(const std::optional<int>& number) {
  return "never below " + (number ? std::to_string(*number) : "?") + " serving";
}

std::string Tenths(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

double Rounded(double value) { return std::stod(Tenths(value)); }

std::string BadOutcome(const DemoResult& result) {
  switch (result.bad_outcome) {
    case v2::ROLLED_BACK: return "rolled_back";
    case v2::HELD: return "held";
    case v2::COMPLETED: return "completed";
    default: return Words(result.bad_outcome);
  }
}

template <class Integer>
nlohmann::ordered_json Number(const std::optional<Integer>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

// The first reason says most: they come in the order of the enumeration.
std::string WhyKept(const v2::Definition& definition) {
  if (definition.kept_because().empty()) return "not collected yet";
  constexpr std::string_view kPrefix = "KEEP_REASON_";
  std::string name =
      v2::KeepReason_Name(static_cast<v2::KeepReason>(definition.kept_because(0))).substr(kPrefix.size());
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return c == '_' ? ' ' : std::tolower(c); });
  return name;
}

std::string Kept(std::vector<v2::Definition> definitions) {
  std::ranges::sort(definitions, {}, [](const v2::Definition& d) { return -d.created_at(); });
  std::string text;
  for (const v2::Definition& definition : definitions) {
    text += (text.empty() ? "" : ", ") + definition.definition_identifier() + " " + WhyKept(definition);
  }
  return text;
}

// Two updates complete undisturbed, each of which drains an old instance of every slot.
void JudgeDrains(const DemoResult& result, std::vector<std::string>& broken) {
  if (result.drains < 2 * result.instances) {
    broken.push_back("only " + std::to_string(result.drains) + " drains could be judged by the traffic, not " +
                     std::to_string(2 * result.instances));
  }
  if (result.longest_drain_wait_ms.value_or(0) > kDrainWaitMostMs) {
    broken.push_back("an old instance was gone only " + std::to_string(*result.longest_drain_wait_ms) +
                     " ms after its last answer; a drain that is acknowledged takes " +
                     std::to_string(kDrainWaitMostMs) + " ms at most");
  }
}

}  // namespace

std::string AsLines(const DemoResult& result) {
  const bool rolled_back = result.bad_outcome == v2::ROLLED_BACK;
  return "requests " + std::to_string(result.requests) + "  failed " + std::to_string(result.failed) +
         "  longest gap " + std::to_string(result.longest_gap_ms) + " ms\n" +
         "v1 -> v2: " + std::to_string(result.instances) + " instances in " + Tenths(result.roll_seconds) +
         " s (floor " + Tenths(result.roll_floor_seconds) + " s), " + Serving(result.min_serving_good) + "\n" +
         "v3 (crashes): " + std::to_string(result.failed_attempts) + " failed attempts, " + Words(result.bad_outcome) +
         (rolled_back ? " to v2, " : ", ") + Serving(result.min_serving_bad) + "\n" +
         "v2 -> v4, a machine dies: its " + std::to_string(result.lost_instances) + " instances were replaced in " +
         Tenths(result.recovered_seconds) + " s, " + Words(result.lost_outcome) + "\n" +
         "v4 -> v5, port and route change: " + Words(result.route_change_outcome) + ", " +
         std::to_string(result.route_change_failed) + " requests failed, " + Serving(result.route_change_min_serving) +
         "\n" + "v6 (crashes a second after it is let in): " + std::to_string(result.late_crash_attempts) +
         " failed attempts, " + Words(result.late_crash_outcome) +
         (result.late_crash_outcome == v2::ROLLED_BACK ? " to v5, " : ", ") + Serving(result.late_crash_min_serving) +
         "\n" + "drains: " + std::to_string(result.drains) + " old instances, each gone at most " +
         (result.longest_drain_wait_ms ? std::to_string(*result.longest_drain_wait_ms) : "?") +
         " ms after its last answer\n" + "definitions kept: " + std::to_string(result.definitions.size()) + " (" +
         Kept(result.definitions) +
         ")   open rolls: " + std::to_string(result.open_rolls) + "\n";
}

std::string AsJson(const DemoResult& result) {
  const nlohmann::ordered_json json{
      {"requests", result.requests},
      {"failed", result.failed},
      {"longest_gap_ms", result.longest_gap_ms},
      {"roll_seconds", Rounded(result.roll_seconds)},
      {"roll_floor_seconds", Rounded(result.roll_floor_seconds)},
      {"min_serving", Number(result.min_serving)},
      {"instances", result.instances},
      {"bad_update_outcome", BadOutcome(result)},
      {"lost_instances", result.lost_instances},
      {"recovered_seconds", Rounded(result.recovered_seconds)},
      {"route_change_failed", result.route_change_failed},
      {"late_crash_min_serving", Number(result.late_crash_min_serving)},
      {"longest_drain_wait_ms", Number(result.longest_drain_wait_ms)},
      {"definitions", result.definitions.size()},
      {"open_rolls", result.open_rolls},
  };
  return json.dump(2) + "\n";
}

std::vector<std::string> BrokenPromises(const DemoResult& result) {
  std::vector<std::string> broken;
  if (result.failed > 0) broken.push_back(std::to_string(result.failed) + " requests failed");
  if (!result.min_serving || *result.min_serving < result.instances) {
    broken.push_back("for a second only " + std::to_string(result.min_serving.value_or(0)) + " of " +
                     std::to_string(result.instances) + " slots answered");
  }
  if (result.good_outcome != v2::COMPLETED) broken.push_back("the update to v2 ended as " + Words(result.good_outcome));
  if (result.bad_outcome != v2::ROLLED_BACK) broken.push_back("the update to v3 ended as " + Words(result.bad_outcome));
  if (result.lost_outcome != v2::COMPLETED) {
    broken.push_back("the update to v4, in which a machine died, ended as " + Words(result.lost_outcome));
  }
  if (result.route_change_outcome != v2::COMPLETED) {
    broken.push_back("the update to v5, of port and route, ended as " + Words(result.route_change_outcome));
  }
  if (result.late_crash_outcome != v2::ROLLED_BACK) {
    broken.push_back("the update to v6, which crashes late, ended as " + Words(result.late_crash_outcome));
  }
  const auto too_few = [&](const std::optional<int>& serving, const std::string& update) {
    if (serving && *serving >= result.instances) return;
    broken.push_back("for a second of the update to " + update + " only " + std::to_string(serving.value_or(0)) + " of " +
                     std::to_string(result.instances) + " slots answered");
  };
  too_few(result.route_change_min_serving, "v5");
  too_few(result.late_crash_min_serving, "v6");
  JudgeDrains(result, broken);
  return broken;
}

}  // namespace baton::demo
