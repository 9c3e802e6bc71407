// A whole stack with an app of four instances under traffic, which is updated while something happens. The accidents
// are the test's own thread's: the programs are its children.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <future>

#include "tests/e2e/ready_dir.h"
#include "tools/demo/console.h"
#include "tools/demo/scenes.h"
#include "tools/stack/stack.h"

namespace baton {

class RollingApp : public ::testing::Test {
 protected:
  static constexpr int kInstances = 4;

  // The stack is up, v1 serves, and the traffic runs.
  void SetUp() override;
  // Ends everything; the stack's logs stay where the test failed.
  void TearDown() override;

  void BeginUpdate();
  // Until so many slots are the new version's own.
  void AwaitHandOvers(int count);
  int HandOvers();
  // The update is done, the traffic over: it went well, and nobody has noticed anything.
  void ExpectUnnoticed();

  ReadyDir dir_;
  stack::Stack stack_{{.dir = dir_.path(), .router_arguments = {"--retries", "0"}}};
  demo::Console console_;
  demo::Scenes scenes_{
      stack_, console_, {.app = {.instances = kInstances, .min_healthy_ms = 700}, .start_delay_ms = 100}};

 private:
  std::future<void> update_;
};

}  // namespace baton
