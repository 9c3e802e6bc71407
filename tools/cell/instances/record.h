// What a cell remembers of one instance, beside the shim's own files: written down before it is acted upon.
//
//   DIR/instances/<instance guid>/record.json   this
//   DIR/instances/<instance guid>/...           see tools/shim/instance_dir.h
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/definition.h"
#include "tools/cell/health/check_plan.h"
#include "tools/cell/instances/instance_law.h"
#include "tools/shim/instance_dir.h"

namespace baton::cell {

// The order to run it, as it came.
struct InstanceOrder {
  std::string actual_id;
  std::string process_guid;
  std::int64_t incarnation = 0;
  std::int32_t index = 0;
  std::string definition_identifier;
  std::string content_hash;
  Resources resources;
  std::int64_t start_timeout_ms = 0;
  std::string domain;
  bool egress_unenforced = false;

  bool operator==(const InstanceOrder&) const = default;
};

struct InstanceRecord {
  InstanceOrder order;
  std::string instance_guid;
  InstanceState state;
  // In the definition's order; empty until the definition is here.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ports;  // the definition's, the host's
  // Milliseconds since 1970; 0: not yet.
  std::int64_t ordered_at_ms = 0;
  std::int64_t claimed_at_ms = 0;
  std::int64_t ended_at_ms = 0;

  PortMap port_map() const { return {ports.begin(), ports.end()}; }
  bool operator==(const InstanceRecord&) const = default;
};

std::string RecordPath(const shim::InstanceDir& dir);
Status WriteRecord(const shim::InstanceDir& dir, const InstanceRecord& record);
// Nothing for a directory without a record, or with one that is not of our writing.
std::optional<InstanceRecord> ReadRecord(const shim::InstanceDir& dir);

struct FoundInstance {
  shim::InstanceDir dir;
  InstanceRecord record;
};
// All records below `dir`/instances, the longest known first.
std::vector<FoundInstance> FindInstances(const std::string& cell_dir);
std::string InstancesPath(const std::string& cell_dir);

}  // namespace baton::cell
