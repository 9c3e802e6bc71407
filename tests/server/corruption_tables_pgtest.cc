// Rows that are of no app: cells, domains, routers, who calls what, and who asked for what. One that is broken takes none of
// its neighbours out of its list, and stops no app.
#include <iostream>

#include "tests/server/corruption_fixture.h"

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
    {"route_consumers", "consumer_id",
     "(consumer_id, version, registered_at, lease_expires_at) VALUES (%, '1.0', now(), now() - interval '1 hour')"},
    {"api_usage", "caller", "(api_version, method, caller, calls, first_at, last_at) VALUES ('v2', 'Admin.Ping', %, 7, now(), now())"},
    {"audit", "actor",
     "(at, actor, method, process_guid, request_id, outcome) VALUES (now(), %, 'baton.v2.Admin/Ping', '', 'r', 'OK')"},
};

class CorruptionOfTables : public Corruption {
 protected:
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
  static std::string Mine(const Table& table) {
    return std::string(" WHERE ") + table.key + " NOT IN ('row-a', 'row-z') AND " + table.key +
           " IN (SELECT DISTINCT unnest(ARRAY['', '" + kBroken + "', repeat('x', 100000), E'\\x01\\x7f\\n\"']))";
  }
  void PutBackRowOf(const Table& table) {
    const std::string name = table.name;
    Sql("DELETE FROM " + name + Mine(table) + "; INSERT INTO " + name + " OVERRIDING SYSTEM VALUE SELECT * FROM kept_" + name +
        " WHERE " + table.key + " = '" + kBroken + "'");
  }
  std::vector<Column> ColumnsOf(const Table& table) {
    std::vector<Column> columns;
    for (const std::string& row :
         Ask("SELECT c.column_name || ' ' || replace(c.data_type, ' ', '_') || ' ' || c.udt_name FROM information_schema.columns c "
             "WHERE c.table_schema = 'public' AND c.table_name = '" + std::string(table.name) + "' ORDER BY 1")) {
      std::istringstream words(row);
      Column column{table.name, "", ""};
      std::string udt;
      words >> column.name >> column.type >> udt;
      if (column.type == "ARRAY") column.type = udt;
      columns.push_back(column);
    }
    return columns;
  }

  // Of each list the keys that it gives.
  std::map<std::string, Seen> ListEach() {
    std::map<std::string, Seen> all;
    v2::ListCellsResponse cells;
    Seen& of_cells = all["cells"];
    of_cells.status = service.cells->ListCells(Context().get(), {}, &cells);
    for (const auto& one : cells.cells()) of_cells.listed.insert(one.cell_id());
    v2::ListDomainsResponse domains;
    Seen& of_domains = all["domains"];
    of_domains.status = service.domains->ListDomains(Context().get(), {}, &domains);
    for (const auto& one : domains.domains()) of_domains.listed.insert(one.domain());
    v2::ListRouteConsumersResponse routers;
    Seen& of_routers = all["route_consumers"];
    of_routers.status = service.routes->ListRouteConsumers(Context().get(), {}, &routers);
    for (const auto& one : routers.consumers()) of_routers.listed.insert(one.consumer_id());
    v2::GetApiUsageResponse usage;
    Seen& of_usage = all["api_usage"];
    of_usage.status = service.admin->GetApiUsage(Context().get(), {}, &usage);
    for (const auto& one : usage.usage()) of_usage.listed.insert(one.caller());
    const auto context = Context();
    all["audit"] = List(service.admin->ListAudit(context.get(), {}), *context, [](const auto& page, Seen& seen) {
      for (const auto& one : page.entries()) seen.listed.insert(one.actor());
    });
    return all;
  }
};

TEST_F(CorruptionOfTables, OfOneRowHarmsNobodyElse) {
  int corruptions = 0, refused = 0;
  for (const Table& table : kTablesOfNoApp) {
    for (const Column& column : ColumnsOf(table)) {
      const auto ways = WaysOf().find(column.type);
      ASSERT_NE(ways, WaysOf().end()) << column.table << "." << column.name << " is a " << column.type;
      for (const Way& way : ways->second) {
        SCOPED_TRACE(column.table + "." + column.name + ": " + way.name);
        if (!Try("UPDATE " + column.table + " SET " + column.name + " = " + With(way.sql, column.name) + " WHERE " + table.key +
                 " = '" + kBroken + "'")) {
          ++refused;
          continue;
        }
        ++corruptions;
        for (const auto& [list, seen] : ListEach()) {
          EXPECT_TRUE(seen.status.ok()) << list << ": " << seen.status.error_message();
          for (const char* other : {"row-a", "row-z"}) EXPECT_TRUE(seen.listed.contains(other)) << list << " lost " << other;
        }
        for (const auto& [path, status] : AskOfAnother()) {
          EXPECT_TRUE(status.ok()) << path << ": " << status.error_message();
        }
        PutBackRowOf(table);
      }
    }
  }
  std::cout << "corruption of tables: " << corruptions << " corruptions (" << refused << " more the schema refuses)" << std::endl;
  EXPECT_GE(corruptions, 60);
}

}  // namespace
}  // namespace baton
