#include "schema/law.h"

#include "orchestrator/base/pure_law.h"

namespace baton {
namespace {

using msm::Row;

struct LawTable : msm::Table<LawTable> {
  using enum VersionDuty;
  using enum VersionFact;

  using initial_state = msm::In<kCheck>;

  // clang-format off
  struct transition_table : boost::mpl::vector15<
      //  duty       found                 next
      Row<kCheck,    kNothing,             kEnd>,       // the newest layout is made
      Row<kCheck,    kOlderOlder,          kBegin>,     // the first of its version to lead
      Row<kCheck,    kOlderSame,           kContinue>,  // who migrated has died
      Row<kCheck,    kOlderNewer,          kContinue>,  // a newer one failed; from what `current` holds
      Row<kCheck,    kSameOlder,           kShutDown>,
      Row<kCheck,    kSameOlderOfRollback, kEnd>,       // the rollback is given up
      Row<kCheck,    kSameSame,            kServe>,
      Row<kCheck,    kSameNewer,           kServe>,     // a newer one died half-way; all of `current` is there
      Row<kCheck,    kNewerOlder,          kShutDown>,
      Row<kCheck,    kNewerSame,           kShutDown>,
      Row<kCheck,    kNewerSameOfRollback, kEnd>,
      Row<kCheck,    kNewerNewer,          kShutDown>,  // to be upgraded
      Row<kBegin,    kDone,                kEnd>,
      Row<kContinue, kDone,                kEnd>,
      Row<kEnd,      kDone,                kServe>
  > {};
  // clang-format on
};

using Law = msm::PureLaw<LawTable, VersionDuty, kVersionDuties, VersionFact, kVersionFacts>;

}  // namespace

std::string_view Name(VersionDuty duty) {
  constexpr std::string_view kNames[kVersionDuties] = {"CHECK", "BEGIN", "CONTINUE", "END", "SERVE", "SHUT_DOWN"};
  return kNames[static_cast<std::size_t>(duty)];
}

std::string_view Name(VersionFact fact) {
  constexpr std::string_view kNames[kVersionFacts] = {"none, none",
                                                      "older, older",
                                                      "older, same",
                                                      "older, newer",
                                                      "same, older",
                                                      "same, older, a rollback begun",
                                                      "same, same",
                                                      "same, newer",
                                                      "newer, older",
                                                      "newer, same",
                                                      "newer, same, a rollback at its end",
                                                      "newer, newer",
                                                      "done"};
  return kNames[static_cast<std::size_t>(fact)];
}

std::optional<VersionDuty> Advance(VersionDuty duty, VersionFact fact) { return Law::Advance(duty, fact); }

VersionFact FactOf(const std::optional<VersionMark>& mark, RollbackMark rollback, std::int64_t ours) {
  if (!mark) return VersionFact::kNothing;
  if (mark->current < ours) {
    if (mark->target < ours) return VersionFact::kOlderOlder;
    return mark->target == ours ? VersionFact::kOlderSame : VersionFact::kOlderNewer;
  }
  if (mark->current == ours) {
    if (mark->target == ours) return VersionFact::kSameSame;
    if (mark->target > ours) return VersionFact::kSameNewer;
    return rollback == RollbackMark::kNone ? VersionFact::kSameOlder : VersionFact::kSameOlderOfRollback;
  }
  if (mark->target < ours) return VersionFact::kNewerOlder;
  if (mark->target > ours) return VersionFact::kNewerNewer;
  return rollback == RollbackMark::kEnded ? VersionFact::kNewerSameOfRollback : VersionFact::kNewerSame;
}

}  // namespace baton
