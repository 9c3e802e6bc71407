// An app as schema 1.x has it, which is as Diego has it: one definition, inline, and instances that name none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "baton/v1/actual_lrp.pb.h"
#include "baton/v1/desired_lrp.pb.h"
#include "orchestrator/model/id.h"

namespace baton {

using LegacyTags = google::protobuf::Map<std::string, v1::MetricTagValue>;

struct LegacyInstance {
  std::int64_t index = 0;
  int presence = 0;  // v1::ActualLRP::Presence
  std::string domain;
  std::string state;
  std::string instance_guid;
  std::string cell_id;
  std::string placement_error;
  std::int64_t since_ns = 0;
  v1::ActualLRPNetInfo net_info;
  std::int64_t crash_count = 0;
  std::string crash_reason;
  std::string tag_epoch;
  std::int64_t tag_index = 0;
  std::optional<bool> routable;
  std::string zone;
  std::optional<v1::ActualLRP> internal_routes;  // nothing but these in it
  std::optional<LegacyTags> metric_tags;         // as resolved for this instance
};

struct LegacyApp {
  ProcessGuid guid;
  std::string domain;
  std::string log_guid;
  std::string annotation;
  std::int64_t instances = 0;
  std::int64_t memory_mb = 0;
  std::int64_t disk_mb = 0;
  std::int64_t max_pids = 0;
  std::string root_fs;
  v1::ProtoRoutes routes;
  v1::VolumePlacement volume_placement;
  std::vector<std::string> placement_tags;
  std::string tag_epoch;
  std::int64_t tag_index = 0;
  v1::DesiredLRPRunInfo run_info;
  std::optional<LegacyTags> metric_tags;  // nothing: in the run info (1.0)
  int update_strategy = 0;                // v1::DesiredLRP::UpdateStrategy
  std::vector<LegacyInstance> actuals;
};

// "shop/3", as every tool names an instance; with its presence where that is not ORDINARY.
std::string InstanceName(const ProcessGuid& guid, std::int64_t index, int presence);

// Something of 1.x that 2.0 does not hold.
struct LegacyFinding {
  enum class Kind {
    kRow,    // the row itself
    kField,  // something that was set on purpose
    kNote,   // not missed: a cell reports it again, it follows from other fields, or no reader exists
  };
  Kind kind = Kind::kRow;
  std::string table;  // "desired_lrps"
  std::string key;    // "shop", "shop/3"
  std::string field;  // empty for a whole row
  std::string reason;

  bool operator==(const LegacyFinding&) const = default;
};

}  // namespace baton
