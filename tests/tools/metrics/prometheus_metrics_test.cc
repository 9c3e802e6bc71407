// Metrics as Prometheus reads them.
#include "tools/metrics/prometheus_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <vector>

#include "tests/tools/http/raw_http.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

TEST(MetricsAsText, EachValueHasTheNameOfItsLabel) {
  PrometheusMetrics metrics(MetricsTable());
  metrics.Count("baton_api_calls_total", "v1 Ping.Ping", 3);
  metrics.Count("baton_call_errors_total", "DesireLRP", 1);
  metrics.Set("baton_leading", 1, {});
  EXPECT_THAT(metrics.Text(), HasSubstr("baton_api_calls_total{api=\"v1\",method=\"Ping.Ping\"} 3"));
  EXPECT_THAT(metrics.Text(), HasSubstr("baton_call_errors_total{call=\"DesireLRP\"} 1"));
  EXPECT_THAT(metrics.Text(), HasSubstr("\nbaton_leading 1"));
}

double ValueOf(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("\n" + name + " ");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
}

TEST(MetricsAsText, TheProcessTellsOfItself) {
  const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  const std::string text = PrometheusMetrics(MetricsTable()).Text();
  EXPECT_GT(ValueOf(text, "process_resident_memory_bytes"), 1 << 20);
  EXPECT_GT(ValueOf(text, "process_virtual_memory_bytes"), ValueOf(text, "process_resident_memory_bytes"));
  EXPECT_GE(ValueOf(text, "process_cpu_seconds_total"), 0);
  EXPECT_GE(ValueOf(text, "process_open_fds"), 3);
  EXPECT_GE(ValueOf(text, "process_max_fds"), ValueOf(text, "process_open_fds"));
  EXPECT_NEAR(ValueOf(text, "process_start_time_seconds"), now, 600);
}

// A minute is in no bucket of a call's.
TEST(MetricsAsText, WhatTakesMinutesHasBucketsOfMinutes) {
  PrometheusMetrics metrics(MetricsTable());
  metrics.Observe("baton_roll_seconds", 90, "COMPLETED");
  EXPECT_THAT(metrics.Text(), HasSubstr("baton_roll_seconds_bucket{state=\"COMPLETED\",le=\"60\"} 0"));
  EXPECT_THAT(metrics.Text(), HasSubstr("baton_roll_seconds_bucket{state=\"COMPLETED\",le=\"120\"} 1"));
}

// What an operator's dashboard sums by label: the same family of two programs is not one with other labels.
TEST(MetricsAsText, EachProgramHasItsOwn) {
  PrometheusMetrics cell(CellMetricsTable());
  cell.Set("baton_cell_instances", 2, "RUNNING");
  EXPECT_THAT(cell.Text(), HasSubstr("baton_cell_instances{state=\"RUNNING\"} 2"));
  EXPECT_THAT(cell.Text(), HasSubstr("\nbaton_cell_crashes_total 0")) << "there from the start";
  EXPECT_THAT(cell.Text(), ::testing::Not(HasSubstr("baton_rolls")));
  EXPECT_THAT(PrometheusMetrics(RouterMetricsTable()).Text(), HasSubstr("\nbaton_router_reloads_total 0"));
}

// Cells and routers took any.
TEST(MetricsAsText, AreServedOnLoopbackAlone) {
  PrometheusMetrics metrics(CellMetricsTable());
  for (const char* open : {"0.0.0.0:9892", "[::]:9892", "9892", "127.0.0.1:70000", "10.0.0.7:9892", "nobody.invalid:1",
                           "127.example.com:1"}) {
    const Status exposed = metrics.Expose(open);
    ASSERT_FALSE(exposed) << open;
    EXPECT_THAT(exposed.error().message, HasSubstr("on loopback alone"));
  }
}

class ServedMetrics : public ::testing::Test {
 protected:
  ServedMetrics() : metrics(std::in_place, RouterMetricsTable()) { EXPECT_TRUE(metrics->Expose("localhost:0").ok()); }

  RawAnswer Ask(const std::string& request) const {
    RawHttp client(metrics->port());
    EXPECT_TRUE(client.Send(request));
    return client.Read();
  }

  std::optional<PrometheusMetrics> metrics;
};

TEST_F(ServedMetrics, AreAtOnePathAndAreOnlyRead) {
  metrics->Count("baton_router_reloads_total", {}, 2);
  const RawAnswer answer = Ask(GetText("/metrics?name[]=all"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(answer.body, HasSubstr("\nbaton_router_reloads_total 2\n"));
  EXPECT_EQ(Ask(GetText("/")).status, 404);
  EXPECT_EQ(Ask(GetText("/metrics/..")).status, 404);
  EXPECT_EQ(Ask(PostText("/metrics", "x")).status, 405);
  EXPECT_EQ(Ask("GARBAGE\r\n\r\n").status, 400);
}

// Each held one of eight threads.
TEST_F(ServedMetrics, WhoAsksForNothingOrGoesOnHoldingAConnectionIsInNobodysWay) {
  std::vector<RawHttp> others;
  for (int i = 0; i < 40; ++i) {
    EXPECT_TRUE(others.emplace_back(metrics->port()).Send("GET /metr"));
    RawHttp& kept = others.emplace_back(metrics->port());
    EXPECT_TRUE(kept.Send(GetText("/metrics")));
    EXPECT_EQ(kept.Read().status, 200);
  }
  EXPECT_EQ(Ask(GetText("/metrics")).status, 200);
  EXPECT_TRUE(others.back().Ended()) << "what is idle is closed";
}

// The program's end waited for up to two seconds for the thread that listened.
TEST_F(ServedMetrics, EndWithWhoeverIsStillConnected) {
  RawHttp kept(metrics->port());
  EXPECT_TRUE(kept.Send(GetText("/metrics")));
  EXPECT_EQ(kept.Read().status, 200);
  RawHttp asks(metrics->port());
  EXPECT_TRUE(asks.Send("GET /metr"));
  const int port = metrics->port();
  metrics.reset();
  EXPECT_TRUE(kept.Ended());
  EXPECT_TRUE(asks.Ended());
  EXPECT_FALSE(RawHttp(port).Send("GET")) << "nobody listens";
}

TEST_F(ServedMetrics, AreAskedForNoMoreOnceTheyHaveEnded) {
  int asked = 0;
  metrics->BeforeLook([&asked] { ++asked; });
  RawHttp client(metrics->port());
  EXPECT_TRUE(client.Send(GetText("/metrics")));
  EXPECT_EQ(client.Read().status, 200);
  metrics.reset();
  (void)client.Send(GetText("/metrics"));
  EXPECT_EQ(client.Read().status, 0);
  EXPECT_EQ(asked, 1);
}

TEST_F(ServedMetrics, AnAddressThatIsTakenIsSaid) {
  const std::string taken = "127.0.0.1:" + std::to_string(metrics->port());
  PrometheusMetrics second(RouterMetricsTable());
  const Status exposed = second.Expose(taken);
  ASSERT_FALSE(exposed);
  EXPECT_THAT(exposed.error().message, HasSubstr("cannot serve metrics on " + taken));
  EXPECT_EQ(second.port(), 0);
}

}  // namespace
}  // namespace baton
