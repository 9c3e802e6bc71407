#include "orchestrator/server/metrics.h"

#include <prometheus/collectable.h>
#include <prometheus/counter.h>
#include <prometheus/exposer.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <exception>
#include <map>
#include <mutex>
#include <variant>

#include "orchestrator/model/check.h"

namespace baton {
namespace {

enum class Kind { kCounter, kGauge, kHistogram };

struct Described {
  const char* name;
  Kind kind;
  const char* label;  // names of its labels, with a comma between; or empty
  const char* help;
};

constexpr Described kMetrics[] = {
    {"baton_leading", Kind::kGauge, "", "1 while this batond leads"},
    {"baton_lease_renewal_seconds", Kind::kHistogram, "", "Renewals of the leader's lease, from asking to the answer"},
    {"baton_serving_state", Kind::kGauge, "state", "1 for the state that this batond is in"},
    {"baton_migration_rows_done", Kind::kGauge, "", "Rows that the last migration has copied"},
    {"baton_migration_rows_left", Kind::kGauge, "", "Rows that it still has to copy"},
    {"baton_call_seconds", Kind::kHistogram, "call", "Calls that change something, from arrival to commit"},
    {"baton_call_errors_total", Kind::kCounter, "call", "Such calls that were refused or failed"},
    {"baton_calls_waiting", Kind::kGauge, "for", "Calls that wait for a writer: what drives rolls, and callers' writes"},
    {"baton_calls_refused_total", Kind::kCounter, "why", "Calls that were refused as too many wait, or too long"},
    {"baton_api_calls_total", Kind::kCounter, "api,method", "Calls of the API, in the version that the caller asked"},
    {"baton_rolls_open", Kind::kGauge, "", "Rolls under way, paused or held"},
    {"baton_plan_steps_total", Kind::kCounter, "", "Steps that the planner took"},
    {"baton_placement_errors_total", Kind::kCounter, "", "Instances for which no cell was found"},
    {"baton_stops_overdue_total", Kind::kCounter, "", "Stops that a cell did not report in time"},
    {"baton_cell_reports_total", Kind::kCounter, "", "Reports of cells"},
    {"baton_cells_silent_total", Kind::kCounter, "", "Cells whose lease ended"},
    {"baton_cells_lost_total", Kind::kCounter, "", "Cells that were declared missing"},
    {"baton_cells_waited_out", Kind::kGauge, "", "Cells that are silent and not taken for lost"},
    {"baton_cells_held_off_total", Kind::kCounter, "", "Cells that were given nothing new for a while"},
    {"baton_route_endpoints", Kind::kGauge, "", "Endpoints in the route table"},
    {"baton_convergence_pass_seconds", Kind::kHistogram, "pass", "Convergence passes"},
    {"baton_convergence_found", Kind::kGauge, "category", "What the last pass that looked for it has found"},
    {"baton_convergence_found_total", Kind::kCounter, "category", "The same, of all passes"},
    {"baton_convergence_failed_total", Kind::kCounter, "", "Convergence passes that failed"},
    {"baton_events_told_total", Kind::kCounter, "", "Events that became settled"},
    {"baton_events_held_up_seconds", Kind::kGauge, "", "How long an open transaction has held up the events"},
    {"baton_event_subscribers", Kind::kGauge, "", "Subscribers of events"},
    {"baton_event_subscribers_cut_off_total", Kind::kCounter, "", "Subscribers that read too slowly"},
    {"baton_key_rotation_unfinished", Kind::kGauge, "", "1 while not every blob is as the key file says"},
    {"baton_key_rotation_rows_left", Kind::kGauge, "", "Rows that the rotation has not looked at yet"},
    {"baton_blobs_quarantined", Kind::kGauge, "", "Blobs that the rotation could not open"},
    {"baton_upgrade_state", Kind::kGauge, "state", "1 for the state that the online upgrade is in"},
    {"baton_upgrade_shards_pending", Kind::kGauge, "", "Shards that are not ready in this state of it"},
    {"baton_upgrade_rows_left", Kind::kGauge, "", "Desired and actual LRPs that it still has to compare"},
    {"baton_upgrade_write_stop_seconds", Kind::kGauge, "", "How long writes stopped for the last switch"},
    {"baton_definitions_collected_total", Kind::kCounter, "", "Definitions that nothing needed any more"},
};

const prometheus::Histogram::BucketBoundaries kSeconds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                          0.25,  0.5,    1,     2.5,  5,     10,   30};

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

struct PrometheusMetrics::Impl : prometheus::Collectable {
  struct Known {
    const Described* described;
    Family family;
  };
  std::shared_ptr<prometheus::Registry> registry = std::make_shared<prometheus::Registry>();
  std::map<std::string, Known, std::less<>> known;
  mutable std::mutex asking;
  std::function<void()> ask;
  std::unique_ptr<prometheus::Exposer> exposer;

  std::vector<prometheus::MetricFamily> Collect() const override {
    {
      const std::lock_guard lock(asking);
      if (ask) ask();
    }
    return registry->Collect();
  }

  template <class T>
  std::pair<prometheus::Family<T>*, prometheus::Labels> Find(std::string_view name, std::string_view label) const {
    const auto at = known.find(name);
    CHECK(at != known.end());
    auto* const* family = std::get_if<prometheus::Family<T>*>(&at->second.family);
    CHECK(family);
    return {*family, LabelsOf(at->second.described->label, label)};
  }
};

PrometheusMetrics::PrometheusMetrics() : impl_(std::make_shared<Impl>()) {
  for (const Described& d : kMetrics) {
    prometheus::Registry& registry = *impl_->registry;
    Family family;
    switch (d.kind) {
      case Kind::kCounter: family = &prometheus::BuildCounter().Name(d.name).Help(d.help).Register(registry); break;
      case Kind::kGauge: family = &prometheus::BuildGauge().Name(d.name).Help(d.help).Register(registry); break;
      case Kind::kHistogram: family = &prometheus::BuildHistogram().Name(d.name).Help(d.help).Register(registry); break;
    }
    impl_->known.emplace(d.name, Impl::Known{&d, family});
    // What has no label is there from the start: a zero says more than a missing line.
    if (*d.label != '\0') continue;
    if (d.kind == Kind::kCounter) Count(d.name, {}, 0);
    if (d.kind == Kind::kGauge) Set(d.name, 0, {});
  }
}

PrometheusMetrics::~PrometheusMetrics() = default;

Status PrometheusMetrics::Expose(const std::string& address) {
  try {
    impl_->exposer = std::make_unique<prometheus::Exposer>(address, /*num_threads=*/1);
    impl_->exposer->RegisterCollectable(impl_);
  } catch (const std::exception& error) {
    return Error{ErrorKind::kFailedPrecondition,
                 "cannot serve metrics on " + address + ": " + error.what() + ". Choose another --metrics",
                 {}};
  }
  return Done{};
}

void PrometheusMetrics::BeforeLook(std::function<void()> ask) {
  const std::lock_guard lock(impl_->asking);
  impl_->ask = std::move(ask);
}

std::string PrometheusMetrics::Text() const {
  return prometheus::TextSerializer().Serialize(impl_->Collect());
}

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
  family->Add(labels, kSeconds).Observe(value);
}

}  // namespace baton
