#include "tools/metrics/prometheus_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <variant>

#include "orchestrator/base/check.h"
#include "orchestrator/model/calls/socket_address.h"
#include "tools/metrics/metrics_server.h"
#include "tools/metrics/process_metrics.h"

namespace baton {
namespace {

const prometheus::Histogram::BucketBoundaries kSeconds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                          0.25,  0.5,    1,     2.5,  5,     10,   30};
const prometheus::Histogram::BucketBoundaries kMinutes = {0.5, 1,   2.5, 5,    10,   20,    30,   60,
                                                          120, 300, 600, 1800, 3600, 14400, 86400};

// "api,method" and "v1 Ping.Ping".
prometheus::Labels LabelsOf(std::string_view names, std::string_view values) {
  if (names.empty()) return {};
  const std::size_t comma = names.find(',');
  if (comma == names.npos) return {{std::string(names), std::string(values)}};
  const std::size_t space = values.find(' ');
  CHECK(space != values.npos);
  prometheus::Labels labels = LabelsOf(names.substr(comma + 1), values.substr(space + 1));
  labels.emplace(names.substr(0, comma), values.substr(0, space));
  return labels;
}

using Family = std::variant<prometheus::Family<prometheus::Counter>*, prometheus::Family<prometheus::Gauge>*,
                            prometheus::Family<prometheus::Histogram>*>;

}  // namespace

struct PrometheusMetrics::Impl {
  struct Known {
    const Metric* described;
    Family family;
  };
  prometheus::Registry registry;
  std::map<std::string, Known, std::less<>> known;
  mutable std::mutex asking;
  std::function<void()> ask;
  std::optional<MetricsServer> server;  // the last: its thread looks at the others

  std::vector<prometheus::MetricFamily> Collect() const {
    {
      const std::lock_guard lock(asking);
      if (ask) ask();
    }
    std::vector<prometheus::MetricFamily> families = registry.Collect();
    std::ranges::move(ProcessMetrics(), std::back_inserter(families));
    return families;
  }

  std::string Text() const { return prometheus::TextSerializer().Serialize(Collect()); }

  template <class T>
  std::pair<prometheus::Family<T>*, prometheus::Labels> Find(std::string_view name, std::string_view label) const {
    const auto at = known.find(name);
    CHECK(at != known.end());
    auto* const* family = std::get_if<prometheus::Family<T>*>(&at->second.family);
    CHECK(family);
    return {*family, LabelsOf(at->second.described->label, label)};
  }
};

PrometheusMetrics::PrometheusMetrics(std::span<const Metric> table) : impl_(std::make_unique<Impl>()) {
  for (const Metric& d : table) {
    prometheus::Registry& registry = impl_->registry;
    Family family;
    switch (d.kind) {
      case MetricKind::kCounter:
        family = &prometheus::BuildCounter().Name(d.name).Help(d.help).Register(registry);
        break;
      case MetricKind::kGauge: family = &prometheus::BuildGauge().Name(d.name).Help(d.help).Register(registry); break;
      case MetricKind::kHistogram:
      case MetricKind::kLongHistogram:
        family = &prometheus::BuildHistogram().Name(d.name).Help(d.help).Register(registry);
        break;
    }
    impl_->known.emplace(d.name, Impl::Known{&d, family});
    // What has no label is there from the start: a zero says more than a missing line.
    if (*d.label != '\0') continue;
    if (d.kind == MetricKind::kCounter) Count(d.name, {}, 0);
    if (d.kind == MetricKind::kGauge) Set(d.name, 0, {});
  }
}

PrometheusMetrics::~PrometheusMetrics() = default;

int PrometheusMetrics::port() const { return impl_->server ? impl_->server->port() : 0; }

Status CheckMetricsAddress(const std::string& address) {
  if (IsHostAndPort(address) && IsOnLoopback(address)) return Done{};
  return Error{ErrorKind::kFailedPrecondition,
               "--metrics is \"" + address +
                   "\"; metrics are served without TLS, on loopback alone: HOST:PORT, for example 127.0.0.1:9892",
               {}};
}

Status PrometheusMetrics::Expose(const std::string& address) {
  if (Status fine = CheckMetricsAddress(address); !fine) return fine;
  std::string fault;
  try {
    impl_->server.emplace([impl = impl_.get()] { return impl->Text(); });
    if (const Status listens = impl_->server->Listen(address); !listens) fault = listens.error().message;
  } catch (const std::exception& error) {  // no descriptor is left, or no thread
    fault = error.what();
  }
  if (fault.empty()) return Done{};
  impl_->server.reset();
  return FailedPrecondition("cannot serve metrics on " + address + ", which another program has, perhaps (" + fault +
                            "): choose another --metrics");
}

void PrometheusMetrics::BeforeLook(std::function<void()> ask) {
  const std::lock_guard lock(impl_->asking);
  impl_->ask = std::move(ask);
}

std::string PrometheusMetrics::Text() const { return impl_->Text(); }

void PrometheusMetrics::Count(std::string_view name, std::string_view label, double by) {
  const auto [family, labels] = impl_->Find<prometheus::Counter>(name, label);
  family->Add(labels).Increment(by);
}

void PrometheusMetrics::Set(std::string_view name, double value, std::string_view label) {
  const auto [family, labels] = impl_->Find<prometheus::Gauge>(name, label);
  family->Add(labels).Set(value);
}

void PrometheusMetrics::Observe(std::string_view name, double value, std::string_view label) {
  const auto [family, labels] = impl_->Find<prometheus::Histogram>(name, label);
  const bool is_long = impl_->known.find(name)->second.described->kind == MetricKind::kLongHistogram;
  family->Add(labels, is_long ? kMinutes : kSeconds).Observe(value);
}

}  // namespace baton
