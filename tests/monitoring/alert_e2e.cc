// What tests of the rules by promtool cannot show: that a Prometheus as Debian has it reads what real programs serve,
// and that a roll which waits for a person becomes an alert.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/e2e/scene.h"
#include "tests/monitoring/prometheus.h"
#include "tools/stack/free_port.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using ::testing::ElementsAre;

// `for` of RollHeld is a minute.
constexpr std::chrono::minutes kAlertPatience{3};

struct MetricsPorts {
  int cell = stack::FreePort();
  int router = stack::FreePort();
};

class PrometheusScenes : public Scene {
 protected:
  PrometheusScenes() : PrometheusScenes(MetricsPorts{}) {}
  explicit PrometheusScenes(const MetricsPorts& ports)
      : Scene({.cells = 1,
               .cell_arguments = {"--metrics", Address(ports.cell)},
               .router_arguments = {"--retries", "0", "--metrics", Address(ports.router)}}),
        ports_(ports) {}

  void SetUp() override {
    if (!monitoring::Prometheus::Installed()) {
      GTEST_SKIP() << "there is no /usr/bin/prometheus: apt-get install prometheus";
    }
    prometheus_.emplace(dir_.path(), std::map<std::string, std::string>{{"batond", stack_->metrics_address()},
                                                                        {"baton-cell", Address(ports_.cell)},
                                                                        {"baton-router", Address(ports_.router)}});
  }

  static std::string Address(int port) { return "127.0.0.1:" + std::to_string(port); }
  // Empty: it is neither pending nor firing.
  std::string StateOf(const std::string& alert) { return prometheus_->Alerts()[alert].state; }
  // Also through a moment in which it could not be read, after which its minute begins anew.
  bool AwaitState(const std::string& alert, const std::string& state) {
    return stack::WaitFor(kAlertPatience, {}, [&] { return StateOf(alert) == state; });
  }
  std::vector<std::string> Firing() {
    std::vector<std::string> names;
    for (const auto& [name, alert] : prometheus_->Alerts()) {
      if (alert.state == "firing") names.push_back(name);
    }
    return names;
  }

  // Everything is read, and nothing is wrong but that the stack has no certificates; then a roll is held.
  void HoldARoll() {
    Begin(v2::Strategy::HOLD);
    ASSERT_TRUE(Await([&] {
      return prometheus_->Targets() ==
             std::map<std::string, std::string>{{"batond", "up"}, {"baton-cell", "up"}, {"baton-router", "up"}};
    })) << ::testing::PrintToString(prometheus_->Targets());
    ASSERT_TRUE(AwaitState("Insecure", "firing"));
    EXPECT_EQ(StateOf("RollHeld"), "");
    ASSERT_EQ(EndOf(UpdateToABadOne("v2")), v2::HELD);
  }

  const MetricsPorts ports_;
  std::optional<monitoring::Prometheus> prometheus_;
};

TEST_F(PrometheusScenes, ARollThatIsHeldIsAnAlertUntilItIsCancelled) {
  ASSERT_NO_FATAL_FAILURE(HoldARoll());
  // Pending; on a machine that stood still for a minute it may fire by now.
  ASSERT_TRUE(Await([&] { return StateOf("RollHeld") != ""; }));
  EXPECT_EQ(prometheus_->Alerts()["RollHeld"].value, 1);

  stack_->api().Cancel(app_.process_guid);
  EXPECT_TRUE(AwaitState("RollHeld", ""));
}

// A minute: `./dev prove monitoring`.
TEST_F(PrometheusScenes, DISABLED_ARollThatIsHeldForAMinutePagesSomebody) {
  ASSERT_NO_FATAL_FAILURE(HoldARoll());
  ASSERT_TRUE(AwaitState("RollHeld", "pending"));
  const auto pending_since = std::chrono::steady_clock::now();
  ASSERT_TRUE(AwaitState("RollHeld", "firing"));
  const auto after = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - pending_since);
  EXPECT_THAT(Firing(), ElementsAre("Insecure", "RollHeld")) << "nothing else is wrong";
  const monitoring::ActiveAlert held = prometheus_->Alerts()["RollHeld"];
  EXPECT_EQ(held.value, 1);
  EXPECT_EQ(held.severity, "page");
  EXPECT_EQ(held.runbook, "docs/guide/monitoring.md#rollheld");

  stack_->api().Cancel(app_.process_guid);
  EXPECT_TRUE(AwaitState("RollHeld", ""));
  std::cout << "monitoring: RollHeld pending, and firing " << after.count() << " s later\n";
}

}  // namespace
}  // namespace baton
