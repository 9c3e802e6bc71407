// Rows that are of no app: cells, domains, routers, batonds, who calls what, and who asked for what. One that is broken takes
// none of its neighbours out of its list, stops no app and no leader.
#include <iostream>

#include "orchestrator/model/calls/wire_names.h"
#include "tests/server/corruption_tables.h"

namespace baton {
namespace {

struct Table {
  const char* name;
  const char* key;
  const char* row;  // with % for its key
};
constexpr Table kTablesOfNoApp[] = {
    {"cells", "cell_id",
     "(cell_id, zone, address, memory_mb, disk_mb, pids, containers, stacks, placement_tags, abilities, enforces, version, "
     "first_seen_at, present_since, missing_since, draining_since, draining, lease_expires_at) VALUES (%, 'z1', '10.0.0.1:1', "
     "1024, 1024, 100, 10, '{s}', '{t}', '{output}', '{}', '1.0', now(), now(), NULL, now(), true, now() + interval '1 hour')"},
    {"domains", "domain", "(domain, expires_at) VALUES (%, now() + interval '1 hour')"},
    {"domain_egress", "domain", "(domain, unenforced) VALUES (%, 'warn')"},
    {"route_consumers", "consumer_id",
     "(consumer_id, version, registered_at, lease_expires_at) VALUES (%, '1.0', now(), now() - interval '1 hour')"},
    {"api_usage", "caller", "(api_version, method, caller, calls, first_at, last_at) VALUES ('v2', 'Admin.Ping', %, 7, now(), now())"},
    {"audit", "actor",
     "(at, actor, method, process_guid, request_id, outcome) VALUES (now(), %, 'baton.v2.Admin/Ping', '', 'r', 'OK')"},
    {"members", "id",
     "(id, address, schema, semver, app_version, state, why, started_at, seen_at) VALUES (%, '10.0.0.1:1', 1, '1.0.0', '1.0.0', "
     "'STANDBY', '', now(), now())"},
    {"key_quarantine", "row_key",
     "(table_name, column_name, row_key, reason, found_at) VALUES ('definitions', 'run_info', %, 'it does not open', now())"},
};

class CorruptionOfTables : public Corruption {
 protected:
  static batond::ServiceOptions AllMayBeLost() {
    batond::ServiceOptions options;
    options.losses.cells_percent = 100;
    return options;
  }
  CorruptionOfTables() : Corruption(AllMayBeLost()) {}
  void SetUp() override {
    Corruption::SetUp();
    for (const Table& table : kTablesOfNoApp) {
      for (const char* key : {"row-a", kBroken, "row-z"}) {
        Sql("INSERT INTO " + std::string(table.name) + " " + With(table.row, "'" + std::string(key) + "'"));
      }
      Sql("CREATE TABLE kept AS SELECT * FROM " + std::string(table.name));
      Sql("ALTER TABLE kept RENAME TO kept_" + std::string(table.name));
    }
  }
  void PutBackRowsOf(const Table& table) {
    const std::string name = table.name;
    const std::string named = std::string(" WHERE ") + table.key +
                              " IN (SELECT DISTINCT unnest(ARRAY['row-a', 'row-z', '', 'broken', repeat('x', 100000), E'\\x01\\x7f\\n\"']))";
    Sql("DELETE FROM " + name + named + "; INSERT INTO " + name + " OVERRIDING SYSTEM VALUE SELECT * FROM kept_" + name + named);
  }
  std::vector<Column> ColumnsOf(const Table& table) { return ColumnsWhere("c.table_name = '" + std::string(table.name) + "'"); }
  bool BreakOne(const Table& table, const Column& column, const Damage& way) {
    return Try("UPDATE " + column.table + " SET " + column.name + " = " + With(way.sql, column.name) + " WHERE " + table.key +
               " = '" + kBroken + "'");
  }

  // Of each list the keys that it gives.
  static std::map<std::string, Seen> ListEach(RunningService& of) {
    std::map<std::string, Seen> all;
    v2::ListCellsResponse cells;
    Seen& of_cells = all["cells"];
    of_cells.status = of.cells->ListCells(Context().get(), {}, &cells);
    for (const auto& one : cells.cells()) of_cells.listed.insert(one.cell_id());
    v2::ListDomainsResponse domains;
    Seen& of_domains = all["domains"];
    of_domains.status = of.domains->ListDomains(Context().get(), {}, &domains);
    for (const auto& one : domains.domains()) of_domains.listed.insert(one.domain());
    // Whoever decides something reads all that is decided.
    v2::SetDomainEgressRequest decide;
    decide.set_domain("probe");
    decide.set_unenforced("warn");
    v2::SetDomainEgressResponse egress;
    Seen& of_egress = all["domain_egress"];
    of_egress.status = of.domains->SetDomainEgress(Context().get(), decide, &egress);
    for (const auto& one : egress.egress()) of_egress.listed.insert(one.domain());
    v2::ListRouteConsumersResponse routers;
    Seen& of_routers = all["route_consumers"];
    of_routers.status = of.routes->ListRouteConsumers(Context().get(), {}, &routers);
    for (const auto& one : routers.consumers()) of_routers.listed.insert(one.consumer_id());
    v2::GetApiUsageResponse usage;
    Seen& of_usage = all["api_usage"];
    of_usage.status = of.admin->GetApiUsage(Context().get(), {}, &usage);
    for (const auto& one : usage.usage()) of_usage.listed.insert(one.caller());
    v2::VersionsResponse versions;
    Seen& of_members = all["members"];
    of_members.status = of.admin->Versions(Context().get(), {}, &versions);
    for (const auto& one : versions.batonds()) of_members.listed.insert(one.id());
    for (const char* cell : {"row-a", "row-z"}) {
      EXPECT_THAT(versions.cells(), ::testing::Contains(::testing::Property(&v2::CellVersion::cell_id, cell)))
          << "Versions lost it";
    }
    v2::KeysResponse keys;
    Seen& of_quarantine = all["key_quarantine"];
    of_quarantine.status = of.admin->Keys(Context().get(), {}, &keys);
    for (const auto& one : keys.quarantine()) of_quarantine.listed.insert(one.key());
    ReadPages<v2::ListAuditResponse>(all, "audit", [&](auto* c) { return of.admin->ListAudit(c, {}); },
                                     [](const auto& p) { return p.entries(); }, [](const auto& one) { return one.actor(); });
    return all;
  }
  static void ExpectOthersListed(RunningService& of) {
    for (const auto& [list, seen] : ListEach(of)) {
      EXPECT_TRUE(seen.status.ok()) << list << ": " << seen.status.error_message();
      for (const char* other : {"row-a", "row-z"}) EXPECT_TRUE(seen.listed.contains(other)) << list << " lost " << other;
    }
  }
};

TEST_F(CorruptionOfTables, EveryTableIsInOneOfTheTests) {
  std::set<std::string> known;
  for (const Table& table : kTablesOfNoApp) known.insert(table.name);
  for (const std::string& table : Tables()) known.insert(table);
  for (const ControlTable& table : kControlTables) known.insert(table.name);
  for (const std::string& table : Ask("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' "
                                      "AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'kept%'")) {
    EXPECT_TRUE(known.contains(table)) << "nobody breaks the rows of " << table;
  }
}

TEST_F(CorruptionOfTables, OfOneRowHarmsNobodyElse) {
  int corruptions = 0, refused = 0;
  for (const Table& table : kTablesOfNoApp) {
    for (const Column& column : ColumnsOf(table)) {
      const auto ways = WaysOf().find(column.type);
      ASSERT_NE(ways, WaysOf().end()) << column.table << "." << column.name << " is a " << column.type;
      for (const Damage& way : ways->second) {
        SCOPED_TRACE(column.table + "." + column.name + ": " + way.name);
        if (!BreakOne(table, column, way)) {
          ++refused;
          continue;
        }
        ++corruptions;
        ExpectOthersListed(service);
        for (const auto& [path, status] : AskOfAnother()) {
          EXPECT_TRUE(status.ok()) << path << ": " << status.error_message();
        }
        const Dump check = Dumped(/*check=*/true);
        EXPECT_EQ(check.code, 0) << check.out;
        PutBackRowsOf(table);
      }
    }
  }
  std::cout << "corruption of tables: " << corruptions << " corruptions (" << refused << " more the schema refuses)" << std::endl;
  EXPECT_GE(corruptions, 100);
}

// Each column in the same way at once, the key last.
TEST_F(CorruptionOfTables, ALeaderBeginsOverOneAndPlacesAndDeclaresTheOthersMissing) {
  service.Stop();
  int apps = 0;
  for (const Table& table : kTablesOfNoApp) {
    for (std::size_t number = 0; number < 5; ++number) {
      SCOPED_TRACE(std::string(table.name) + ", way " + std::to_string(number));
      std::string broken;
      for (const bool is_key : {false, true}) {
        for (const Column& column : ColumnsOf(table)) {
          const auto& ways = WaysOf().at(column.type);
          if ((column.name == table.key) != is_key || number >= ways.size()) continue;
          if (BreakOne(table, column, ways[number])) broken += " " + column.name + ": " + ways[number].name + ",";
        }
      }
      if (broken.empty()) continue;
      SCOPED_TRACE(broken);
      RunningService next(service.url(), AllMayBeLost());
      ASSERT_TRUE(Eventually([&] { return next.Serving(); }));
      ExpectOthersListed(next);
      ScriptedCell cell(next, "good");
      cell.Hello();
      cell.KeepBeating();
      const std::string app = "placed-" + std::to_string(++apps);
      ASSERT_TRUE(next.Desire(RunningService::SmallApp(app)).ok());
      EXPECT_NE(cell.NextRun().actual_id(), "");
      Sql("UPDATE cells SET lease_expires_at = now() - interval '1 hour' WHERE cell_id <> 'good'");
      v2::ConvergenceRequest run;
      run.set_run(true);
      v2::ConvergenceResponse report;
      const grpc::Status status = next.admin->Convergence(Context().get(), run, &report);
      EXPECT_TRUE(status.ok()) << status.error_message();
      EXPECT_EQ(report.failed(), 0) << report.last_failure();
      for (const char* other : {"row-a", "row-z"}) {
        EXPECT_TRUE(Exists(service.url(), "cells WHERE missing_since IS NOT NULL AND cell_id = '" + std::string(other) + "'"))
            << other << " is silent, and was not declared missing";
      }
      v2::RemoveDesiredLRPRequest remove;
      remove.set_process_guid(app);
      v2::RemoveDesiredLRPResponse removed;
      EXPECT_TRUE(next.apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
      next.Stop();
      for (const Table& each : kTablesOfNoApp) PutBackRowsOf(each);
    }
  }
}

// Nothing can be added to it, and nobody's calls were counted any more.
TEST_F(CorruptionOfTables, ACountThatIsTooLargeKeepsNoOtherFromBeingCounted) {
  Sql("UPDATE api_usage SET calls = 9223372036854775807 WHERE caller = 'broken'");
  const auto calls = [&](const std::string& caller) -> std::int64_t {
    v2::GetApiUsageResponse usage;
    EXPECT_TRUE(service.admin->GetApiUsage(Context().get(), {}, &usage).ok());
    for (const auto& one : usage.usage()) {
      if (one.caller() == caller) return one.calls();
    }
    return 0;
  };
  for (const char* caller : {kBroken, "row-a"}) {
    const auto context = Context();
    context->AddMetadata(kActorKey, caller);
    v2::PingResponse ping;
    ASSERT_TRUE(service.admin->Ping(context.get(), {}, &ping).ok());
  }
  EXPECT_EQ(calls("row-a"), 8);
  EXPECT_GT(calls(kBroken), std::int64_t{1} << 60);
}

}  // namespace
}  // namespace baton
