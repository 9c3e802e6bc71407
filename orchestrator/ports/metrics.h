// Numbers for operators, in Prometheus' model.
#pragma once

#include <string>
#include <string_view>

namespace baton {

// Thread-safe. Durations are in seconds. `label` is the value of the label that a metric may have;
// of several, their values with a space between.
class Metrics {
 public:
  virtual ~Metrics() = default;
  virtual void Count(std::string_view name, std::string_view label = {}, double by = 1) = 0;
  virtual void Set(std::string_view name, double value, std::string_view label = {}) = 0;
  virtual void Observe(std::string_view name, double value, std::string_view label = {}) = 0;
};

}  // namespace baton
