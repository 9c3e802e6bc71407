// Metrics for tests that look elsewhere.
#pragma once

#include "orchestrator/ports/metrics.h"

namespace baton {

class NoMetrics final : public Metrics {
 public:
  void Count(std::string_view, std::string_view, double) override {}
  void Set(std::string_view, double, std::string_view) override {}
  void Observe(std::string_view, double, std::string_view) override {}
};

}  // namespace baton
