#include "orchestrator/server/serving/serving_law.h"

#include "orchestrator/base/pure_law.h"

namespace baton {
namespace {

struct Reads {};
struct Writes {};

}  // namespace

// A state's flags are part of its type.
template <>
struct msm::In<Serving::kLeading> : boost::msm::front::state<> {
  using flag_list = boost::mpl::vector2<Reads, Writes>;
};

namespace {

using msm::Row;

struct LawTable : msm::Table<LawTable> {
  using enum Serving;
  using enum ServingEvent;

  using initial_state = msm::In<kElecting>;

  // clang-format off
  struct transition_table : boost::mpl::vector21<
      //  from              event          to
      // Who leads.
      Row<kElecting,        kAnotherKnown, kStandby>,
      Row<kElecting,        kMayNotServe,  kStandby>,
      Row<kStandby,         kNobodyKnown,  kElecting>,
      Row<kElecting,        kElected,      kCheckingVersion>,
      Row<kStandby,         kElected,      kCheckingVersion>,
      // What its data is.
      Row<kCheckingVersion, kMayServe,     kLoading>,
      Row<kCheckingVersion, kMustMigrate,  kMigrating>,
      Row<kCheckingVersion, kMayNotServe,  kStandby>,
      Row<kMigrating,       kMigrated,     kLoading>,
      Row<kLoading,         kLoaded,       kLeading>,
      // It leads no more.
      Row<kCheckingVersion, kDeposed,      kElecting>,
      Row<kMigrating,       kDeposed,      kElecting>,
      Row<kLoading,         kDeposed,      kElecting>,
      Row<kLeading,         kDeposed,      kElecting>,
      // To its end.
      Row<kElecting,        kStop,         kDraining>,
      Row<kStandby,         kStop,         kDraining>,
      Row<kCheckingVersion, kStop,         kDraining>,
      Row<kMigrating,       kStop,         kDraining>,
      Row<kLoading,         kStop,         kDraining>,
      Row<kLeading,         kStop,         kDraining>,
      Row<kDraining,        kDrained,      kStopped>
  > {};
  // clang-format on
};

using Law = msm::PureLaw<LawTable, Serving, kServings, ServingEvent, kServingEvents>;

}  // namespace

std::string_view Name(Serving state) {
  constexpr std::string_view kNames[kServings] = {"ELECTING", "STANDBY", "CHECKING_VERSION", "MIGRATING",
                                                  "LOADING",  "LEADING", "DRAINING",         "STOPPED"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view Name(ServingEvent event) {
  constexpr std::string_view kNames[kServingEvents] = {"another_leads", "nobody_known",  "elected",  "may_serve",
                                                       "must_migrate",  "may_not_serve", "migrated", "loaded",
                                                       "deposed",       "stop",          "drained"};
  return kNames[static_cast<std::size_t>(event)];
}

std::optional<Serving> Advance(Serving state, ServingEvent event) { return Law::Advance(state, event); }

bool AcceptsReads(Serving state) { return Law::Restored(state).is_flag_active<Reads>(); }
bool AcceptsWrites(Serving state) { return Law::Restored(state).is_flag_active<Writes>(); }

}  // namespace baton
