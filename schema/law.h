// The version law: what a newly elected leader does with a database, by how its two versions stand to the one that this
// program is built for. Written once as a Boost.MSM table in law.cc; the migrator, the tests and the printed document
// ask this one function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton {

// What is to be done.
enum class VersionDuty {
  kCheck,     // look at the versions
  kBegin,     // target := ours, and migrate
  kContinue,  // the same: an earlier migrator began and died
  kEnd,       // current := target := ours
  kServe,
  kShutDown,  // let go of the lease, write nothing, and wait to be upgraded
};
inline constexpr int kVersionDuties = 6;

// What was found, current first: older, the same or newer than ours; and that a duty was done.
enum class VersionFact {
  kNothing,  // an empty database
  kOlderOlder,
  kOlderSame,
  kOlderNewer,
  kSameOlder,
  kSameOlderOfRollback,  // a rollback from ours began and did not end: all of ours is still there
  kSameSame,
  kSameNewer,
  kNewerOlder,
  kNewerSame,
  kNewerSameOfRollback,  // a rollback to ours has come to its end, but for writing down that it has
  kNewerNewer,
  kDone,
};
inline constexpr int kVersionFacts = 13;

std::string_view Name(VersionDuty duty);
std::string_view Name(VersionFact fact);

// The next duty; nothing where the fact means nothing there. Total.
std::optional<VersionDuty> Advance(VersionDuty duty, VersionFact fact);

// What is written in a database about its version; what Baton wrote itself, not what is true of the tables.
struct VersionMark {
  std::int64_t current = 0;
  std::int64_t target = 0;
  std::string semver;  // of current
};
// How far a rollback is that was begun.
enum class RollbackMark { kNone, kBegun, kEnded };

VersionFact FactOf(const std::optional<VersionMark>& mark, RollbackMark rollback, std::int64_t ours);

}  // namespace baton
