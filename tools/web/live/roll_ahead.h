// What is still to come of an app's open roll, as batond foretells it. batond simulates it: of all apps that pages look
// at one forecast is asked for at a time, and none more often than it is worth.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "baton/v2/roll.pb.h"
#include "tools/web/calls/leader_calls.h"

namespace baton::web {

// Of all apps of a baton-web: whether one of them asks.
struct ForecastTurn {
  bool taken = false;
};

class RollAhead : public std::enable_shared_from_this<RollAhead> {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `told`: an answer has changed the JSON.
  RollAhead(std::string guid, LeaderCalls& calls, bool certificate, std::shared_ptr<ForecastTurn> turn,
            std::function<void()> told);

  // The app's roll, as batond says it now; null: none. Of one that waits for somebody nothing is foretold.
  void Follow(const v2::Roll* roll);
  // Asks, where something has happened and nobody else does.
  void Step(Time now);
  // `ahead` of the stream `app` (docs/reference/web.md); null: nothing is known.
  const nlohmann::ordered_json& json() const { return json_; }

 private:
  struct Moving {
    std::string roll_id;  // empty: no roll moves
    v2::RollState state = v2::ROLL_STATE_UNSPECIFIED;
    std::int64_t revision = 0;
  };
  void OnAnswer(const Moving& of, std::int64_t at_ms, const Ending& ending, const std::vector<MessagePtr>& got);
  bool IsOf(const Moving& other) const { return moving_.roll_id == other.roll_id && moving_.state == other.state; }

  std::string guid_;
  LeaderCalls& calls_;
  bool certificate_;
  std::shared_ptr<ForecastTurn> turn_;
  std::function<void()> told_;
  nlohmann::ordered_json json_;
  Moving moving_;
  Moving foretold_;  // when it was last asked for
  Time asked_at_;
  Time::duration took_{};  // the last answer
};

}  // namespace baton::web
