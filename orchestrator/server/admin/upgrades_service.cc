// The service Upgrades: the online upgrade of the data, as operators ask for it.
#include "orchestrator/server/serving/services.h"

#include "baton/v2/upgrades_service.grpc.pb.h"
#include "orchestrator/app/leader/upgrade.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/calls/operator_call.h"
#include "orchestrator/server/serving/server_dependencies.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

void Fill(const UpgradeView& view, const DataMode& data, v2::UpgradeResponse& m) {
  m.set_state(std::string(Name(view.state)));
  m.set_source(view.source_semver);
  m.set_target(view.target_semver);
  m.set_current(data.semver);
  for (const UpgradeShard& one : view.shards) {
    v2::UpgradeShard& shard = *m.add_shards();
    shard.set_shard(one.shard);
    shard.set_ready(one.ready);
    shard.set_reason(one.reason);
    shard.set_rows_left(one.rows_left);
  }
  m.set_rows_total(view.rows_total);
  m.set_rows_left(view.rows_left);
  m.set_rows_per_s(view.rows_per_s);
  m.set_keep_old_in_sync(view.keep_old);
  m.set_both_in_step(view.both_in_step);
  m.set_write_stop_ms(view.write_stop_ms);
  m.set_changed_at(wire::Nanos(view.changed_at));
  m.set_last_error(view.last_error);
}

class UpgradesService final : public v2::Upgrades::CallbackService {
 public:
  explicit UpgradesService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerUnaryReactor* GetUpgrade(grpc::CallbackServerContext* context, const v2::GetUpgradeRequest* request,
                                       v2::UpgradeResponse* response) override {
    auto* reactor = context->DefaultReactor();
    const auto end = TimedEnd(s_, *context, "get_upgrade");
    if (const auto leading = s_.Admit(*context, *request); !leading) return end(leading), reactor;
    s_.upgrade.Ask(Upgrade::Wish::kLook, {}, [this, end, response](const Result<UpgradeView>& view) {
      if (!view) return end(view.error());
      Fill(*view, s_.data(), *response);
      end(Done{});
    });
    return reactor;
  }

  grpc::ServerUnaryReactor* BeginUpgrade(grpc::CallbackServerContext* context, const v2::BeginUpgradeRequest* request,
                                         v2::UpgradeResponse* response) override {
    return Change(*context, {"begin_upgrade", "Upgrades/BeginUpgrade"}, *request, Upgrade::Wish::kBegin,
                  {.target = request->target(), .shards = request->shards(), .keep_old = request->keep_old_in_sync()},
                  *response);
  }

  grpc::ServerUnaryReactor* RollBackUpgrade(grpc::CallbackServerContext* context,
                                            const v2::RollBackUpgradeRequest* request,
                                            v2::UpgradeResponse* response) override {
    return Change(*context, {"roll_back_upgrade", "Upgrades/RollBackUpgrade"}, *request, Upgrade::Wish::kRollBack, {},
                  *response);
  }

  grpc::ServerUnaryReactor* FinishUpgrade(grpc::CallbackServerContext* context, const v2::FinishUpgradeRequest* request,
                                          v2::UpgradeResponse* response) override {
    return Change(*context, {"finish_upgrade", "Upgrades/FinishUpgrade"}, *request, Upgrade::Wish::kFinish, {},
                  *response);
  }

 private:
  // What it changes are the tables themselves, in several transactions.
  grpc::ServerUnaryReactor* Change(grpc::CallbackServerContext& context, const CallName& as,
                                   const google::protobuf::Message& request, Upgrade::Wish wish, UpgradeWish how,
                                   v2::UpgradeResponse& response) {
    auto* reactor = context.DefaultReactor();
    const OperatorCall call(s_, context, as, how.target.empty() ? "schema" : "schema " + how.target);
    if (const auto leading = s_.Admit(context, request); !leading) return call.End(leading), reactor;
    s_.upgrade.Ask(wish, std::move(how), [this, call, &response](const Result<UpgradeView>& view) {
      if (!view) return call.End(view.error());
      Fill(*view, s_.data(), response);
      call.EndWritingDown(Done{}, view->target_semver.empty() ? "" : "schema " + view->target_semver);
    });
    return reactor;
  }

  ServerDependencies& s_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeUpgradesService(ServerDependencies& dependencies) {
  return std::make_unique<UpgradesService>(dependencies);
}

}  // namespace baton
