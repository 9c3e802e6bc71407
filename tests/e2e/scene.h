// A stack of real programs with an app under traffic, for what a roll can meet.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/e2e/ready_dir.h"
#include "tools/load/load.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/stack.h"

namespace baton {

class Scene : public ::testing::Test {
 protected:
  explicit Scene(stack::StackOptions options = {});
  ~Scene() override;

  // v1 serves.
  void Begin(v2::Strategy::OnFailure on_failure = v2::Strategy::ROLLBACK);
  // Requests a second.
  void StartTraffic(int rate = 100);
  // Every old instance that answered this traffic was gone soon after its last answer: no drain waited for its timeout.
  // At least `at_least` of them have gone; what still drains is waited for, while the traffic goes on. Not for scenes
  // in which a batond, a router or a cell is away.
  void ExpectDrainsAsTraffic(int at_least);
  // And nobody has noticed anything so far. `besides`: what the line of the scene says more.
  void ExpectUnnoticed(const std::string& besides = {});
  v2::Roll Update(const v2::LRPDefinition& definition);
  v2::Roll Update(const std::string& version) { return Update(stack::HelloDefinition(app_, version)); }
  v2::Roll UpdateToABadOne(const std::string& version) { return Update(stack::CrashingHello(app_, version, 300)); }
  void Scale(int instances);
  v2::RollState EndOf(const v2::Roll& roll);
  bool Await(const std::function<bool()>& holds);
  int CountSteps(const std::string& kind);
  bool AwaitStep(const std::string& kind, int count);
  std::vector<v2::ActualLRP> Instances();
  // `baton` with these arguments, asking this batond.
  std::vector<std::string> Baton(std::vector<std::string> arguments) const;
  // As Prometheus reads them.
  std::string Metrics() const;
  // Everything is of the version, and nothing is on its way.
  bool AwaitOnly(const std::string& version, int instances);

  ReadyDir dir_;
  std::unique_ptr<stack::Stack> stack_;
  stack::HelloApp app_;
  std::unique_ptr<load::Load> load_;
};

}  // namespace baton
