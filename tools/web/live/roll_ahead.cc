#include "tools/web/live/roll_ahead.h"

#include <algorithm>

#include "baton/v2/desired_lrps_service.pb.h"
#include "baton/v2/rolls_service.pb.h"
#include "tools/web/calls/caller.h"

namespace baton::web {
namespace {

using OrderedJson = nlohmann::ordered_json;
using std::chrono::steady_clock;

constexpr int kStepsMost = 500;  // the next ones; a page has 60 slots on screen
constexpr std::chrono::seconds kWhenMoved(2);
constexpr std::chrono::seconds kWhenStill(10);
constexpr int kOfItsTime = 20;  // an app's forecasts keep a thread of batond busy for a twentieth of the time
constexpr std::chrono::seconds kAnsweredIn(5);

bool Moves(const v2::Roll* roll) { return roll && (roll->state() == v2::ROLLING || roll->state() == v2::ROLLING_BACK); }

OrderedJson StepsJson(const v2::PlanUpdateResponse& forecast) {
  OrderedJson steps = OrderedJson::array();
  for (int i = 0; i < std::min(kStepsMost, forecast.steps_size()); ++i) {
    const v2::PlannedStep& step = forecast.steps(i);
    steps.push_back({{"at_ms", step.at_ms()},
                     {"kind", step.kind()},
                     {"index", step.index()},
                     {"definition_identifier", step.definition_identifier()},
                     {"text", step.text()}});
  }
  return steps;
}

std::int64_t NowMillis() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

RollAhead::RollAhead(std::string guid, LeaderCalls& calls, bool certificate, std::shared_ptr<ForecastTurn> turn,
                     std::function<void()> told)
    : guid_(std::move(guid)), calls_(calls), certificate_(certificate), turn_(std::move(turn)), told_(std::move(told)) {
}

void RollAhead::Follow(const v2::Roll* roll) {
  const Moving now = Moves(roll) ? Moving{roll->roll_id(), roll->state(), roll->revision()} : Moving();
  if (!IsOf(now)) {
    json_ = nullptr;  // it was foretold of another way
    foretold_ = Moving();
  }
  moving_ = now;
}

void RollAhead::Step(Time now) {
  if (moving_.roll_id.empty() || turn_->taken) return;
  if (IsOf(foretold_)) {
    const Time::duration least = foretold_.revision == moving_.revision ? kWhenStill : kWhenMoved;
    if (now - asked_at_ < std::max(least, kOfItsTime * took_)) return;
  }
  foretold_ = moving_;
  asked_at_ = now;
  turn_->taken = true;
  const auto request = std::make_shared<v2::ForecastRollRequest>();
  request->set_process_guid(guid_);
  request->set_roll_id(moving_.roll_id);
  Question question{.path = "/baton.v2.Rolls/ForecastRoll",
                    .request = request,
                    .answer = &v2::PlanUpdateResponse::default_instance(),
                    .metadata = CallerMetadata({"page", Role::kViewer}, certificate_),
                    .until = steady_clock::now() + kAnsweredIn};
  calls_.Ask(std::move(question), false,
             [weak = weak_from_this(), turn = turn_, of = moving_, at_ms = NowMillis()](
                 const Ending& ending, const std::vector<MessagePtr>& got) {
               turn->taken = false;
               if (const auto self = weak.lock()) self->OnAnswer(of, at_ms, ending, got);
             });
}

void RollAhead::OnAnswer(const Moving& of, std::int64_t at_ms, const Ending& ending,
                         const std::vector<MessagePtr>& got) {
  took_ = steady_clock::now() - asked_at_;
  // A page does without what is refused, and what was said before is still about true.
  if (!ending.status.ok() || got.empty() || !IsOf(of)) return;
  const auto& forecast = static_cast<const v2::PlanUpdateResponse&>(*got.front());
  json_ = {{"roll_id", of.roll_id},
           {"state", v2::RollState_Name(of.state)},
           {"at_ms", at_ms},
           {"takes_ms", forecast.takes_ms()},
           {"steps", StepsJson(forecast)},
           {"more", std::max(0, forecast.steps_size() - kStepsMost)},
           {"warnings", OrderedJson::array()}};
  for (const std::string& warning : forecast.warnings()) json_["warnings"].push_back(warning);
  told_();
}

}  // namespace baton::web
