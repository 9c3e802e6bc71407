// Tables for people fit 100 columns, whatever is in them.
#include "tools/words/table.h"

#include <google/protobuf/message.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tools/baton/views/listing.h"
#include "tools/baton/views/roll_table.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr std::int64_t kTableNow = 1'700'000'000'000'000'000;
constexpr char kLong[] = "0123456789abcdef0123456789abcdef-a-name-that-somebody-made-of-everything-he-knew, and some words, which end here";

// Every text long, every number great, every list with three in it.
void Fill(Message& message, int depth) {
  const auto& reflection = *message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *message.GetDescriptor()->field(i);
    const bool many = field.is_repeated() && !field.is_map();
    for (int n = 0; n < (field.is_map() ? 0 : many ? 3 : 1); ++n) {
      switch (field.cpp_type()) {
        case FieldDescriptor::CPPTYPE_MESSAGE:
          if (depth > 0) Fill(many ? *reflection.AddMessage(&message, &field) : *reflection.MutableMessage(&message, &field), depth - 1);
          break;
        case FieldDescriptor::CPPTYPE_STRING:
          many ? reflection.AddString(&message, &field, kLong) : reflection.SetString(&message, &field, kLong);
          break;
        case FieldDescriptor::CPPTYPE_INT32:
          if (!many) reflection.SetInt32(&message, &field, 99'999);
          break;
        case FieldDescriptor::CPPTYPE_INT64:
          if (!many) reflection.SetInt64(&message, &field, 999'999'999'999);
          break;
        case FieldDescriptor::CPPTYPE_BOOL:
          if (!many) reflection.SetBool(&message, &field, true);
          break;
        case FieldDescriptor::CPPTYPE_ENUM: {
          const auto* last = field.enum_type()->value(field.enum_type()->value_count() - 1);
          many ? reflection.AddEnum(&message, &field, last) : reflection.SetEnum(&message, &field, last);
          break;
        }
        default: break;
      }
    }
  }
}

template <class Filled>
Filled Full() {
  Filled message;
  Fill(message, 4);
  return message;
}

std::size_t Longest(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, Width(line));
  return longest;
}

TEST(Table, EachListFitsOneHundredColumnsWithLongValues) {
  const TableStyle style{.now = kTableNow};
  const auto rolls = Full<v2::ListRollsResponse>();
  const auto instances = Full<v2::ListActualLRPsResponse>();
  const auto definitions = Full<v2::ListDefinitionsResponse>();
  const std::vector<Table> tables{AppsTable(Full<v2::ListDesiredLRPsResponse>(), instances, rolls, style),
                                  InstancesTable(instances, style),
                                  CellsTable(Full<v2::ListCellsResponse>(), style),
                                  RollsTable(rolls, style),
                                  DefinitionsTable(definitions, style),
                                  ReasonsTable(definitions),
                                  SlotsTable(rolls.rolls(0), {.now = kTableNow})};
  for (const Table& table : tables) {
    EXPECT_GT(table.rows.size(), 2u) << table.header[1];
    EXPECT_LE(Longest(Render(table)), 100u) << Render(table);
  }
}

// An empty place would say nothing.
TEST(Table, ACellThatEnforcesNoLimitSaysSo) {
  v2::ListCellsResponse cells;
  cells.add_cells()->set_cell_id("accounts");
  auto& enforcing = *cells.add_cells();
  enforcing.set_cell_id("enforces");
  for (const char* limit : {"memory", "pids"}) enforcing.add_enforces(limit);
  const Table table = CellsTable(cells, {.now = kTableNow, .wide = true});
  const auto at = std::find(table.header.begin(), table.header.end(), "ENFORCES") - table.header.begin();
  ASSERT_LT(static_cast<std::size_t>(at), table.header.size());
  EXPECT_EQ(table.rows[0][static_cast<std::size_t>(at)], "none");
  EXPECT_EQ(table.rows[1][static_cast<std::size_t>(at)], "memory, pids");
}

TEST(Table, WhatIsOrdinaryStandsOnOneLineEach) {
  v2::ListRollsResponse rolls;
  auto& roll = *rolls.add_rolls();
  roll.set_roll_id("5abe2a7b-b0ef-44ca-8a14-89f0e8a36756");
  roll.set_process_guid("shop");
  roll.set_state(v2::ROLLING);
  roll.set_source_definition("v1");
  roll.set_target_definition("v2");
  roll.set_instances(3);
  roll.set_updated(1);
  roll.set_opened_at(kTableNow - 60'000'000'000);
  roll.set_actor("me@host");
  EXPECT_EQ(Render(RollsTable(rolls, {.now = kTableNow})),
            "ROLL                                  APP   STATE    FROM  TO  UPDATED  OPENED  TOOK  BY\n"
            "5abe2a7b-b0ef-44ca-8a14-89f0e8a36756  shop  ROLLING  v1    v2  1/3      1m ago  1m    me@host\n");
}

}  // namespace
}  // namespace baton::cli
