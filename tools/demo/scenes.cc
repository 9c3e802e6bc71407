#include "tools/demo/scenes.h"

#include <algorithm>

#include "tools/demo/roll_floor.h"
#include "tools/demo/words.h"
#include "tools/stack/wait_for.h"

namespace baton::demo {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kStatusInterval{250};
constexpr seconds kDrainedTimeout{60};
constexpr seconds kCollectedTimeout{20};
constexpr int kDyingCell = 2;
constexpr std::uint32_t kPortsFurther = 1010;
constexpr std::uint32_t kSshPort = 2222;

// As apps have it: they listen before they are ready.
v2::LRPDefinition Version(const SceneOptions& options, const std::string& version) {
  return stack::HelloDefinition(options.app, version, {"START_DELAY_MS=" + std::to_string(options.start_delay_ms)});
}

}  // namespace

Scenes::Scenes(stack::Stack& stack, Console& console, SceneOptions options)
    : stack_(stack), console_(console), options_(std::move(options)) {
  if (options_.app.program.empty()) options_.app.program = stack.bin_dir() + "/hello";
  result_.instances = options_.app.instances;
}

Scenes::~Scenes() { StopTraffic(); }

Scenes::Watched Scenes::Watch(const v2::Roll& opened) {
  Watched watched;
  watched.last =
      stack_.api().WatchRoll(opened.roll_id(), [&](const v2::Roll&, const std::vector<v2::RollStep>& steps) {
        for (const v2::RollStep& step : steps) {
          console_.Tell(Words(step));
          if (step.kind() == "attempt_failed") ++watched.failed_attempts;
        }
      });
  return watched;
}

void Scenes::StartApp() {
  console_.Tell("the app \"" + options_.app.process_guid + "\" is desired: " + std::to_string(options_.app.instances) +
                " instances of v1 at http://" + options_.app.hostname + "/");
  const v2::Roll roll = stack_.api().Desire(stack::DesiredHello(options_.app, Version(options_, "v1")));
  const v2::Roll last = Watch(roll).last;
  if (last.state() != v2::COMPLETED) throw stack::StackError("v1 did not start: " + last.reason());
}

void Scenes::StartTraffic() {
  load::LoadOptions traffic;
  traffic.target = stack_.http_address();
  traffic.host = options_.app.hostname;
  traffic.rate = options_.rate;
  console_.Tell("traffic through HAProxy begins: " + std::to_string(static_cast<int>(traffic.rate)) +
                " requests/s, half on new and half on kept-alive connections, one in " +
                std::to_string(traffic.slow_every) + " takes " + std::to_string(traffic.slow_ms) + " ms; no retries");
  load_ = load::Load::Start(traffic);
  const auto report = [this] {
    console_.ShowStatus(Words(load_->Snapshot()));
    return kStatusInterval;
  };
  reporter_.emplace(Ticker::Wait(0), report, [this] { console_.ClearStatus(); });
}

void Scenes::UpdateToTheNext() {
  console_.Tell("update to v2: one slot after the other; the old instance goes only when the new one serves");
  const std::int64_t from_ms = load_->NowMs();
  const auto answer = stack_.api().Update(options_.app.process_guid, stack::UpdateTo(Version(options_, "v2")));
  const v2::Roll last = Watch(answer.roll()).last;
  const std::vector<Departure> old_instances = AwaitDrains();
  Count(old_instances);
  result_.good_outcome = last.state();
  result_.roll_seconds = RollSeconds(last, old_instances);
  result_.roll_floor_seconds = FloorSeconds(old_instances, {.start_ms = options_.start_delay_ms,
                                                            .min_healthy_ms = options_.app.min_healthy_ms,
                                                            .bake_ms = options_.app.min_healthy_ms,
                                                            .request_ms = load::LoadOptions().slow_ms});
  result_.min_serving_good = load_->MinServing(from_ms, load_->NowMs());
}

std::vector<Departure> Scenes::AwaitDrains() {
  bool waited = false;
  stack::WaitFor(kDrainedTimeout, options_.stop, [&] {
    const std::vector<v2::ActualLRP> all = stack_.api().Instances(options_.app.process_guid);
    const bool drains = std::ranges::any_of(all, [](const auto& lrp) { return lrp.presence() == v2::RETIRING; });
    waited |= drains;
    return !drains;
  });
  if (waited) console_.Tell("  the last old instance is gone");
  const stack::Api::PastEvents removed =
      stack_.api().Events(options_.app.process_guid, "actual_removed", events_until_);
  events_until_ = removed.sequence;
  return DeparturesIn(removed.events, load_->Spans(), load_->started_at());
}

void Scenes::Count(const std::vector<Departure>& old_instances) {
  result_.drains += static_cast<int>(old_instances.size());
  result_.longest_drain_wait_ms = std::max(result_.longest_drain_wait_ms, LongestWaitMs(old_instances));
}

void Scenes::PushTheBadOne() {
  console_.Tell("update to v3, a version that crashes " + std::to_string(options_.crash_after_ms) +
                " ms after its start and never gets ready");
  const std::int64_t from_ms = load_->NowMs();
  const auto answer = stack_.api().Update(
      options_.app.process_guid, stack::UpdateTo(stack::CrashingHello(options_.app, "v3", options_.crash_after_ms)));
  const Watched watched = Watch(answer.roll());
  Count(AwaitDrains());
  result_.bad_outcome = watched.last.state();
  result_.failed_attempts = watched.failed_attempts;
  result_.min_serving_bad = load_->MinServing(from_ms, load_->NowMs());
}

int Scenes::ServedSlots() {
  std::set<int> served;
  for (const v2::ActualLRP& lrp : stack_.api().Instances(options_.app.process_guid)) {
    const bool serves = lrp.routable() && (lrp.presence() == v2::ORDINARY || lrp.presence() == v2::EVACUATING);
    if (serves && lrp.instance_key().cell_id() != stack_.CellName(kDyingCell)) served.insert(lrp.index());
  }
  return static_cast<int>(served.size());
}

void Scenes::LoseAMachine() {
  const std::string cell = stack_.CellName(kDyingCell);
  console_.Tell("update to v4; after its first hand-over the machine of " + cell + " dies, with all that it runs");
  result_.min_serving = load_->MinServing(0, load_->NowMs());
  std::optional<std::int64_t> died_ms;
  std::optional<std::int64_t> recovered_ms;
  const auto answer = stack_.api().Update(options_.app.process_guid, stack::UpdateTo(Version(options_, "v4")));
  const auto look = [&](const v2::Roll&, const std::vector<v2::RollStep>& steps) {
    for (const v2::RollStep& step : steps) {
      console_.Tell(Words(step));
      if (died_ms || step.kind() != "handed_over") continue;
      const auto instances = stack_.api().Instances(options_.app.process_guid);
      result_.lost_instances = static_cast<int>(std::ranges::count_if(
          instances, [&](const auto& lrp) { return lrp.instance_key().cell_id() == cell && lrp.routable(); }));
      stack_.KillMachine(kDyingCell);
      died_ms = load_->NowMs();
      console_.Tell("  " + cell + " is dead; HAProxy finds its endpoints gone, batond waits for its lease to end");
    }
    if (died_ms && !recovered_ms && ServedSlots() == options_.app.instances) recovered_ms = load_->NowMs();
  };
  const v2::Roll last = stack_.api().WatchRoll(answer.roll().roll_id(), look);
  result_.lost_outcome = last.state();
  if (died_ms) result_.recovered_seconds = static_cast<double>(recovered_ms.value_or(load_->NowMs()) - *died_ms) / 1000;
  console_.Tell("the machine is there again");
  stack_.StartCell(kDyingCell);
  AwaitDrains();  // not counted: what drained on the machine is only let go of when its lease has ended
}

void Scenes::ChangePortAndRoute() {
  options_.app.port += kPortsFurther;
  console_.Tell("update to v5, which listens on port " + std::to_string(options_.app.port) +
                "; the route goes there with it");
  const std::int64_t from_ms = load_->NowMs();
  const std::int64_t failed_before = load_->Snapshot().failed;
  v2::LRPDefinition definition = Version(options_, "v5");
  definition.mutable_run_info()->add_ports(kSshPort);
  v2::DesiredLRPUpdate update = stack::UpdateTo(definition);
  *update.mutable_routes() = stack::DesiredHello(options_.app, definition).routes();
  const v2::Roll last = Watch(stack_.api().Update(options_.app.process_guid, update).roll()).last;
  Count(AwaitDrains());
  result_.route_change_outcome = last.state();
  result_.route_change_failed = load_->Snapshot().failed - failed_before;
  result_.route_change_min_serving = load_->MinServing(from_ms, load_->NowMs());
}

void Scenes::PushTheOneThatCrashesLate() {
  console_.Tell("update to v6, a version that crashes " + std::to_string(options_.app.min_healthy_ms / 2) +
                " ms after it is let in");
  const std::int64_t from_ms = load_->NowMs();
  const int crash_ms = options_.start_delay_ms + options_.app.min_healthy_ms / 2;  // before its slot is its own
  const auto crash = "CRASH_AFTER_MS=" + std::to_string(crash_ms);
  v2::LRPDefinition definition =
      stack::HelloDefinition(options_.app, "v6", {"START_DELAY_MS=" + std::to_string(options_.start_delay_ms), crash});
  definition.mutable_run_info()->add_ports(kSshPort);
  const Watched watched = Watch(stack_.api().Update(options_.app.process_guid, stack::UpdateTo(definition)).roll());
  Count(AwaitDrains());
  result_.late_crash_outcome = watched.last.state();
  result_.late_crash_attempts = watched.failed_attempts;
  result_.late_crash_min_serving = load_->MinServing(from_ms, load_->NowMs());
}

void Scenes::LookAtWhatIsLeft() {
  console_.Tell("the collector is waited for: what crashed is of no use any more");
  stack::WaitFor(kCollectedTimeout, options_.stop, [&] {
    result_.definitions = stack_.api().Definitions(options_.app.process_guid);
    return std::ranges::none_of(result_.definitions, [](const auto& d) { return d.kept_because().empty(); });
  });
  const std::vector<v2::Roll> open = stack_.api().OpenRolls();
  result_.open_rolls = static_cast<int>(open.size());
  StopTraffic();
  const load::LoadSnapshot traffic = load_->Snapshot();
  result_.requests = traffic.requests;
  result_.failed = traffic.failed;
  result_.longest_gap_ms = traffic.longest_gap_ms;
  if (result_.lost_outcome == v2::ROLL_STATE_UNSPECIFIED) result_.min_serving = load_->MinServing(0, load_->NowMs());
}

void Scenes::StopTraffic() {
  reporter_.reset();
  if (load_) load_->Stop();
}

std::vector<std::string> Scenes::FirstFailures() const {
  std::vector<std::string> lines;
  for (const load::FailureRecord& failure : load_->Snapshot().first_failures) {
    lines.push_back("at " + std::to_string(failure.at_ms) + " ms, " + std::string(load::ToString(failure.kind)) + ": " +
                    failure.text);
  }
  return lines;
}

}  // namespace baton::demo
