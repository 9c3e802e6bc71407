#include "orchestrator/server/serving_law.h"

#include <array>
#include <boost/mpl/vector/vector30.hpp>
#include <boost/msm/back/state_machine.hpp>
#include <boost/msm/front/functor_row.hpp>
#include <boost/msm/front/state_machine_def.hpp>
#include <type_traits>
#include <utility>

#include "orchestrator/model/check.h"

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

// Asked for, never kept: MSM's numbers move when rows move.
template <std::size_t... kState>
constexpr auto StateIds(std::index_sequence<kState...>) {
  return std::array<int, sizeof...(kState)>{
      msm::back::get_state_id<Law::stt, LawFront::In<static_cast<Serving>(kState)>>::value...};
}
constexpr auto kIds = StateIds(std::make_index_sequence<kServings>());

class Restored : public Law {
 public:
  explicit Restored(Serving state) { const_cast<int*>(current_state())[0] = kIds.at(static_cast<std::size_t>(state)); }
  int id() const { return current_state()[0]; }
};

template <std::size_t... kEvent>
bool Process(Law& law, ServingEvent event, std::index_sequence<kEvent...>) {
  bool handled = false;
  ((static_cast<std::size_t>(event) == kEvent
        ? void(handled = law.process_event(On<static_cast<ServingEvent>(kEvent)>{}) == msm::back::HANDLED_TRUE)
        : void()),
   ...);
  return handled;
}

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

std::optional<Serving> Advance(Serving state, ServingEvent event) {
  Restored law(state);
  if (!Process(law, event, std::make_index_sequence<kServingEvents>())) return std::nullopt;
  for (std::size_t i = 0; i < kIds.size(); ++i) {
    if (kIds[i] == law.id()) return static_cast<Serving>(i);
  }
  CHECK(false && "the law ended in a state without a name");
  return std::nullopt;
}

bool AcceptsReads(Serving state) { return Restored(state).is_flag_active<Reads>(); }
bool AcceptsWrites(Serving state) { return Restored(state).is_flag_active<Writes>(); }

}  // namespace baton
