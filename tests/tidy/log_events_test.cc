// docs/reference/log-events.md has what the programs log.
#include "tests/tidy/log_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tidy/read_file.h"

namespace baton::tidy {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(LogEvents, AreFoundInASource) {
  EXPECT_THAT(LogEventsIn(R"(log_.Warn("cell_lost", {{"cell", name}});
      s_.log.Info(draining ? "drain_cell" : "undrain_cell",
                  {{"id", id}});
      log.Write(well ? LogLevel::kInfo : LogLevel::kWarn, "roll_finished", {{"app", guid}});
      write(LogLevel::kWarn, "roll_held", *open);
      file.Write("text"); log_.Info(name, {{"app", guid}}); Error("a sentence"); )"),
              ElementsAre("cell_lost", "drain_cell", "roll_finished", "roll_held", "undrain_cell"));
}

TEST(LogEvents, OfACallAreItsName) {
  EXPECT_THAT(CheckCallNames(R"(constexpr CallName kPin{"pin_definition", "Definitions/PinDefinition"};
      return Change(context, {"desire_lrp", "DesiredLRPs/DesireLRP"}, {{"claim", "ActualLRPs/ClaimActualLRP"}, false});)"),
              IsEmpty());
  EXPECT_THAT(CheckCallNames(R"(Change(request, {"stop_roll", "Rolls/PauseRoll"}))"),
              ElementsAre("the call PauseRoll is logged as 'stop_roll': its name is pause_roll"));
}

TEST(LogEvents, AreOneStyleAndEachHasARow) {
  const auto told = LogEventsOf("| event | what |\n|---|---|\n| `cell_lost`, `gone` | `other` |\nand `text`\n");
  EXPECT_THAT(told, ElementsAre("cell_lost", "gone"));
  EXPECT_THAT(CheckLogEvents({"cell_lost", "gone"}, told), IsEmpty());
  EXPECT_THAT(CheckLogEvents({"cell_lost", "gone", "Cell lost"}, told),
              ElementsAre(HasSubstr("'Cell lost' is no snake_case"), HasSubstr("has no row")));
  EXPECT_THAT(CheckLogEvents({"cell_lost"}, told), ElementsAre(HasSubstr("tells of gone, which nothing logs")));
}

TEST(LogEvents, ThePageHasThoseOfThePrograms) {
  std::set<std::string> used;
  for (const char* folder : {"convergence", "orchestrator", "schema", "sql", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(BATON_SOURCES) / folder)) {
      const std::string ending = entry.path().extension();
      if (ending != ".cc" && ending != ".h") continue;
      const std::string source = Read(entry.path());
      used.merge(LogEventsIn(source));
      EXPECT_THAT(CheckCallNames(source), IsEmpty()) << entry.path();
    }
  }
  EXPECT_GT(used.size(), 100U);
  EXPECT_THAT(CheckLogEvents(used, LogEventsOf(Read(fs::path(BATON_SOURCES) / "docs/reference/log-events.md"))),
              IsEmpty());
}

}  // namespace
}  // namespace baton::tidy
