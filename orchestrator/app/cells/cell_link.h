// What passes between the leader and a cell, as values; the transport turns them into messages.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/base/time.h"
#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/definition.h"
#include "orchestrator/model/fleet/cell.h"
#include "orchestrator/model/fleet/lack.h"
#include "orchestrator/model/fleet/store_identity.h"
#include "orchestrator/model/id.h"
#include "orchestrator/model/route.h"

namespace baton {

struct CellInstanceView {
  ActualId id;
  InstanceGuid instance_guid;
  ProcessGuid guid;
  Resources resources;
  int host_ports = 0;
  bool claiming = false;  // its claim is not answered yet
};

struct CellGreeting {
  CellRecord record;
  std::vector<CellInstanceView> instances;
  std::int64_t highest_epoch = 0;
  std::string directory_id;  // empty: it cannot be told from another one of its name
  std::string key;           // of its certificate; empty: it has none
  std::string store_id;      // the store whose leaders it obeys; empty: none so far
};

struct Claimed {};
struct Started {
  NetInfo net_info;
  bool routable = false;
  std::string zone;
  Labels labels = {};
};
struct Crashed {
  std::string reason;
};
struct Stopped {};
struct Rejected {
  std::string reason;
  Lack lack = Lack::kOther;
};

struct CellReport {
  std::uint64_t report_id = 0;
  ActualId id;
  InstanceGuid instance_guid;
  std::variant<Claimed, Started, Crashed, Stopped, Rejected> fact;
};

enum class ReportOutcome { kApplied, kUnchanged, kRefused, kRetry };

struct ReportAnswer {
  std::uint64_t report_id = 0;
  ReportOutcome outcome = ReportOutcome::kApplied;
  std::string message;
};

struct RunInstance {
  ActualId id;
  ProcessGuid guid;
  std::string domain;
  std::int64_t incarnation = 0;
  int index = 0;
  Definition definition;
  Duration start_timeout{0};
  bool egress_unenforced = false;  // the operator lets it run there although its egress rules are not enforced
};

struct StopInstance {
  ActualId id;
  InstanceGuid instance_guid;
  Duration grace{0};
};

struct CellWelcome {
  Duration heartbeat{0};
  Duration lease{0};
  StoreIdentity store;
};

// For what an instance wrote: its last lines, or what came after an earlier answer's place.
struct OutputAsk {
  std::uint64_t id = 0;
  ActualId actual;
  InstanceGuid start;
  int lines = 0;
  std::string after;
};

struct CellOutput {
  std::uint64_t id = 0;  // of the ask
  std::string output = {};  // any bytes
  std::string place = {};
  bool more = false;
  bool lost = false;
  std::string error = {};  // empty: there is output
};

struct CellOrders {
  std::int64_t epoch = 0;
  std::optional<CellWelcome> welcome;  // in the first answer
  std::vector<RunInstance> run;
  std::vector<StopInstance> stop;
  std::vector<ReportAnswer> answers;
  std::vector<OutputAsk> output;
};

// A cell's stream, from the leader's side.
class CellLink {
 public:
  virtual ~CellLink() = default;
  // Never blocks. After the stream has ended it does nothing.
  virtual void Send(CellOrders orders) = 0;
  // Ends it; the cell looks for a leader again.
  virtual void End(const std::string& reason, ErrorKind kind = ErrorKind::kUnavailable) = 0;
};

}  // namespace baton
