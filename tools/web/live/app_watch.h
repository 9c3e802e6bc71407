// One app, all there is to say of it, for as long as a page looks. It asks batond when an event of the app came, and
// while a roll is open every two seconds; several pages of one app cost as much as one.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "baton/v2/desired_lrps_service.pb.h"
#include "baton/v2/rolls_service.pb.h"
#include "tools/web/calls/leader_calls.h"
#include "tools/web/fleet/fleet_table.h"
#include "tools/web/live/roll_ahead.h"
#include "tools/web/live/shared_text.h"

namespace baton::web {

class AppWatch : public std::enable_shared_from_this<AppWatch> {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `turn`: of all apps' forecasts.
  AppWatch(std::string guid, LeaderCalls& calls, const FleetTable& table, bool certificate,
           std::shared_ptr<ForecastTurn> turn);

  // Something happened to it.
  void Poke() { poked_ = true; }
  // Several times a second.
  void Step(Time now);
  const std::shared_ptr<SharedText>& text() const { return text_; }

 private:
  // What the calls have answered.
  struct Answers {
    std::shared_ptr<v2::GetDesiredLRPResponse> desired;
    std::shared_ptr<v2::ExplainRollResponse> explained;
    std::shared_ptr<v2::GetRollResponse> steps;
    std::vector<MessagePtr> instances;
    std::vector<MessagePtr> endpoints;
    std::vector<MessagePtr> routers;
  };

  void Refresh(bool all);
  template <class Response, class Request>
  void Ask(const char* method, const Request& request, bool streams, std::function<void(std::vector<MessagePtr>)> take);
  void Answered();
  void Compose();

  std::string guid_;
  LeaderCalls& calls_;
  const FleetTable& table_;
  bool certificate_;
  std::shared_ptr<RollAhead> ahead_;
  std::shared_ptr<SharedText> text_ = std::make_shared<SharedText>();
  Answers answers_;
  std::string fault_;  // of the last round: a call that was refused, other than as not found
  bool poked_ = true;
  int outstanding_ = 0;
  Time asked_{};
};

}  // namespace baton::web
