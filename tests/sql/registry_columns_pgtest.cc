// Every column of a cell's, a router's and a domain's row is stored, by the statement that inserts and by the one that
// updates. The database is asked which columns there are, so that a new one is looked at by itself.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "sql/registry/pg_registry.h"
#include "tests/schema/pg_tools.h"
#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

using ::testing::UnorderedElementsAre;

const CellId kCell("cell-1");

// No two numbers give a field the same value.
CellRecord Cell(int number) {
  const std::string n = std::to_string(number);
  CellRecord cell;
  cell.id = kCell;
  cell.zone = "zone-" + n;
  cell.address = "10.0.0." + n;
  cell.capacity = {.memory_mb = number, .disk_mb = number + 10, .pids = number + 20, .containers = number + 30};
  cell.stacks = {"stack-" + n, "docker:"};
  cell.placement_tags = {"tag-" + n};
  cell.abilities = {"ability-" + n};
  cell.enforces = {"rule-" + n};
  cell.version = "1." + n + ".0";
  return cell;
}

class RegistryColumns : public PgStoreTest {
 protected:
  RegistryColumns() { registry_.Lead({"leader", 1}); }
  ~RegistryColumns() override { registry_.Stop(); }

  // Waits for the answer.
  template <class Call>
  void Ask(Call call) {
    std::promise<Status> answer;
    call([&](const Status& status) { answer.set_value(status); });
    const Status status = answer.get_future().get();
    ASSERT_TRUE(status) << status.error().message;
  }
  void Register(const CellRecord& cell) {
    Ask([&](Registry::Answer done) { registry_.RegisterCell(cell, seconds(10), std::move(done)); });
  }
  nlohmann::json Row(const std::string& table) {
    return nlohmann::json::parse(baton::testing::Psql(direct_url_, "SELECT to_jsonb(t) FROM " + table + " AS t"));
  }
  // Which columns have another value after it.
  template <class Change>
  std::set<std::string> ChangedBy(const std::string& table, Change change) {
    const nlohmann::json before = Row(table);
    change();
    const nlohmann::json after = Row(table);
    std::set<std::string> changed;
    for (const auto& [column, value] : after.items()) {
      if (before.at(column) != value) changed.insert(column);
    }
    return changed;
  }
  void Sql(const std::string& script) { baton::testing::Psql(direct_url_, script); }

  PgRegistry registry_{direct_url_, log_};
};

TEST_F(RegistryColumns, ACellThatRegistersAgainIsWhatItSaysNow) {
  Register(Cell(1));
  EXPECT_THAT(ChangedBy("cells", [&] { Register(Cell(2)); }),
              UnorderedElementsAre("zone", "address", "memory_mb", "disk_mb", "pids", "containers", "stacks",
                                   "placement_tags", "abilities", "enforces", "version", "lease_expires_at", "epoch"));
  const nlohmann::json row = Row("cells");
  EXPECT_EQ(row["zone"], "zone-2");
  EXPECT_EQ(row["address"], "10.0.0.2");
  EXPECT_EQ(row["memory_mb"], 2);
  EXPECT_EQ(row["disk_mb"], 12);
  EXPECT_EQ(row["pids"], 22);
  EXPECT_EQ(row["containers"], 32);
  EXPECT_EQ(row["stacks"], nlohmann::json({"stack-2", "docker:"}));
  EXPECT_EQ(row["placement_tags"], nlohmann::json({"tag-2"}));
  EXPECT_EQ(row["abilities"], nlohmann::json({"ability-2"}));
  EXPECT_EQ(row["enforces"], nlohmann::json({"rule-2"}));
  EXPECT_EQ(row["version"], "1.2.0");
  EXPECT_EQ(row["epoch"], 2);
}

TEST_F(RegistryColumns, EveryOtherOneOfACellIsWrittenByWhatBefallsIt) {
  Register(Cell(1));
  const auto drain = [&](bool draining) {
    Ask([&](Registry::Answer done) { registry_.SetDraining(kCell, draining, {}, std::move(done)); });
  };
  std::set<std::string> met = {"cell_id", "first_seen_at"};  // which never change
  met.merge(ChangedBy("cells", [&] { Register(Cell(2)); }));
  EXPECT_THAT(ChangedBy("cells", [&] { drain(true); }), UnorderedElementsAre("draining", "draining_since"));
  EXPECT_THAT(ChangedBy("cells", [&] { drain(false); }), UnorderedElementsAre("draining", "draining_since"));
  Sql("UPDATE cells SET lease_expires_at = now() - interval '1 second'");
  const auto lose = [&] {
    Ask([&](Registry::Answer done) {
      registry_.JudgeCells(
          [](const auto&, TimePoint) { return CellJudgement{.missing = {kCell}, .waited_out = {}}; },
          [done](const Result<CellJudgement>& judged) { done(judged ? Status(Done{}) : judged.error()); });
    });
  };
  EXPECT_THAT(ChangedBy("cells", lose), UnorderedElementsAre("missing_since", "losses"));
  const std::set<std::string> back = ChangedBy("cells", [&] { Register(Cell(2)); });
  EXPECT_THAT(back, UnorderedElementsAre("missing_since", "present_since", "lease_expires_at", "epoch"));
  met.insert({"draining", "draining_since", "draining_from", "missing_since", "losses", "present_since"});
  const nlohmann::json row = Row("cells");
  for (const auto& [column, value] : row.items()) {
    EXPECT_TRUE(met.contains(column)) << "cells." << column << ": what writes it?";
  }
}

TEST_F(RegistryColumns, OfARouterAndADomain) {
  std::optional<bool> known;
  const auto consumer = [&](const std::string& version) {
    Ask([&](Registry::Answer done) {
      registry_.RegisterConsumer(ConsumerId("router-1"), version, seconds(10), [&known, done](const auto& registered) {
        if (registered) known = registered->known;
        done(registered ? Status(Done{}) : registered.error());
      });
    });
  };
  consumer("1.0.0");
  EXPECT_EQ(known, false) << "it came for the first time";
  EXPECT_THAT(ChangedBy("route_consumers", [&] { consumer("2.0.0"); }),
              UnorderedElementsAre("version", "lease_expires_at"));
  EXPECT_EQ(Row("route_consumers")["version"], "2.0.0");
  EXPECT_EQ(known, true);
  const auto domain = [&](std::optional<Duration> ttl) {
    Ask([&](Registry::Answer done) {
      registry_.UpsertDomain("cf", ttl, {},
                             [done](const Result<DomainRecord>& said) { done(said ? Status(Done{}) : said.error()); });
    });
  };
  domain(seconds(60));
  EXPECT_THAT(ChangedBy("domains", [&] { domain(seconds(600)); }), UnorderedElementsAre("expires_at"));
  EXPECT_THAT(ChangedBy("domains", [&] { domain(std::nullopt); }), UnorderedElementsAre("expires_at"));
  EXPECT_TRUE(Row("domains")["expires_at"].is_null());
}

}  // namespace
}  // namespace baton
