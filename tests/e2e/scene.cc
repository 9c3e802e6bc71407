#include "tests/e2e/scene.h"

#include <algorithm>
#include <iostream>

#include "tools/demo/departure.h"
#include "tools/stack/http.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kScenePatience{60};

}  // namespace

Scene::Scene(stack::StackOptions options) {
  options.dir = dir_.path();
  // A roll needs no second tries: none are made that could hide a first.
  if (options.router_arguments.empty()) options.router_arguments = {"--retries", "0"};
  stack_ = std::make_unique<stack::Stack>(options);
  stack_->Start();
  app_ = {.instances = 3, .program = stack_->bin_dir() + "/hello", .min_healthy_ms = 500};
}

Scene::~Scene() {
  if (load_) load_->Stop();
  stack_->Stop();
  if (!HasFailure()) return;
  if (load_) {
    for (const load::FailureRecord& one : load_->Snapshot().first_failures) {
      std::cerr << one.at_ms << " ms after the traffic's start: " << one.text << '\n';
    }
  }
  dir_.Keep();
  std::cerr << "the stack's logs are kept in " << dir_.path() << '\n';
}

void Scene::Begin(v2::Strategy::OnFailure on_failure) {
  v2::DesiredLRP desired = stack::DesiredHello(app_, stack::HelloDefinition(app_, "v1"));
  desired.mutable_strategy()->set_on_failure(on_failure);
  ASSERT_EQ(EndOf(stack_->api().Desire(desired)), v2::COMPLETED);
}

void Scene::StartTraffic(int rate) {
  load_ =
      load::Load::Start({.target = stack_->http_address(), .host = app_.hostname, .rate = static_cast<double>(rate)});
}

void Scene::ExpectDrainsAsTraffic(int at_least) {
  EXPECT_TRUE(Await([&] {
    return std::ranges::none_of(Instances(), [](const auto& lrp) { return lrp.presence() == v2::RETIRING; });
  }));
  const stack::Api::PastEvents removed = stack_->api().Events(app_.process_guid, "actual_removed", 0);
  const std::vector<demo::Departure> gone = demo::DeparturesIn(removed.events, load_->Spans(), load_->started_at());
  EXPECT_GE(static_cast<int>(gone.size()), at_least);
  for (const demo::Departure& old : gone) {
    EXPECT_LE(old.wait_ms, demo::kDrainWaitMostMs)
        << old.version << " of slot " << old.index << " was gone only " << old.wait_ms << " ms after its last answer";
  }
  std::cout << "scene " << ::testing::UnitTest::GetInstance()->current_test_info()->name() << ": " << gone.size()
            << " drains, gone at most " << demo::LongestWaitMs(gone).value_or(0) << " ms after the last answer\n";
}

void Scene::ExpectUnnoticed(const std::string& besides) {
  load_->Stop();
  const load::LoadSnapshot traffic = load_->Snapshot();
  EXPECT_GT(traffic.answered, 0);
  EXPECT_EQ(traffic.failed, 0);
  std::cout << "scene " << ::testing::UnitTest::GetInstance()->current_test_info()->name() << ": " << traffic.requests
            << " requests, " << traffic.failed << " failed, longest gap " << traffic.longest_gap_ms << " ms"
            << (besides.empty() ? "" : ", ") << besides << '\n';
}

v2::Roll Scene::Update(const v2::LRPDefinition& definition) {
  v2::DesiredLRPUpdate update = stack::UpdateTo(definition);
  update.set_reactivate(true);  // some go back, and mean it
  return stack_->api().Update(app_.process_guid, update).roll();
}

void Scene::Scale(int instances) {
  v2::DesiredLRPUpdate update;
  update.set_instances(instances);
  stack_->api().Update(app_.process_guid, update);
}

v2::RollState Scene::EndOf(const v2::Roll& roll) {
  return stack_->api().WatchRoll(roll.roll_id(), [](const auto&, const auto&) {}).state();
}

bool Scene::Await(const std::function<bool()>& holds) { return stack::WaitFor(kScenePatience, {}, holds); }

int Scene::CountSteps(const std::string& kind) {
  const v2::GetRollResponse answer = stack_->api().GetRoll(app_.process_guid);
  return static_cast<int>(std::ranges::count(answer.steps(), kind, [](const auto& step) { return step.kind(); }));
}

bool Scene::AwaitStep(const std::string& kind, int count) {
  return Await([&] { return CountSteps(kind) >= count; });
}

std::vector<std::string> Scene::Baton(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {stack_->bin_dir() + "/baton", "--batond", stack_->api_address()});
  return arguments;
}

std::string Scene::Metrics() const { return stack::HttpGet(stack_->metrics_address(), "batond", "/metrics").body; }

std::vector<v2::ActualLRP> Scene::Instances() { return stack_->api().Instances(app_.process_guid); }

bool Scene::AwaitOnly(const std::string& version, int instances) {
  return Await([&] {
    const auto all = Instances();
    return static_cast<int>(all.size()) == instances && std::ranges::all_of(all, [&](const v2::ActualLRP& lrp) {
             return lrp.definition_identifier() == version && lrp.state() == "RUNNING" && lrp.routable();
           });
  });
}

}  // namespace baton
