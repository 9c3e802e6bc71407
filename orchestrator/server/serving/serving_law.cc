#include "orchestrator/server/serving/serving_law.h"

#include <boost/mpl/vector/vector30.hpp>
#include <boost/msm/back/state_machine.hpp>
#include <boost/msm/front/functor_row.hpp>
#include <boost/msm/front/state_machine_def.hpp>
#include <type_traits>

#include "orchestrator/base/pure_law.h"

namespace baton {
namespace {

namespace msm = boost::msm;
namespace mpl = boost::mpl;
using msm::front::none;
using msm::front::Row;

struct Reads {};
struct Writes {};

template <ServingEvent kEvent>
struct On {};
using AnotherLeads = On<ServingEvent::kAnotherLeads>;
using NobodyKnown = On<ServingEvent::kNobodyKnown>;
using Elected = On<ServingEvent::kElected>;
using MayServe = On<ServingEvent::kMayServe>;
using MustMigrate = On<ServingEvent::kMustMigrate>;
using MayNotServe = On<ServingEvent::kMayNotServe>;
using Migrated = On<ServingEvent::kMigrated>;
using Loaded = On<ServingEvent::kLoaded>;
using Deposed = On<ServingEvent::kDeposed>;
using Stop = On<ServingEvent::kStop>;
using Drained = On<ServingEvent::kDrained>;

struct LawFront : msm::front::state_machine_def<LawFront> {
  // As in orchestrator/roll/law.cc.
  using no_exception_thrown = int;
  using no_message_queue = int;

  template <Serving kState>
  struct In : msm::front::state<> {
    using flag_list = std::conditional_t<kState == Serving::kLeading, mpl::vector2<Reads, Writes>, mpl::vector0<>>;
  };
  using Electing = In<Serving::kElecting>;
  using Standby = In<Serving::kStandby>;
  using Checking = In<Serving::kCheckingVersion>;
  using Migrating = In<Serving::kMigrating>;
  using Loading = In<Serving::kLoading>;
  using Leading = In<Serving::kLeading>;
  using Draining = In<Serving::kDraining>;
  using Stopped = In<Serving::kStopped>;

  using initial_state = Electing;

  // clang-format off
  struct transition_table : mpl::vector21<
      //  from        event         to
      // Who leads.
      Row<Electing,   AnotherLeads, Standby,   none, none>,
      Row<Electing,   MayNotServe,  Standby,   none, none>,
      Row<Standby,    NobodyKnown,  Electing,  none, none>,
      Row<Electing,   Elected,      Checking,  none, none>,
      Row<Standby,    Elected,      Checking,  none, none>,
      // What its data is.
      Row<Checking,   MayServe,     Loading,   none, none>,
      Row<Checking,   MustMigrate,  Migrating, none, none>,
      Row<Checking,   MayNotServe,  Standby,   none, none>,
      Row<Migrating,  Migrated,     Loading,   none, none>,
      Row<Loading,    Loaded,       Leading,   none, none>,
      // It leads no more.
      Row<Checking,   Deposed,      Electing,  none, none>,
      Row<Migrating,  Deposed,      Electing,  none, none>,
      Row<Loading,    Deposed,      Electing,  none, none>,
      Row<Leading,    Deposed,      Electing,  none, none>,
      // To its end.
      Row<Electing,   Stop,         Draining,  none, none>,
      Row<Standby,    Stop,         Draining,  none, none>,
      Row<Checking,   Stop,         Draining,  none, none>,
      Row<Migrating,  Stop,         Draining,  none, none>,
      Row<Loading,    Stop,         Draining,  none, none>,
      Row<Leading,    Stop,         Draining,  none, none>,
      Row<Draining,   Drained,      Stopped,   none, none>
  > {};
  // clang-format on

  template <class Fsm, class Event>
  void no_transition(const Event&, Fsm&, int) {}  // Advance answers nothing
};

using Law = msm::back::state_machine<LawFront>;

struct States {
  using Name = Serving;
  static constexpr std::size_t kCount = kServings;
  template <Serving kState>
  using Type = LawFront::In<kState>;
};
struct Events {
  using Name = ServingEvent;
  static constexpr std::size_t kCount = kServingEvents;
  template <ServingEvent kEvent>
  using Type = On<kEvent>;
};
using Pure = PureLaw<Law, msm::back::get_state_id, States, Events>;

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

std::optional<Serving> Advance(Serving state, ServingEvent event) { return Pure::Advance(state, event); }

bool AcceptsReads(Serving state) { return Pure::Restored(state).is_flag_active<Reads>(); }
bool AcceptsWrites(Serving state) { return Pure::Restored(state).is_flag_active<Writes>(); }

}  // namespace baton
