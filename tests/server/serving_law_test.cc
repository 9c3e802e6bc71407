// The law of serving, state by event, written a second time by hand; and what is taken in each state.
#include <gtest/gtest.h>

#include "orchestrator/server/serving/serving_law.h"

namespace baton {
namespace {

// Rows: states in their order. Columns: another_leads, nobody_known, elected, may_serve, must_migrate, may_not_serve,
// migrated, loaded, deposed, stop, drained. '.': nothing changes, else the first letter of what follows, L for LEADING.
constexpr const char* kLaw =
    "ELECTING          S . C . . S . . . D .\n"
    "STANDBY           . E C . . . . . . D .\n"
    "CHECKING_VERSION  . . . l M S . . E D .\n"
    "MIGRATING         . . . . . . l . E D .\n"
    "LOADING           . . . . . . . L E D .\n"
    "LEADING           . . . . . . . . E D .\n"
    "DRAINING          . . . . . . . . . . s\n"
    "STOPPED           . . . . . . . . . . .\n";

char Letter(Serving state) {
  constexpr char kLetters[kServings + 1] = "ESCMlLDs";
  return kLetters[static_cast<std::size_t>(state)];
}

TEST(ServingLaw, IsThisTable) {
  std::string law;
  for (int s = 0; s < kServings; ++s) {
    const auto state = static_cast<Serving>(s);
    std::string row(Name(state));
    row.resize(18, ' ');
    for (int e = 0; e < kServingEvents; ++e) {
      const auto next = Advance(state, static_cast<ServingEvent>(e));
      row += std::string(e ? " " : "") + (next ? Letter(*next) : '.');
    }
    law += row + "\n";
  }
  EXPECT_EQ(law, kLaw);
}

TEST(ServingLaw, OnlyALeaderTakesCalls) {
  for (int s = 0; s < kServings; ++s) {
    const auto state = static_cast<Serving>(s);
    EXPECT_EQ(AcceptsReads(state), state == Serving::kLeading) << Name(state);
    EXPECT_EQ(AcceptsWrites(state), state == Serving::kLeading) << Name(state);
  }
}

TEST(ServingLaw, EachEventHasAName) {
  for (int e = 0; e < kServingEvents; ++e) EXPECT_FALSE(Name(static_cast<ServingEvent>(e)).empty());
}

}  // namespace
}  // namespace baton
