#include "tools/baton/views/api_usage_view.h"

#include <algorithm>
#include <map>
#include <vector>

#include "tools/words/table.h"
#include "tools/words/text.h"
#include "tools/words/times.h"

namespace baton::cli {
namespace {

constexpr std::int64_t kDay = 86'400'000'000'000;
constexpr std::int64_t kLately = 7 * kDay;
constexpr std::size_t kNamed = 5;

struct LastCall {
  std::string caller;
  std::int64_t at = 0;
};

// Of each caller of this version, the latest first.
std::vector<LastCall> LastCalls(const v2::GetApiUsageResponse& usage, const std::string& api) {
  std::map<std::string, std::int64_t> at;
  for (const auto& one : usage.usage()) {
    if (one.api_version() == api) at[one.caller()] = std::max(at[one.caller()], one.last_at());
  }
  std::vector<LastCall> calls;
  for (const auto& [caller, last] : at) calls.push_back({caller, last});
  std::ranges::stable_sort(calls, std::greater(), &LastCall::at);
  return calls;
}

std::string Summary(const v2::GetApiUsageResponse& usage, const v2::ApiVersion& version, std::int64_t now) {
  const std::string begin = version.api_version() + (version.deprecated() ? " (deprecated): " : ": ");
  const auto since = [&](std::int64_t at) { return HumanTime(at) + " (" + Age(at, now) + ")"; };
  const std::vector<LastCall> calls = LastCalls(usage, version.api_version());
  if (calls.empty() && usage.counted_since() == 0) return begin + "no call was counted yet";
  if (calls.empty()) return begin + "nobody since calls are counted, " + since(usage.counted_since());
  const auto lately = static_cast<std::size_t>(
      std::ranges::count_if(calls, [&](const LastCall& call) { return call.at > now - kLately; }));
  if (lately == 0) return begin + "nobody since " + since(calls[0].at) + "; the last was " + OneLine(calls[0].caller);
  std::string names;
  for (std::size_t i = 0; i < std::min(lately, kNamed); ++i) names += (i == 0 ? "" : ", ") + OneLine(calls[i].caller);
  if (lately > kNamed) names += ", ...";
  return begin + std::to_string(lately) + (lately == 1 ? " caller" : " callers") + " in the last 7 days (" + names +
         "); last call " + Age(calls[0].at, now) + " ago";
}

// As wide as a table: what is longer goes on below itself.
std::string Folded(const std::string& line) {
  constexpr std::size_t kIndent = 2;
  std::string text;
  for (const std::string& part : Wrapped(line, Table().columns_max - kIndent)) {
    text += (text.empty() ? "" : std::string(kIndent, ' ')) + part + "\n";
  }
  return text;
}

}  // namespace

std::string Words(const v2::GetApiUsageResponse& usage, std::int64_t now) {
  Table table{{"API", "METHOD", "CALLER", "CALLS", "FIRST", "LAST"}, {}};
  for (const auto& one : usage.usage()) {
    table.rows.push_back({one.api_version(), one.method(), OneLine(one.caller()), std::to_string(one.calls()),
                          HumanTime(one.first_at()), Age(one.last_at(), now) + " ago"});
  }
  std::string text = table.rows.empty() ? "" : Render(table) + "\n";
  for (const auto& version : usage.versions()) text += Folded(Summary(usage, version, now));
  if (!usage.stored()) {
    text += Folded("Not stored yet, the data is of an older schema: these are the calls since the batond that leads began to.");
  }
  return text;
}

bool IdleFor(int days, const v2::GetApiUsageResponse& usage, bool deprecated_only, std::int64_t now) {
  const std::int64_t from = now - days * kDay;
  if (usage.counted_since() == 0 || usage.counted_since() > from) return false;
  return std::ranges::none_of(usage.versions(), [&](const v2::ApiVersion& version) {
    if (deprecated_only && !version.deprecated()) return false;
    const auto calls = LastCalls(usage, version.api_version());
    return !calls.empty() && calls[0].at > from;
  });
}

}  // namespace baton::cli
