#include "tools/baton/views/listing.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tools/baton/views/joined.h"
#include "tools/baton/views/roll_table.h"
#include "tools/baton/views/words.h"
#include "tools/words/times.h"

namespace baton::cli {
namespace {

using Row = std::vector<std::string>;

std::string Dumped(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void Append(Row& row, const Row& more) { row.insert(row.end(), more.begin(), more.end()); }

void Widen(Table& table, const Row& more) {
  table.columns_max = 0;
  Append(table.header, more);
}

std::string DefinitionName(const std::string& definition, const TableStyle& style) {
  return style.wide ? definition : ShortDefinition(definition);
}

std::string YesNo(bool yes) { return yes ? "yes" : "no"; }

std::string FreeOf(std::int64_t available, std::int64_t capacity) {
  return (available <= 0 ? "0" : HumanMebibytes(available)) + "/" + HumanMebibytes(capacity);
}

// "shop.example:8080" for each name of the route, "tcp:1024:9000"; what is no route is there as it is.
std::vector<std::string> HttpWords(const nlohmann::json& route) {
  if (!route.is_object() || !route.contains("hostnames") || !route.contains("port")) return {Dumped(route)};
  std::vector<std::string> words;
  for (const auto& name : route["hostnames"]) {
    words.push_back((name.is_string() ? name.get<std::string>() : Dumped(name)) + ":" + Dumped(route["port"]));
  }
  return words;
}

std::vector<std::string> TcpWords(const nlohmann::json& route) {
  const bool is_route = route.is_object() && route.contains("external_port") && route.contains("container_port");
  if (!is_route) return {Dumped(route)};
  return {"tcp:" + Dumped(route["external_port"]) + ":" + Dumped(route["container_port"])};
}

std::string RollWords(const v2::Roll* roll) {
  if (!roll) return "";
  return StateName(roll->state()) + " " + std::to_string(roll->updated()) + "/" + std::to_string(roll->instances());
}

}  // namespace

std::string RouteWords(const v1::ProtoRoutes& routes) {
  std::vector<std::string> words;
  for (const auto& [router, bytes] :
       std::map<std::string, std::string>(routes.routes().begin(), routes.routes().end())) {
    const auto json = nlohmann::json::parse(bytes, nullptr, /*allow_exceptions=*/false);
    const bool known = router == "cf-router" || router == "tcp-router";
    if (!known || !json.is_array()) words.push_back(router);
    if (!known) continue;
    for (const auto& route : json.is_array() ? json : nlohmann::json::array()) {
      const auto named = router == "cf-router" ? HttpWords(route) : TcpWords(route);
      words.insert(words.end(), named.begin(), named.end());
    }
  }
  return Joined(words);
}

std::string PortWords(const v1::ActualLRPNetInfo& net_info) {
  std::vector<std::string> words;
  for (const auto& port : net_info.ports()) {
    words.push_back(net_info.address() + ":" + std::to_string(port.host_port()) + "->" +
                    std::to_string(port.container_port()));
  }
  return words.empty() ? net_info.address() : Joined(words);
}

namespace {

std::string ReasonWords(int reason) {
  switch (reason) {
    case v2::KEEP_REASON_ACTIVE: return "new instances are started from it";
    case v2::KEEP_REASON_HEALTHY: return "a failing roll goes back to it";
    case v2::KEEP_REASON_ROLL_SOURCE: return "the open roll goes from it";
    case v2::KEEP_REASON_ROLL_TARGET: return "the open roll goes to it";
    case v2::KEEP_REASON_INSTANCE: return "instances were started from it";
    case v2::KEEP_REASON_HISTORY: return "it is among the last proven ones: an update can be undone";
    case v2::KEEP_REASON_PINNED: return "somebody pinned it";
    default: return "reason " + std::to_string(reason) + ", which this version does not know";
  }
}

}  // namespace

Table ReasonsTable(const v2::ListDefinitionsResponse& definitions) {
  Table table{{"APP", "DEFINITION", "WHY IT IS KEPT"}, {}};
  for (const auto& definition : definitions.definitions()) {
    for (const int reason : definition.kept_because()) {
      std::string words = ReasonWords(reason);
      if (reason == v2::KEEP_REASON_INSTANCE) words = std::to_string(definition.instances()) + " " + words;
      table.rows.push_back({definition.process_guid(), definition.definition_identifier(), std::move(words)});
    }
    if (definition.kept_because().empty()) {
      table.rows.push_back({definition.process_guid(), definition.definition_identifier(),
                            "nothing: the next convergence pass collects it"});
    }
  }
  return table;
}

std::string KeptWords(const v2::Definition& definition) {
  std::vector<std::string> words;
  for (const int reason : definition.kept_because()) {
    const std::string name = v2::KeepReason_Name(static_cast<v2::KeepReason>(reason));
    words.push_back(name.starts_with("KEEP_REASON_") ? name.substr(12) : std::to_string(reason));
  }
  return Joined(words);
}

std::string SpreadWords(const v2::ListActualLRPsResponse& instances, const std::string& process_guid) {
  std::map<std::string, std::string> zone_of;  // one that starts has not said it yet, and others of its cell may have
  std::map<std::string, int> on_cell;
  for (const auto& lrp : instances.actual_lrps()) {
    const std::string& cell = lrp.instance_key().cell_id();
    if (cell.empty()) continue;
    if (!lrp.availability_zone().empty()) zone_of[cell] = lrp.availability_zone();
    if (lrp.process_guid() == process_guid && lrp.presence() != v2::RETIRING) ++on_cell[cell];
  }
  std::map<std::string, std::string> zones;
  for (const auto& [cell, count] : on_cell) {
    const auto zone = zone_of.find(cell);
    std::string& words = zones[zone == zone_of.end() ? "-" : zone->second];
    words += (words.empty() ? "" : ", ") + cell + " " + std::to_string(count);
  }
  std::string text;
  for (const auto& [zone, words] : zones) text += (text.empty() ? "" : "; ") + zone + ": " + words;
  return text;
}

Table AppsTable(const v2::ListDesiredLRPsResponse& apps, const v2::ListActualLRPsResponse& instances,
                const v2::ListRollsResponse& open_rolls, const TableStyle& style) {
  std::map<std::string, std::set<int>> serving;
  for (const auto& lrp : instances.actual_lrps()) {
    if (lrp.routable() && lrp.presence() != v2::RETIRING) serving[lrp.process_guid()].insert(lrp.index());
  }
  std::map<std::string, const v2::Roll*> rolls;
  for (const auto& roll : open_rolls.rolls()) rolls[roll.process_guid()] = &roll;
  Table table{{"APP", "DOMAIN", "READY", "DEFINITION", "ROLL", "ROUTES"}, {}};
  if (style.wide) Widen(table, {"HEALTHY", "ROLL ID", "MEMORY", "DISK", "ROOT FS", "SPREAD", "ANNOTATION"});
  for (const auto& app : apps.desired_lrps()) {
    const auto roll = rolls.find(app.process_guid());
    const auto& resource = app.definition().resource();
    Row row{app.process_guid(),
            app.domain(),
            std::to_string(serving[app.process_guid()].size()) + "/" + std::to_string(app.instances()),
            DefinitionName(app.active_definition(), style),
            RollWords(roll == rolls.end() ? nullptr : roll->second),
            RouteWords(app.routes())};
    if (style.wide) {
      Append(row, {app.healthy_definition(), app.roll_id(), HumanMebibytes(resource.memory_mb()),
                   HumanMebibytes(resource.disk_mb()), resource.root_fs(), SpreadWords(instances, app.process_guid()),
                   app.annotation()});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table InstancesTable(const v2::ListActualLRPsResponse& instances, const TableStyle& style) {
  Table table{{"APP", "SLOT", "PRESENCE", "STATE", "READY", "DEFINITION", "CELL", "CRASHES", "AGE"}, {}};
  if (style.wide) Widen(table, {"ID", "PORTS", "ZONE", "ROLL", "INSTANCE GUID", "CRASH REASON", "PLACEMENT ERROR"});
  for (const auto& lrp : instances.actual_lrps()) {
    Row row{lrp.process_guid(),           std::to_string(lrp.index()),
            PresenceName(lrp.presence()), lrp.state(),
            YesNo(lrp.routable()),        DefinitionName(lrp.definition_identifier(), style),
            lrp.instance_key().cell_id(), std::to_string(lrp.crash_count()),
            Age(lrp.since(), style.now)};
    if (style.wide) {
      Append(row, {lrp.actual_id(), PortWords(lrp.net_info()), lrp.availability_zone(), lrp.roll_id(),
                   lrp.instance_key().instance_guid(), lrp.crash_reason(), lrp.placement_error()});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

namespace {

std::string DrainWords(const v2::Cell& cell) {
  if (!cell.draining()) return "";
  const int all = std::max(cell.draining_from(), cell.instances());
  return std::to_string(all - cell.instances()) + " of " + std::to_string(all) + " are gone";
}

}  // namespace

std::string DrainBar(const v2::Cell& cell) {
  if (!cell.draining()) return "";
  const int all = std::max(cell.draining_from(), cell.instances());
  return Bar(all - cell.instances(), all, 20) + " " + DrainWords(cell);
}

Table CellsTable(const v2::ListCellsResponse& cells, const TableStyle& style) {
  Table table{{"CELL", "ZONE", "STATE", "CONNECTED", "INSTANCES", "FREE MEMORY", "FREE DISK", "DRAINED"}, {}};
  if (style.wide) Widen(table, {"VERSION", "EPOCH", "LOSSES", "ADDRESS", "LEASE LEFT", "STACKS", "TAGS", "ENFORCES", "ABILITIES"});
  for (const auto& cell : cells.cells()) {
    Row row{cell.cell_id(),
            cell.zone(),
            cell.state() + (cell.draining() ? ",DRAINING" : "") + (cell.held_off().empty() ? "" : ",HELD_OFF"),
            YesNo(cell.connected()),
            std::to_string(cell.instances()),
            FreeOf(cell.available().memory_mb(), cell.capacity().memory_mb()),
            FreeOf(cell.available().disk_mb(), cell.capacity().disk_mb()),
            DrainWords(cell)};
    if (style.wide) {
      Append(row, {cell.version(), std::to_string(cell.epoch()), std::to_string(cell.losses()), cell.address(),
                   Age(style.now, cell.lease_expires_at()), Joined(cell.stacks()), Joined(cell.placement_tags()),
                   cell.enforces().empty() ? "none" : Joined(cell.enforces()), Joined(cell.abilities())});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table RoutersTable(const v2::ListRouteConsumersResponse& routers, const TableStyle& style) {
  Table table{{"ROUTER", "CONNECTED", "LEASE LEFT", "IN STEP", "NOT APPLIED", "HEARD OF", "VERSION"}, {}};
  for (const auto& router : routers.consumers()) {
    const std::string unknown = "-";  // to a leader that it has no stream to
    table.rows.push_back({router.consumer_id(), YesNo(router.connected()),
                          router.lease_runs() ? Age(style.now, router.lease_expires_at()) : "ended",
                          router.connected() ? YesNo(router.in_step()) : unknown,
                          router.connected() ? std::to_string(router.unacknowledged()) : unknown,
                          Age(router.heard_at(), style.now) + " ago", router.version()});
  }
  return table;
}

Table RollsTable(const v2::ListRollsResponse& rolls, const TableStyle& style) {
  Table table{{"ROLL", "APP", "STATE", "FROM", "TO", "UPDATED", "OPENED", "TOOK", "BY"}, {}};
  if (style.wide) Widen(table, {"ACTIVE", "WAITED", "SERVED", "FAILED ATTEMPTS", "REASON"});
  for (const auto& roll : rolls.rolls()) {
    const bool open = roll.finished_at() == 0;
    const std::string of = "/" + std::to_string(roll.instances());
    Row row{roll.roll_id(),
            roll.process_guid(),
            StateName(roll.state()),
            DefinitionName(roll.source_definition(), style),
            DefinitionName(roll.target_definition(), style),
            open ? std::to_string(roll.updated()) + of : "",
            Age(roll.opened_at(), style.now) + " ago",
            Age(roll.opened_at(), open ? style.now : roll.finished_at()),
            roll.actor()};
    if (style.wide) {
      Append(row,
             {HumanDuration(roll.active_ms()), HumanDuration(roll.waiting_ms()),
              open ? std::to_string(roll.served()) + of : "", std::to_string(roll.failed_attempts()), roll.reason()});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table DefinitionsTable(const v2::ListDefinitionsResponse& definitions, const TableStyle& style) {
  Table table{{"APP", "DEFINITION", "HASH", "INSTANCES", "PROVEN", "AGE", "KEPT BECAUSE"}, {}};
  if (style.wide) Widen(table, {"INCARNATION", "SIZE", "PINNED"});
  for (const auto& definition : definitions.definitions()) {
    Row row{definition.process_guid(),
            definition.definition_identifier(),
            style.wide ? definition.content_hash() : ShortDefinition(definition.content_hash()),
            std::to_string(definition.instances()),
            definition.proven_at() == 0 ? "no" : "yes",
            Age(definition.created_at(), style.now),
            KeptWords(definition)};
    if (style.wide) {
      Append(row, {std::to_string(definition.incarnation()), std::to_string(definition.size_bytes()) + "B",
                   YesNo(definition.pinned())});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace baton::cli
