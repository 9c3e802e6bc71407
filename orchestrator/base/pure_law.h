// A Boost.MSM machine as a pure function: a state and an event give the next state, and nothing is kept between two calls.
// For the sources of laws, which include Boost.MSM before this.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "orchestrator/base/check.h"

namespace baton {

// `Machine`: of one region. `States` says which type stands for a state, and how many there are; `Events` the same:
//   struct States { using Name = RollState; static constexpr std::size_t kCount = kRollStates;
//                   template <RollState kState> using Type = LawFront::In<kState>; };
// `StateId`: boost::msm::back::get_state_id.
template <class Machine, template <class, class> class StateId, class States, class Events>
class PureLaw {
 public:
  using State = typename States::Name;
  using Event = typename Events::Name;

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
    Restored law(state);
    if (!Process(law, event, std::make_index_sequence<Events::kCount>())) return std::nullopt;
    for (std::size_t i = 0; i < Ids().size(); ++i) {
      if (Ids()[i] == law.id()) return static_cast<State>(i);
    }
    CHECK(false && "the law ended in a state without a name");
    return std::nullopt;
  }

 private:
  // MSM numbers states by their place in the table, which moves when rows move: the numbers are asked for, never kept.
  template <std::size_t... kState>
  static constexpr auto IdsOf(std::index_sequence<kState...>) {
    return std::array<int, sizeof...(kState)>{
        StateId<typename Machine::stt, typename States::template Type<static_cast<State>(kState)>>::value...};
  }
  static const auto& Ids() {
    static constexpr auto kIds = IdsOf(std::make_index_sequence<States::kCount>());
    return kIds;
  }

  template <std::size_t... kEvent>
  static bool Process(Machine& law, Event event, std::index_sequence<kEvent...>) {
    constexpr int kHandled = 1;  // boost::msm::back::HANDLED_TRUE
    bool handled = false;
    ((static_cast<std::size_t>(event) == kEvent
          ? void(handled = static_cast<int>(law.process_event(
                               typename Events::template Type<static_cast<Event>(kEvent)>{})) == kHandled)
          : void()),
     ...);
    return handled;
  }
};

}  // namespace baton
