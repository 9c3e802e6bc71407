// baton admin begin-upgrade, upgrade-status, rollback, finish-upgrade: the data goes from one schema to the next while
// everything goes on (docs/guide/upgrades.md).
#include <utility>

#include "baton/v2/admin_service.grpc.pb.h"
#include "baton/v2/upgrades_service.grpc.pb.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/waiting/waiting.h"
#include "tools/words/table.h"
#include "tools/words/text.h"
#include "tools/words/times.h"

namespace baton::cli {
namespace {

std::string Shards(const v2::UpgradeResponse& u, bool ready) {
  std::string list;
  for (const auto& shard : u.shards()) {
    if (shard.ready() == ready) list += (list.empty() ? "" : ",") + std::to_string(shard.shard());
  }
  return list.empty() ? "none" : list;
}

bool AnyFailed(const v2::UpgradeResponse& u) {
  for (const auto& shard : u.shards()) {
    if (!shard.ready() && !shard.reason().empty()) return true;
  }
  return false;
}

bool Moves(const v2::UpgradeResponse& u) {
  return u.state().starts_with("SYNCING") || u.state().starts_with("SWITCHING");
}

// What an operator may do next.
std::string Next(const v2::UpgradeResponse& u) {
  if (u.state() == "NONE") return "the data is what this batond is built for; there is nothing to upgrade";
  if (u.state() == "WAITING") return "schema " + u.source() + " is served as it is; begin with: baton admin begin-upgrade";
  if (u.state() == "SWITCHED") {
    const std::string back = u.keep_old_in_sync() ? "go back with: baton admin rollback; " : "";
    return "schema " + u.target() + " counts; " + back + "let the older layout go with: baton admin finish-upgrade";
  }
  return u.state().ends_with("BACK") ? "on its way back to schema " + u.source()
                                     : "on its way to schema " + u.target() + "; give it up with: baton admin rollback";
}

std::string Line(const v2::UpgradeResponse& u) {
  std::string line = u.state();
  if (u.state() != "NONE") line += "  " + u.source() + " -> " + u.target() + ", " + u.current() + " counts";
  if (!u.shards().empty() && Moves(u)) line += "  ready " + Shards(u, true) + "  pending " + Shards(u, false);
  if (u.rows_left() > 0) line += "  " + std::to_string(u.rows_left()) + " of " + std::to_string(u.rows_total()) + " LRPs left";
  if (u.rows_left() > 0 && u.rows_per_s() > 0) {
    line += ", " + std::to_string(static_cast<std::int64_t>(u.rows_per_s())) + " a second, about " +
            HumanDuration(static_cast<std::int64_t>(1000 * static_cast<double>(u.rows_left()) / u.rows_per_s()));
  }
  if (u.write_stop_ms() > 0) line += "  writes stopped for " + std::to_string(u.write_stop_ms()) + " ms";
  return line;
}

void PrintUpgrade(Session& session, const v2::UpgradeResponse& u) {
  if (PrintedMessage(session, u)) return;
  session.io.out << Line(u) << "\n" << Next(u) << "\n";
  Table failed{{"SHARD", "WHY IT IS NOT READY; IT IS TRIED AGAIN"}, {}};
  for (const auto& shard : u.shards()) {
    if (!shard.ready() && !shard.reason().empty()) failed.rows.push_back({std::to_string(shard.shard()), OneLine(shard.reason())});
  }
  if (!failed.rows.empty()) session.io.out << Render(failed);
  if (!u.last_error().empty()) session.io.out << "last error: " << OneLine(u.last_error()) << "\n";
}

// Only who leads can answer, and a standby of an older version knows no such calls: it is asked who leads first.
template <class Request>
v2::UpgradeResponse AskUpgrades(Session& session, const char* what,
                                grpc::Status (v2::Upgrades::Stub::*method)(grpc::ClientContext*, const Request&,
                                                                           v2::UpgradeResponse*),
                                const Request& request) {
  session.api.connection().SayNothingOfData();  // that is what the answer is about
  const auto ping = session.api.Ask<v2::Admin>("ping", &v2::Admin::Stub::Ping, v2::PingRequest());
  if (!ping.available() && !ping.leader_address().empty()) session.api.connection().TryNextAddress(ping.leader_address());
  return session.api.Ask<v2::Upgrades>(what, method, request);
}

// Watches the upgrade until it ends or a shard fails, which needs an operator. The upgrade survives a restart of
// batond, and so does the watch.
int ShowUpgrade(Session& session, v2::UpgradeResponse u) {
  const bool for_people = !ForPrograms(session);
  Patience patience(session);
  for (std::string told; session.arguments.watch && Moves(u) && !AnyFailed(u);) {
    const std::string line = Line(u);
    if (for_people && std::exchange(told, line) != line) session.io.out << line << "\n" << std::flush;
    patience.Rest();
    if (TimeIsUp(session)) {
      EndUndone(session, {"the upgrade", line, patience.away(), [&] { return Next(u) + "\n"; }});
    }
    const auto seen = patience.Try(
        [&] { return AskUpgrades(session, "upgrade", &v2::Upgrades::Stub::GetUpgrade, v2::GetUpgradeRequest()); });
    if (seen) u = *seen;
  }
  PrintUpgrade(session, u);
  return AnyFailed(u) ? kFailed : kDone;
}

}  // namespace

int AdminUpgradeStatus(Session& session) {
  return ShowUpgrade(session,
                     AskUpgrades(session, "upgrade", &v2::Upgrades::Stub::GetUpgrade, v2::GetUpgradeRequest()));
}

int AdminBeginUpgrade(Session& session) {
  v2::BeginUpgradeRequest request;
  request.set_target(session.arguments.target);
  request.set_shards(session.arguments.shards);
  request.set_keep_old_in_sync(session.arguments.keep_old_in_sync);
  return ShowUpgrade(session, AskUpgrades(session, "upgrade", &v2::Upgrades::Stub::BeginUpgrade, request));
}

int AdminRollback(Session& session) {
  return ShowUpgrade(
      session, AskUpgrades(session, "rollback", &v2::Upgrades::Stub::RollBackUpgrade, v2::RollBackUpgradeRequest()));
}

int AdminFinishUpgrade(Session& session) {
  return ShowUpgrade(session,
                     AskUpgrades(session, "finish", &v2::Upgrades::Stub::FinishUpgrade, v2::FinishUpgradeRequest()));
}

}  // namespace baton::cli
