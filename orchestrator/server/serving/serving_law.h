// What a batond is about, from its start to its end: which state follows from a state and an event, and what it takes
// meanwhile. Written once as a Boost.MSM table in serving_law.cc; ServingState, the tests and the printed page ask it.
#pragma once

#include <optional>
#include <string_view>

namespace baton {

enum class Serving {
  kElecting,  // no leader is known, or the database does not answer
  kStandby,   // another leads, or this program may not serve the data as it is
  kCheckingVersion,
  kMigrating,
  kLoading,  // what a leader keeps in memory
  kLeading,
  kDraining,  // asked to stop: takes nothing, hands over
  kStopped,
};
inline constexpr int kServings = 8;

enum class ServingEvent {
  kAnotherKnown,
  kNobodyKnown,  // the lease has ended, or the database does not say
  kElected,
  kMayServe,     // by the version law
  kMustMigrate,  // by the version law
  kMayNotServe,  // by the version law
  kMigrated,
  kLoaded,
  kDeposed,
  kStop,
  kDrained,
};
inline constexpr int kServingEvents = 11;

std::string_view Name(Serving state);
std::string_view Name(ServingEvent event);

// The next state; nothing where the event changes nothing there. Total.
std::optional<Serving> Advance(Serving state, ServingEvent event);

bool AcceptsReads(Serving state);
bool AcceptsWrites(Serving state);

}  // namespace baton
