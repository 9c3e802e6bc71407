// Metrics as Prometheus reads them.
#include "orchestrator/server/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using testing::HasSubstr;

TEST(MetricsAsText, EachValueHasTheNameOfItsLabel) {
  PrometheusMetrics metrics;
  metrics.Count("baton_api_calls_total", "v1 Ping.Ping", 3);
  metrics.Count("baton_call_errors_total", "DesireLRP", 1);
  metrics.Set("baton_leading", 1, {});
  EXPECT_THAT(metrics.Text(), HasSubstr("baton_api_calls_total{api=\"v1\",method=\"Ping.Ping\"} 3"));
  EXPECT_THAT(metrics.Text(), HasSubstr("baton_call_errors_total{call=\"DesireLRP\"} 1"));
  EXPECT_THAT(metrics.Text(), HasSubstr("\nbaton_leading 1"));
}

}  // namespace
}  // namespace baton
