#include "tools/demo/words.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

v2::RollStep Step(const std::string& kind, int index, const std::string& text) {
  v2::RollStep step;
  step.set_kind(kind);
  step.set_index(index);
  step.set_definition_identifier("v2");
  step.set_text(text);
  return step;
}

TEST(Words, OfASlot) {
  v2::RollStep step = Step("handed_over", 3, "it is ready: the slot is its own");
  step.set_start_ms(420);
  EXPECT_EQ(demo::Words(step), "  slot 3: v2 has proved itself and takes the slot (ready 420 ms after its start)");
  step = Step("retired", 3, "its cell reports it gone");
  step.set_stop_ms(1340);
  EXPECT_EQ(demo::Words(step), "  slot 3: v2 is gone (drained and stopped in 1.3 s)");
}

TEST(Words, CrashIsOneLineWhateverTheAppWrote) {
  EXPECT_EQ(demo::Words(Step("attempt_failed", 0, "exit status 1\nlast words\n")),
            "  slot 0: v2 FAILED: exit status 1");
}

TEST(Words, OfTheRollAsAWhole) {
  EXPECT_EQ(demo::Words(Step("state", -1, "6 of 6 slots run v2")), "  roll: 6 of 6 slots run v2");
}

TEST(Words, UnknownKindIsShownAsItIs) {
  EXPECT_EQ(demo::Words(Step("trimmed", 7, "it is above the instance count")),
            "  slot 7: v2 trimmed: it is above the instance count");
}

TEST(Words, OfAState) { EXPECT_EQ(demo::Words(v2::ROLLED_BACK), "rolled back"); }

}  // namespace
}  // namespace baton
