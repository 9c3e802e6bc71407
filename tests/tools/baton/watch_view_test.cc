// The picture of a roll that is watched.
#include "tools/baton/waiting/watch_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tools/baton/views/roll_table.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t kWatchSecond = 1'000'000'000;
constexpr std::int64_t kOpened = 1'700'000'000 * kWatchSecond;

v2::RollStep Step(std::int64_t sequence, const std::string& kind, int index) {
  v2::RollStep step;
  step.set_sequence(sequence);
  step.set_at(kOpened + sequence * kWatchSecond);
  step.set_kind(kind);
  step.set_index(index);
  step.set_definition_identifier("v2");
  step.set_text("because\nof \x1b[31m this");
  return step;
}

void AddInstance(v2::Slot& slot, const std::string& definition, v2::Presence presence) {
  auto& lrp = *slot.add_instances();
  lrp.set_definition_identifier(definition);
  lrp.set_presence(presence);
  lrp.set_state("RUNNING");
  lrp.mutable_instance_key()->set_cell_id("cell-1");
  lrp.set_routable(true);
  lrp.set_routable_since(kOpened);
}

// `updated` slots are done, the next one is in change, the others are to come.
v2::WatchRollResponse Rolling(int slots, int updated) {
  v2::WatchRollResponse response;
  auto& roll = *response.mutable_roll();
  roll.set_roll_id("5abe2a7b-b0ef-44ca-8a14-89f0e8a36756");
  roll.set_process_guid("shop");
  roll.set_source_definition("v1");
  roll.set_target_definition("v2");
  roll.set_state(v2::ROLLING);
  roll.set_revision(7);
  roll.set_opened_at(kOpened);
  roll.set_instances(slots);
  roll.set_served(slots);
  roll.set_updated(updated);
  roll.set_in_flight(1);
  for (int i = 0; i < slots; ++i) {
    auto& slot = *roll.add_slots();
    slot.set_index(i);
    slot.set_served(true);
    slot.set_updated(i < updated);
    AddInstance(slot, i < updated ? "v2" : "v1", v2::ORDINARY);
    if (i != updated) continue;
    AddInstance(slot, "v2", v2::SURGE);
    slot.mutable_waits_for()->set_rule("prove.min_healthy_time");
    slot.mutable_waits_for()->set_text("it is routable; min_healthy_time is 2000 ms");
    slot.mutable_waits_for()->set_until(kOpened + 10 * kWatchSecond);
  }
  *response.add_steps() = Step(1, "opened", -1);
  *response.add_steps() = Step(2, "surged", updated);
  return response;
}

std::string Drawn(const v2::WatchRollResponse& response, const Screen& screen) {
  WatchedRoll watched;
  watched.Take(response);
  return Paint(Picture(watched, kOpened + 9 * kWatchSecond, screen, false), screen);
}

TEST(WatchView, ShowsOldAndNewTheBarAndWhatIsWaitedFor) {
  EXPECT_EQ(Drawn(Rolling(3, 1), {.columns = 140, .rows = 24}),
            "shop  v1 -> v2  roll 5abe2a7b-b0ef-44ca-8a14-89f0e8a36756\n"
            "ROLLING 9s  [##########--------------------] 1/3 updated, 3 served, 1 in flight\n"
            "\n"
            "SLOT  OLD                      NEW                            WAITS FOR\n"
            "0     -                        RUNNING cell-1 ready 9s        done\n"
            "1     RUNNING cell-1 ready 9s  surge RUNNING cell-1 ready 9s  it is routable; min_healthy_time is 2000 ms "
            "(1s left)\n"
            "2     RUNNING cell-1 ready 9s  -                              -\n"
            "\n"
            "22:13:21 +1s opened v2: because / of ?[31m this\n"
            "22:13:22 +2s slot 1 surged v2: because / of ?[31m this\n");
}

TEST(WatchView, NeverIsLargerThanTheScreen) {
  for (const int slots : {1, 3, 40, 500}) {
    for (const int columns : {1, 20, 80, 200}) {
      for (const int rows : {3, 8, 24, 60}) {
        std::istringstream lines(Drawn(Rolling(slots, slots / 2), {.columns = columns, .rows = rows}));
        int count = 0;
        for (std::string line; std::getline(lines, line); ++count) {
          EXPECT_LE(Width(line), static_cast<std::size_t>(columns)) << line;
        }
        EXPECT_LT(count, rows) << slots << " slots";
      }
    }
  }
}

TEST(WatchView, OfManySlotsThoseInChangeAreShown) {
  const std::string picture = Drawn(Rolling(500, 250), {.columns = 120, .rows = 12});
  EXPECT_THAT(picture, HasSubstr("\n250 "));
  EXPECT_THAT(picture, HasSubstr("of them are done"));
}

// At 80x24 the column with the reasons was cut after a few words.
TEST(WatchView, TheWholeReasonOfTheSlotThatMattersMostIsShown) {
  v2::WatchRollResponse response = Rolling(40, 10);
  auto& slot = *response.mutable_roll()->mutable_slots(20);
  slot.set_served(false);
  slot.mutable_waits_for()->set_rule("repair.placement");
  slot.mutable_waits_for()->set_text(
      "it has no instance: found no compatible cell, insufficient memory on 3 of 3 cells: 512 MiB wanted, 100 free on cell-1, "
      "96 on cell-2, none on cell-3");
  EXPECT_THAT(Drawn(response, {.columns = 80, .rows = 24}),
              HasSubstr("\n\nslot 20 waits: it has no instance: found no compatible cell, insufficient memory\n"
                        "on 3 of 3 cells: 512 MiB wanted, 100 free on cell-1, 96 on cell-2, none on\ncell-3\n\n22:13:21 +1s opened"));
  EXPECT_THAT(Drawn(Rolling(3, 1), {.columns = 80, .rows = 24}),
              HasSubstr("\nslot 1 waits: it is routable; min_healthy_time is 2000 ms (1s left)\n"));
  EXPECT_THAT(Drawn(Rolling(3, 1), {.columns = 140, .rows = 24}), Not(HasSubstr("slot 1 waits")));
}

TEST(WatchView, TheWholeReasonOfARollThatIsHeldIsShown) {
  v2::WatchRollResponse response = Rolling(3, 1);
  response.mutable_roll()->set_state(v2::HELD);
  response.mutable_roll()->set_reason("slot 1 failed 3 times: exit status 1, the last words were: cannot bind port 8080, it is taken already");
  EXPECT_THAT(Drawn(response, {.columns = 80, .rows = 24}), HasSubstr("\n8080, it is taken already\n"));
}

TEST(WatchView, ColoursAreOnlyThereWhereTheyAreWanted) {
  EXPECT_THAT(Drawn(Rolling(3, 1), {.columns = 80, .rows = 24}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(Drawn(Rolling(3, 1), {.columns = 80, .rows = 24, .colour = true}), HasSubstr("\x1b[1mROLLING\x1b[0m"));
}

TEST(WatchView, AStepIsToldOnceAlsoAfterAReconnect) {
  WatchedRoll watched;
  EXPECT_EQ(watched.Take(Rolling(3, 1)).size(), 2u);
  EXPECT_EQ(watched.Take(Rolling(3, 1)).size(), 0u);
  EXPECT_EQ(watched.after_sequence(), 2);
  v2::WatchRollResponse older = Rolling(3, 0);
  older.mutable_roll()->set_revision(6);
  watched.Take(older);
  EXPECT_EQ(watched.roll().updated(), 1) << "another batond that knows less for a moment";
}

TEST(WatchView, AFinishedRollKeepsItsCount) {
  WatchedRoll watched;
  watched.Take(Rolling(3, 2));
  v2::WatchRollResponse end = Rolling(0, 0);
  end.mutable_roll()->set_state(v2::COMPLETED);
  end.mutable_roll()->set_revision(9);
  end.mutable_roll()->set_finished_at(kOpened + 6 * kWatchSecond);
  watched.Take(end);
  const Screen screen{.columns = 120, .rows = 24};
  EXPECT_THAT(Paint(Picture(watched, kOpened + 99 * kWatchSecond, screen, false), screen),
              HasSubstr("COMPLETED 6s  [##############################] 3/3 updated"));
}

TEST(WatchView, GoingBackTheSourceIsTheNewOne) {
  v2::WatchRollResponse response = Rolling(2, 1);
  response.mutable_roll()->set_state(v2::ROLLING_BACK);
  EXPECT_EQ(GoesTo(response.roll()), "v1");
  EXPECT_EQ(Bar(0, 0, 4), "[####]");
  EXPECT_EQ(Bar(1, 3, 4), "[#---]");
  EXPECT_EQ(Bar(9, 3, 4), "[####]");
}

}  // namespace
}  // namespace baton::cli
