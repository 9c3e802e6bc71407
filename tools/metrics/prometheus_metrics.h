// Metrics for Prometheus, which fetches them by HTTP: of any of the programs, each with its own table.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/model/calls/metrics_table.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class PrometheusMetrics final : public Metrics {
 public:
  // A metric that has no line in the table is a bug and ends the process. The table outlives this.
  explicit PrometheusMetrics(std::span<const Metric> table);
  ~PrometheusMetrics() override;

  // Serves GET /metrics on `address`; port 0: any free one. Once. FAILED_PRECONDITION where it cannot.
  Status Expose(const std::string& address);
  // Of Expose; 0: it is not served.
  int port() const;
  // Before each look at them `ask` is called, on the thread that looks: for what is asked more cheaply than kept.
  // Empty: none. When this returns, the previous one is not running and will not be called.
  void BeforeLook(std::function<void()> ask);
  // As Prometheus reads it.
  std::string Text() const;

  void Count(std::string_view name, std::string_view label, double by) override;
  void Set(std::string_view name, double value, std::string_view label) override;
  void Observe(std::string_view name, double value, std::string_view label) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Metrics are served without TLS, so on loopback alone. `Expose` asks the same.
Status CheckMetricsAddress(const std::string& address);

}  // namespace baton
