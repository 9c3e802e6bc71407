#include "tools/adopt/source.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/actions.h"
#include "schema/legacy/apps/split.h"
#include "tools/adopt/diego_row.h"

namespace baton::adopt {
namespace {

constexpr int kSample = 50;
// So many blobs of one label that do not open, and none that does, are no accident.
constexpr int kNoAccident = 3;

// What every level from kOldestLevel on has and Baton reads.
const std::map<std::string, std::vector<const char*>>& Needed() {
  static const std::map<std::string, std::vector<const char*>> kNeeded{
      {"configurations", {"id", "value"}},
      {"desired_lrps",
       {"process_guid", "domain", "log_guid", "annotation", "instances", "memory_mb", "disk_mb", "max_pids", "rootfs",
        "routes", "volume_placement", "placement_tags", "modification_tag_epoch", "modification_tag_index",
        "run_info"}},
      {"actual_lrps",
       {"process_guid", "instance_index", "presence", "domain", "state", "instance_guid", "cell_id", "placement_error",
        "since", "net_info", "internal_routes", "metric_tags", "routable", "crash_count", "crash_reason",
        "modification_tag_epoch", "modification_tag_index"}},
      {"domains", {"domain", "expire_time"}},
      {"tasks", {}},
  };
  return kNeeded;
}

LegacyFinding LeftOut(const char* table, std::string key, std::string reason) {
  return {LegacyFinding::Kind::kRow, table, std::move(key), "", std::move(reason)};
}

std::string NameOfRow(const Rows::Row& row) {
  const std::string presence = row.TextOrEmpty("presence");
  const bool known = presence == "0" || presence == "1" || presence == "2";
  const std::string name = InstanceName(ProcessGuid(row.Text("process_guid")), row.Int("instance_index"), known ? std::stoi(presence) : 0);
  return known ? name : name + " presence " + presence;
}

// It is taken over, and what runs goes on; but no new instance of it would start.
void AddNotStarted(const AppState& app, std::vector<LegacyFinding>& findings) {
  for (const auto& [key, definition] : app.definitions) {
    for (const std::string& need : definition.needs) {
      const std::string why = wire::BeyondBatonCell(need);
      if (why.empty() || need.starts_with(wire::kVolumeDriverNeed)) continue;  // which is a volume mount's
      findings.push_back({LegacyFinding::Kind::kNote, "desired_lrps", app.guid.str(), "run_info." + need, why});
    }
  }
}

}  // namespace

Status Source::Check() {
  if (Status s = CheckTables(); !s) return s;
  if (Status s = CheckLevel(); !s) return s;
  if (Status s = CheckKeys(); !s) return s;
  return CheckPassphrases();
}

Status Source::CheckTables() {
  std::set<std::pair<std::string, std::string>> found;
  std::set<std::string> tables;
  for (const auto row : session_.Run("DiegoColumns")) {
    found.insert({row.Text("table_name"), row.Text("column_name")});
    tables.insert(row.Text("table_name"));
  }
  for (const auto& [table, columns] : Needed()) {
    if (!tables.contains(table)) return FailedPrecondition("the source is no Diego database: it has no table " + table);
  }
  for (const auto& [table, columns] : Needed()) {
    for (const char* column : columns) {
      if (found.contains({table, column})) continue;
      return FailedPrecondition("the source is no Diego database of a known level: table " + table + " has no column " +
                                column);
    }
  }
  return Done{};
}

Status Source::CheckLevel() {
  for (const auto row : session_.Run("DiegoConfigurations")) {
    if (row.Text("id") != "version") continue;
    const std::string value = row.TextOrEmpty("value");
    const auto json = nlohmann::json::parse(value, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("CurrentVersion") || !json["CurrentVersion"].is_number_integer()) {
      return FailedPrecondition("configurations.version of the source is " + wire::Shown(value) +
                                "; it should be {\"CurrentVersion\": N}");
    }
    const auto level = json["CurrentVersion"].get<std::int64_t>();
    if (level >= kOldestLevel && level <= kNewestLevel) return Done{};
    return FailedPrecondition(
        "the source is at Diego's level " + std::to_string(level) + "; known are " + std::to_string(kOldestLevel) +
        " to " + std::to_string(kNewestLevel) +
        (level < kOldestLevel ? ": let a newer BBS migrate it first" : ": it needs a newer baton"));
  }
  return FailedPrecondition("the source is no Diego database: configurations has no row 'version'");
}

Status Source::CheckKeys() {
  for (const auto row : session_.Run("DiegoConfigurations")) {
    if (row.Text("id") != "encryption_key_label") continue;
    const std::string label = row.TextOrEmpty("value");
    if (label.empty() || keys_.Find(label)) return Done{};
    return FailedPrecondition("the source is encrypted with key label " + wire::Shown(label) + ", and the keys are " +
                              keys_.Labels());
  }
  return Done{};  // never encrypted
}

Status Source::CheckPassphrases() {
  ColumnOpener sample(keys_);
  for (const auto row : session_.Run("DiegoApps", {"", std::to_string(kSample)})) (void)AppFrom(row.Text("whole"), sample);
  for (const auto row : session_.Run("DiegoSomeInstances", {std::to_string(kSample)})) {
    (void)InstanceFrom(row.Text(), sample);
  }
  for (const auto& [label, count] : sample.counts()) {
    if (count.opened > 0 || count.failed < kNoAccident) continue;
    return FailedPrecondition("the passphrase of key label " + wire::Shown(label) + " opens none of the " +
                              std::to_string(count.failed) + " blobs that were tried: it is another one");
  }
  return Done{};
}

std::string Source::Fingerprint() const { return session_.Run("DiegoFingerprint")[0].Text(); }

SourceBatch Source::Next(const std::string& after, int most) {
  SourceBatch batch;
  std::map<std::string, Result<LegacyApp>> apps;
  ArrayParam names;
  for (const auto row : session_.Run("DiegoApps", {after, std::to_string(most)})) {
    batch.last = row.Text("process_guid");
    names.Text(batch.last);
    auto app = AppFrom(row.Text("whole"), opener_);
    if (!app) batch.findings.push_back(LeftOut("desired_lrps", batch.last, app.error().message));
    apps.emplace(batch.last, std::move(app));
  }
  if (batch.last.empty()) return batch;
  for (const auto row : session_.Run("DiegoInstances", {names.str()})) {
    Result<LegacyApp>& app = apps.at(row.Text("process_guid"));
    auto lrp = InstanceFrom(row.Text("whole"), opener_);
    if (!lrp || !app) {
      const std::string why = lrp ? "its app could not be taken over" : lrp.error().message;
      batch.findings.push_back(LeftOut("actual_lrps", NameOfRow(row), why));
    } else {
      app->actuals.push_back(*std::move(lrp));
    }
  }
  for (auto& [name, app] : apps) {
    if (!app) continue;
    // The step that comes later, played now: what it could not do must not get into 1.x.
    SplitApp split = Split(*app, TimePoint());
    std::set<std::string> left_out;
    for (const LegacyFinding& finding : split.findings) {
      if (finding.kind == LegacyFinding::Kind::kRow) left_out.insert(finding.key);
    }
    batch.findings.insert(batch.findings.end(), split.findings.begin(), split.findings.end());
    const auto gone = [&](const LegacyInstance& lrp) {
      const std::string instance = InstanceName(app->guid, lrp.index, lrp.presence);
      if (!split.state) batch.findings.push_back(LeftOut("actual_lrps", instance, "its app could not be taken over"));
      return !split.state || left_out.contains(instance);
    };
    std::erase_if(app->actuals, gone);
    if (!split.state) continue;
    AddNotStarted(*split.state, batch.findings);
    batch.instances += static_cast<std::int64_t>(app->actuals.size());
    batch.apps.push_back(*std::move(app));
  }
  return batch;
}

std::vector<LegacyFinding> Source::Orphans(Place& at, int most) {
  std::vector<LegacyFinding> findings;
  for (const auto row :
       session_.Run("DiegoOrphans", {at.guid, std::to_string(at.index), at.presence, std::to_string(most)})) {
    findings.push_back(LeftOut("actual_lrps", NameOfRow(row), "there is no such app in desired_lrps"));
    at = {row.Text("process_guid"), row.Int("instance_index"), row.Text("presence")};
  }
  return findings;
}

std::vector<Source::Domain> Source::Domains(std::vector<LegacyFinding>& findings) {
  std::vector<Domain> domains;
  for (const auto row : session_.Run("DiegoDomains")) {
    const auto json = nlohmann::json::parse(row.Text(), nullptr, /*allow_exceptions=*/false);
    const bool readable = json.is_object() && json["domain"].is_string();
    const std::string name = readable ? json["domain"].get<std::string>() : "";
    if (name.empty()) {
      findings.push_back(LeftOut("domains", wire::Clean(row.Text()), "its name is empty, or no UTF-8"));
      continue;
    }
    // NULL: it was never fresh.
    domains.push_back({name, json["expire_time"].is_number_integer() ? json["expire_time"].get<std::int64_t>() : 0});
  }
  return domains;
}

std::int64_t Source::Tasks() { return session_.Run("CountDiegoTasks")[0].Int(); }

}  // namespace baton::adopt
