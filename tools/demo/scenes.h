// The demo's play: an app of several instances under traffic, updated to a version that works, then to one that
// crashes, then to another one in which a machine dies, to one on another port, and to one that crashes when it already
// serves. Scene by scene, so that tests can play it shortened, or with accidents in between.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "orchestrator/base/ticker.h"
#include "tools/demo/console.h"
#include "tools/demo/demo_result.h"
#include "tools/demo/departure.h"
#include "tools/load/load.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/stack.h"

namespace baton::demo {

struct SceneOptions {
  stack::HelloApp app;
  double rate = 200;         // requests a second
  int start_delay_ms = 500;  // until v1 and v2 are ready
  int crash_after_ms = 1500;
  std::stop_token stop;
};

class Scenes {
 public:
  // The stack is up.
  Scenes(stack::Stack& stack, Console& console, SceneOptions options);
  ~Scenes();
  Scenes(const Scenes&) = delete;
  Scenes& operator=(const Scenes&) = delete;

  // In this order. These throw StackError and Interrupted.
  void StartApp();
  void StartTraffic();
  void UpdateToTheNext();
  void PushTheBadOne();
  // In the middle of another update the machine of a cell loses power; later it is there again.
  void LoseAMachine();
  // The same route leads to another port, beside which there is one for ssh, as every app of Cloud Foundry has it.
  void ChangePortAndRoute();
  // Every instance of it crashes a second after it gets its first request.
  void PushTheOneThatCrashesLate();
  // Waits for the collector; then the traffic ends.
  void LookAtWhatIsLeft();

  const DemoResult& result() const { return result_; }
  // What failed, a line each: for people who want to know why.
  std::vector<std::string> FirstFailures() const;

 private:
  struct Watched {
    v2::Roll last;
    int failed_attempts = 0;
  };
  // To its end; each step is a line.
  Watched Watch(const v2::Roll& opened);
  int ServedSlots();
  // Waits for the drains that outlive their roll. What has gone since the last call, as the traffic shows it.
  std::vector<Departure> AwaitDrains();
  // Into the result.
  void Count(const std::vector<Departure>& old_instances);
  void StopTraffic();

  stack::Stack& stack_;
  Console& console_;
  SceneOptions options_;
  DemoResult result_;
  std::int64_t events_until_ = 0;  // the sequence of the last event that was asked for
  std::unique_ptr<load::Load> load_;
  std::optional<Ticker> reporter_;  // while there is traffic
};

}  // namespace baton::demo
