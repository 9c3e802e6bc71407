#include "orchestrator/server/upgrades_service.h"

#include "orchestrator/server/call_context.h"
#include "orchestrator/wire/values.h"

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

}  // namespace

grpc::ServerUnaryReactor* UpgradesService::Ask(grpc::CallbackServerContext& context, Upgrade::Wish wish,
                                               UpgradeWish how, v2::UpgradeResponse& response) {
  auto* reactor = context.DefaultReactor();
  if (const auto leading = s_.Admit(context); !leading) return Finish(context, *reactor, leading), reactor;
  s_.upgrade.Ask(wish, std::move(how), [this, &context, reactor, &response](const Result<UpgradeView>& view) {
    if (!view) return Finish(context, *reactor, view.error());
    Fill(*view, s_.data(), response);
    Finish(context, *reactor, Done{});
  });
  return reactor;
}

grpc::ServerUnaryReactor* UpgradesService::GetUpgrade(grpc::CallbackServerContext* context, const v2::GetUpgradeRequest*,
                                                      v2::UpgradeResponse* response) {
  return Ask(*context, Upgrade::Wish::kLook, {}, *response);
}

grpc::ServerUnaryReactor* UpgradesService::BeginUpgrade(grpc::CallbackServerContext* context,
                                                        const v2::BeginUpgradeRequest* request,
                                                        v2::UpgradeResponse* response) {
  return Ask(*context, Upgrade::Wish::kBegin,
             {.target = request->target(), .shards = request->shards(), .keep_old = request->keep_old_in_sync()},
             *response);
}

grpc::ServerUnaryReactor* UpgradesService::RollBackUpgrade(grpc::CallbackServerContext* context,
                                                           const v2::RollBackUpgradeRequest*,
                                                           v2::UpgradeResponse* response) {
  return Ask(*context, Upgrade::Wish::kRollBack, {}, *response);
}

grpc::ServerUnaryReactor* UpgradesService::FinishUpgrade(grpc::CallbackServerContext* context,
                                                         const v2::FinishUpgradeRequest*,
                                                         v2::UpgradeResponse* response) {
  return Ask(*context, Upgrade::Wish::kFinish, {}, *response);
}

}  // namespace baton
