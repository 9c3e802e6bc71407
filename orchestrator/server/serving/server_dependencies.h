// What every service needs: whether this process leads, and through what it reads and writes.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "orchestrator/app/leader/leader.h"
#include "orchestrator/model/fleet/member.h"
#include "orchestrator/model/fleet/upgrade.h"
#include "orchestrator/ports/lease.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/ports/registry.h"
#include "orchestrator/server/callers/client_version.h"
#include "orchestrator/server/calls/call_slots.h"
#include "orchestrator/server/serving/serving_state.h"
#include "orchestrator/wire/limits/field_limits.h"

namespace baton {

class AccessGate;
class ApiUsage;
class ConvergencePasses;
class EventHub;
class IdentityLimits;
class KeptLists;
class KeyRotation;
class RefusedWrites;
class RollHub;
class Upgrade;

inline constexpr int kListsMax = 24;  // each holds up to two pages; 1,000 apps of 4 KB are 7 MB there
inline constexpr int kPlansMax = 16;
inline constexpr int kForecastsMax = 2;  // pages ask for them by themselves: reads of others go on beside them
inline constexpr int kConvergenceRunsMax = 100;
inline constexpr int kKeyCallsMax = 16;

struct ServerDependencies {
  Leader& leader;
  Reads& reads;
  Log& log;
  Metrics& metrics;
  RollHub& hub;
  EventHub& events;
  ConvergencePasses& sweep;
  Registry& registry;
  KeyRotation& keys;
  Upgrade& upgrade;
  ApiUsage& usage;
  RefusedWrites& refused;
  int history;  // how many proven definitions before the active one are kept
  ServingState& serving;
  std::function<std::optional<LeaseView>()> who_leads;
  std::function<Member()> self;
  std::function<DataMode()> data;
  std::string app_version;
  std::function<Status(const std::string& url)> may_ask_verdict;
  std::atomic<int> subscribers{0};  // of events
  CallSlots lists{kListsMax, "lists"};
  CallSlots plans{kPlansMax, "plans"};
  CallSlots forecasts{kForecastsMax, "forecasts"};
  CallSlots convergence_runs{kConvergenceRunsMax, "convergence runs"};  // that wait for the same pass
  CallSlots key_calls{kKeyCallsMax, "calls of keys"};
  IdentityLimits* identity_limits = nullptr;  // of each caller; null: there are none
  KeptLists* kept_lists = nullptr;  // null: each list is read whole
  std::shared_ptr<AccessGate> gate = nullptr;  // null: no authentication, every caller is admin

  // UNAVAILABLE where this process takes no calls: with what it is about, and who leads.
  Status CheckLeading() const { return serving.Check(who_leads()); }
  // Who may call: the above, and then whether the client is not too new. In this order: a standby that is older than the leader
  // has to send the client on.
  Status Admit(grpc::CallbackServerContext& context) const {
    Status leading = CheckLeading();
    return leading ? CheckClient(context, app_version) : leading;
  }
  // The same, and whether the request is within its limits.
  Status Admit(grpc::CallbackServerContext& context, const google::protobuf::Message& request) const {
    Status admitted = Admit(context);
    return admitted ? wire::CheckLimits(request) : admitted;
  }
};

}  // namespace baton
