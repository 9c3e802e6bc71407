#include "tests/e2e/rolling_app.h"

#include <algorithm>
#include <iostream>

#include "tools/stack/wait_for.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kHandOverTimeout{40};

}  // namespace

void RollingApp::SetUp() {
  stack_.Start();
  scenes_.StartApp();
  scenes_.StartTraffic();
}

void RollingApp::TearDown() {
  if (update_.valid()) update_.wait();
  stack_.Stop();
  if (!HasFailure()) return;
  for (const std::string& line : scenes_.FirstFailures()) std::cerr << line << '\n';
  dir_.Keep();
  std::cerr << "the stack's logs are kept in " << dir_.path() << '\n';
}

void RollingApp::BeginUpdate() {
  update_ = std::async(std::launch::async, [this] { scenes_.UpdateToTheNext(); });
  ASSERT_TRUE(stack::WaitFor(kHandOverTimeout, {},
                             [this] { return stack_.api().GetRoll("hello").roll().target_definition() == "v2"; }));
}

int RollingApp::HandOvers() {
  const v2::GetRollResponse answer = stack_.api().GetRoll("hello");
  return static_cast<int>(
      std::ranges::count(answer.steps(), "handed_over", [](const v2::RollStep& step) { return step.kind(); }));
}

void RollingApp::AwaitHandOvers(int count) {
  ASSERT_TRUE(stack::WaitFor(kHandOverTimeout, {}, [&] { return HandOvers() >= count; }));
}

void RollingApp::ExpectUnnoticed() {
  update_.get();
  scenes_.LookAtWhatIsLeft();
  const demo::DemoResult& result = scenes_.result();
  EXPECT_EQ(result.good_outcome, v2::COMPLETED);
  EXPECT_GT(result.requests, 0);
  EXPECT_EQ(result.failed, 0);
  EXPECT_EQ(result.min_serving, kInstances);
  EXPECT_EQ(result.open_rolls, 0);
}

}  // namespace baton
