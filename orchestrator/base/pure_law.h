// A Boost.MSM machine as a pure function: a state and an event give the next state, and nothing is kept between two
// calls. A law is its table alone, over two enums. For the `.cc` of a law only: MSM costs 3 s and 480 MiB where it is
// included.
#pragma once

#include <array>
#include <boost/mpl/vector/vector30.hpp>
#include <boost/msm/back/state_machine.hpp>
#include <boost/msm/front/functor_row.hpp>
#include <boost/msm/front/state_machine_def.hpp>
#include <cstddef>
#include <optional>
#include <utility>

#include "orchestrator/base/check.h"

namespace baton::msm {

// The types that stand for an enumerator in MSM's table.
template <auto kState>
struct In : boost::msm::front::state<> {};
template <auto kEvent>
struct On {};

template <auto kFrom, auto kEvent, auto kTo>
using Row = boost::msm::front::Row<In<kFrom>, On<kEvent>, In<kTo>, boost::msm::front::none, boost::msm::front::none>;

// What a law derives from, and says in it which is its `initial_state` and its `transition_table`.
template <class Law>
struct Table : boost::msm::front::state_machine_def<Law> {
  // MSM would otherwise swallow an exception and report the event as handled, and keep a queue that nobody needs.
  using no_exception_thrown = int;
  using no_message_queue = int;

  template <class Fsm, class Event>
  void no_transition(const Event&, Fsm&, int) {}  // refused: Advance answers nothing
};

// `Law`: of one region. `kStates` and `kEvents`: how many enumerators `State` and `Event` have, counted from 0.
template <class Law, class State, std::size_t kStates, class Event, std::size_t kEvents>
class PureLaw {
  using Machine = boost::msm::back::state_machine<Law>;

 public:
  // A machine put where a row says it is. current_state() is MSM's own array; writing it is what its serialisation does.
  class Restored : public Machine {
   public:
    explicit Restored(State state) {
      const_cast<int*>(this->current_state())[0] = Ids().at(static_cast<std::size_t>(state));
    }
    int id() const { return this->current_state()[0]; }
  };

  // Nothing where the law has no row for it.
  static std::optional<State> Advance(State state, Event event) {
    Restored machine(state);
    if (!Process(machine, event, std::make_index_sequence<kEvents>())) return std::nullopt;
    for (std::size_t i = 0; i < Ids().size(); ++i) {
      if (Ids()[i] == machine.id()) return static_cast<State>(i);
    }
    CHECK(false && "the law ended in a state without a name");
    return std::nullopt;
  }

 private:
  // MSM numbers states by their place in the table, which moves when rows move: the numbers are asked for, never kept.
  template <std::size_t... kState>
  static constexpr auto IdsOf(std::index_sequence<kState...>) {
    return std::array<int, sizeof...(kState)>{
        boost::msm::back::get_state_id<typename Machine::stt, In<static_cast<State>(kState)>>::value...};
  }
  static const auto& Ids() {
    static constexpr auto kIds = IdsOf(std::make_index_sequence<kStates>());
    return kIds;
  }

  template <std::size_t... kEvent>
  static bool Process(Machine& machine, Event event, std::index_sequence<kEvent...>) {
    bool handled = false;
    ((static_cast<std::size_t>(event) == kEvent
          ? void(handled = machine.process_event(On<static_cast<Event>(kEvent)>{}) == boost::msm::back::HANDLED_TRUE)
          : void()),
     ...);
    return handled;
  }
};

}  // namespace baton::msm
