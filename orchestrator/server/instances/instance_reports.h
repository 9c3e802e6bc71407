// What cells and auctioneers say of one instance, as commands: a class for each. They name the instance by its id, or
// by its slot.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "baton/v2/actual_lrps_service.pb.h"
#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/apps/slot.h"
#include "orchestrator/ports/app_command.h"
#include "orchestrator/server/calls/api_call.h"
#include "orchestrator/server/cells/calling_cell.h"

namespace baton {

// The call that reports: who says it, and how it ends.
class ReportCall {
 public:
  // `guid`: of the app, and `subject`: "instance ID" where that is named in its place; as the request says them.
  ReportCall(ServerDependencies& dependencies, grpc::CallbackServerContext& context, const CallName& as,
             const std::string& guid, const std::string& subject);

  // Of its command, as far as the call says it.
  CommandHeader Header() const;
  void End(const Status& status) const;

 private:
  ServerDependencies* s_;
  grpc::CallbackServerContext* context_;
  grpc::ServerUnaryReactor* reactor_;  // asked for once more after the call has begun, gRPC makes another
  TimedCall timed_;
  // A cell and an auctioneer say what is so. An admin who says it wishes something of the instance, and that is kept.
  bool kept_;
  AuditEntry asked_;
};

struct ReportKind {
  CallName as;
  bool whole = false;            // it needs all rows of the app
  bool with_definition = false;  // else: it needs that of its instance
};

struct ReportParts {
  CommandHeader header;
  ReportCall call;
  InstanceRef ref;
  std::optional<SlotRef> slot;  // named by it, in place of `ref.id`
};

class InstanceReport : public AppCommand {
 public:
  void End(const Status& status) final { call_.End(status); }

 protected:
  explicit InstanceReport(ReportParts parts)
      : AppCommand(std::move(parts.header)), call_(std::move(parts.call)), ref_(std::move(parts.ref)),
        slot_(std::move(parts.slot)) {}

  const InstanceRef& ref() const { return ref_; }
  const std::optional<SlotRef>& slot() const { return slot_; }
  // Of who knows the slot alone: found, then decided as for everybody.
  Result<InstanceRef> Found(const AppState& app, Result<ActualId> (*find)(const AppState&, const SlotRef&)) const;

 private:
  const ReportCall call_;
  const InstanceRef ref_;
  const std::optional<SlotRef> slot_;
};

// One that is answered by whether it changed something.
class LifecycleReport : public InstanceReport {
 public:
  void Answer(const Decided& decided) final { response_.set_changed(decided.changed); }

 protected:
  LifecycleReport(ReportParts parts, v2::ActualLRPLifecycleResponse& response)
      : InstanceReport(std::move(parts)), response_(response) {}

 private:
  v2::ActualLRPLifecycleResponse& response_;
};

class ClaimReport final : public LifecycleReport {
 public:
  static constexpr ReportKind kKind{{"claim", "ActualLRPs/ClaimActualLRP"}};

  ClaimReport(ReportParts parts, v2::ActualLRPLifecycleResponse& response, std::optional<CallingCell> cell)
      : LifecycleReport(std::move(parts), response), cell_(std::move(cell)) {}
  Status Decide(AppEdit& edit) override;

 private:
  const std::optional<CallingCell> cell_;
};

class RunningReport final : public LifecycleReport {
 public:
  static constexpr ReportKind kKind{{"start", "ActualLRPs/StartActualLRP"}, /*whole=*/false, /*with_definition=*/true};

  RunningReport(ReportParts parts, v2::ActualLRPLifecycleResponse& response, StartReport report,
                std::optional<CallingCell> cell)
      : LifecycleReport(std::move(parts), response), report_(std::move(report)), cell_(std::move(cell)) {}
  Status Decide(AppEdit& edit) override;

 private:
  const StartReport report_;
  const std::optional<CallingCell> cell_;
};

class CrashReport final : public LifecycleReport {
 public:
  static constexpr ReportKind kKind{{"crash", "ActualLRPs/CrashActualLRP"}, /*whole=*/true};

  CrashReport(ReportParts parts, v2::ActualLRPLifecycleResponse& response, std::string reason)
      : LifecycleReport(std::move(parts), response), reason_(std::move(reason)) {}
  Status Decide(AppEdit& edit) override;

 private:
  const std::string reason_;
};

class FailReport final : public LifecycleReport {
 public:
  static constexpr ReportKind kKind{{"fail", "ActualLRPs/FailActualLRP"}};

  FailReport(ReportParts parts, v2::ActualLRPLifecycleResponse& response, std::string error,
             std::optional<CallingCell> cell)
      : LifecycleReport(std::move(parts), response), error_(std::move(error)), cell_(std::move(cell)) {}
  Status Decide(AppEdit& edit) override;

 private:
  const std::string error_;
  const std::optional<CallingCell> cell_;
};

class StoppedReport final : public LifecycleReport {
 public:
  static constexpr ReportKind kKind{{"stopped", "ActualLRPs/RemoveActualLRP"}, /*whole=*/true};

  StoppedReport(ReportParts parts, v2::ActualLRPLifecycleResponse& response, bool only_leaving)
      : LifecycleReport(std::move(parts), response), only_leaving_(only_leaving) {}
  Status Decide(AppEdit& edit) override;

 private:
  const bool only_leaving_;
};

// Its cell lets go of what is in a slot.
class EvacuationReport final : public InstanceReport {
 public:
  static constexpr ReportKind kKind{{"evacuate", "ActualLRPs/EvacuateActualLRP"}, /*whole=*/true};

  EvacuationReport(ReportParts parts, v2::EvacuateActualLRPResponse& response)
      : InstanceReport(std::move(parts)), response_(response) {}
  Status Decide(AppEdit& edit) override;

 private:
  v2::EvacuateActualLRPResponse& response_;
};

}  // namespace baton
