#include "tests/bench/many_apps.h"

#include <cstdio>

#include "orchestrator/base/check.h"
#include "tests/bench/shapes.h"
#include "tests/server/running_service.h"
#include "tests/server/scripted_cell.h"

namespace baton::bench {
namespace {

constexpr char kGuid[] = "''app-'' || lpad(n::text, 7, ''0'')";

std::string SeriesOf(const char* name, int from, int to) {
  return "generate_series(" + std::to_string(from) + ", " + std::to_string(to - 1) + ") AS " + name;
}

// Every column of a table but some, as rows of the template.
std::string Copies(const std::string& table, const std::string& own, const std::string& values,
                   const std::string& range) {
  return "DO $do$ DECLARE cols text; BEGIN SELECT string_agg(quote_ident(column_name), ', ') INTO cols FROM "
         "information_schema.columns WHERE table_name = '" +
         table + "' AND table_schema = 'public' AND column_name <> ALL (string_to_array('" + own +
         "', ', ')); EXECUTE format('INSERT INTO " + table + " (" + own + ", %1$s) SELECT " + values +
         ", %1$s FROM (SELECT * FROM " + table + " WHERE process_guid = ''template'') t, " + range +
         "', cols); END $do$;";
}

}  // namespace

void MakeTemplate(const std::string& url, v2::DesireLRPRequest app) {
  RunningService service(url);
  service.WaitForLead();
  ScriptedCell cell(service, "cell-0");
  for (const char* ability : kAbilities) cell.hello().add_abilities(ability);
  cell.Hello();
  app.mutable_desired_lrp()->mutable_strategy()->set_min_healthy_time_ms(0);
  CHECK(service.Desire(app).ok());
  const v2::RunOrder order = cell.NextRun();
  v2::CellReport started = ScriptedCell::Started(order.actual_id());
  started.mutable_started()->mutable_net_info()->clear_ports();  // the app has none
  for (const v2::CellReport& report : {ScriptedCell::Claimed(order.actual_id()), started}) {
    const auto result = cell.Report(report);
    const bool applied = result.outcome() == v2::CellReportResult::APPLIED;
    if (!applied) std::fprintf(stderr, "template: %s\n", result.message().c_str());
    CHECK(applied);
  }
  CHECK(Eventually([&] {
    v2::ListRollsResponse page;
    const auto context = Context();
    const auto stream = service.rolls->ListRolls(context.get(), {});
    const bool open = stream->Read(&page) && page.rolls_size() > 0;
    while (stream->Read(&page)) {
    }
    (void)stream->Finish();
    return !open;
  }));
}

void Clone(const std::string& url, int from, int to, int instances) {
  const std::string apps = SeriesOf("n", from, to);
  const std::string each = std::to_string(instances);
  const std::string number = "(n * " + each + " + k)";  // of an instance
  RunSql(
      url,
      "SET LOCAL session_replication_role = replica;" + Copies("definitions", "process_guid", kGuid, apps) +
      Copies("desired_lrps", "process_guid, instances", kGuid + (", " + each), apps) +
      Copies("actual_lrps", "process_guid, actual_id, cell_id, instance_index",
             kGuid + (", ''id-'' || n || CASE k WHEN 0 THEN '''' ELSE ''-'' || k END, ''cell-'' || (" + number +
                      " / 250), k"),
             apps + ", " + SeriesOf("k", 0, instances)) +
      "INSERT INTO cells (cell_id, zone, address, memory_mb, disk_mb, pids, containers, stacks, placement_tags, "
      "abilities, enforces, version, first_seen_at, lease_expires_at) SELECT 'cell-' || n, 'z' || n % 3, '', "
      "1000000, 1000000, 0, 1000, '{host:}', '{}', '{run,user,setup,monitor,egress_rules,cached_dependencies}', '{}', "
      "'', now(), now() + interval '1 day' "
      "FROM generate_series(" +
      std::to_string(std::int64_t{from} * instances / 250) + ", " + std::to_string(std::int64_t{to} * instances / 250) +
      ") AS n ON CONFLICT (cell_id) DO UPDATE SET lease_expires_at = EXCLUDED.lease_expires_at");
  VacuumAll(url);
}

void CloneRolls(DurablePostgres& postgres, int from, int to) {
  postgres.Sql("SET LOCAL session_replication_role = replica;" + Copies("roll_history", "process_guid, roll_id",
                                                                        kGuid + std::string(", ''roll-'' || n"),
                                                                        SeriesOf("n", from, to)));
  postgres.Vacuum();
}

}  // namespace baton::bench
