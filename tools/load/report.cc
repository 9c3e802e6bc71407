#include "tools/load/report.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tools/load/instance_span.h"

namespace baton::load {
namespace {

using Json = nlohmann::ordered_json;

struct Second {
  std::int64_t failed = 0;
  std::int64_t answered = 0;
  std::map<std::string_view, std::int64_t> by_version;
  std::set<int> slots;
};

Json Seconds(const ReportParts& parts) {
  std::map<std::int64_t, Second> seconds;
  for (std::int64_t second = 0; second * 1000 < parts.duration_ms; ++second) seconds[second];
  for (const AnswerRecord& answer : parts.answers) {
    Second& second = seconds[answer.at_ms / 1000];
    ++second.answered;
    ++second.by_version[answer.version];
    second.slots.insert(answer.index);
  }
  for (const std::int64_t at_ms : parts.failure_times) ++seconds[at_ms / 1000].failed;
  Json json = Json::array();
  for (const auto& [at, second] : seconds) {
    Json versions = Json::object();
    for (const auto& [version, count] : second.by_version) versions[std::string(version)] = count;
    json.push_back({{"second", at},
                    {"answered", second.answered},
                    {"failed", second.failed},
                    {"by_version", versions},
                    {"slots", second.slots}});
  }
  return json;
}

Json Options(const LoadOptions& options) {
  return {{"target", options.target},
          {"host", options.host},
          {"rate", options.rate},
          {"slow_every", options.slow_every},
          {"slow_ms", options.slow_ms},
          {"timeout_ms", options.timeout.count()},
          {"kept_connections", options.kept_connections},
          {"kept_connections_most", options.kept_connections_most}};
}

Json ByKind(const LoadSnapshot& snapshot) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kRequestKinds; ++i) {
    const LoadSnapshot::OfKind& kind = snapshot.by_kind[i];
    json[std::string(ToString(static_cast<RequestKind>(i)))] = {
        {"answered", kind.answered}, {"failed", kind.failed}, {"p50_ms", kind.p50_ms}, {"p99_ms", kind.p99_ms}};
  }
  return json;
}

Json Instances(const ReportParts& parts) {
  Json json = Json::array();
  for (const auto& [instance, span] : SpansOf(parts.answers)) {
    json.push_back({{"instance", instance},
                    {"version", span.version},
                    {"slot", span.index},
                    {"answered", span.answers},
                    {"first_ms", span.first_answer_ms},
                    {"last_ms", span.last_answer_ms}});
  }
  return json;
}

}  // namespace

std::string ReportJson(const ReportParts& parts) {
  const LoadSnapshot& snapshot = parts.snapshot;
  Json failures = Json::array();
  for (const FailureRecord& failure : snapshot.first_failures) {
    failures.push_back({{"at_ms", failure.at_ms}, {"kind", ToString(failure.kind)}, {"text", failure.text}});
  }
  Json json;
  json["options"] = Options(parts.options);
  json["duration_ms"] = parts.duration_ms;
  json["requests"] = snapshot.requests;
  json["answered"] = snapshot.answered;
  json["failed"] = snapshot.failed;
  json["first_failures"] = std::move(failures);
  json["longest_gap_ms"] = snapshot.longest_gap_ms;
  json["min_serving"] = parts.min_serving ? Json(*parts.min_serving) : Json(nullptr);
  json["reconnects"] = snapshot.reconnects;
  json["p50_ms"] = snapshot.p50_ms;
  json["p99_ms"] = snapshot.p99_ms;
  json["answered_by_version"] = snapshot.answered_by_version;
  json["by_kind"] = ByKind(snapshot);
  json["instances"] = Instances(parts);
  json["seconds"] = Seconds(parts);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace baton::load
