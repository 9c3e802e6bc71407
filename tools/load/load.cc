#include "tools/load/load.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "tools/load/asio.h"
#include "tools/load/report.h"
#include "tools/load/traffic.h"

namespace baton::load {
namespace {

constexpr std::int64_t kNotStopped = -1;

tcp::endpoint Resolve(asio::io_context& io, const std::string& target) {
  const std::size_t colon = target.rfind(':');
  if (colon == target.npos) throw std::invalid_argument("the target is '" + target + "'; it can be host:port");
  return *tcp::resolver(io).resolve(target.substr(0, colon), target.substr(colon + 1)).begin();
}

LoadOptions Checked(LoadOptions options) {
  if (!(options.rate > 0 && options.rate <= 100'000)) throw std::invalid_argument("rate: more than 0, at most 100,000");
  if (options.slow_every < 0) throw std::invalid_argument("slow_every: 0 or more");
  if (options.slow_ms < 0) throw std::invalid_argument("slow_ms: 0 or more");
  if (options.timeout.count() <= 0) throw std::invalid_argument("timeout: more than 0");
  if (options.kept_connections < 1 || options.kept_connections_most < options.kept_connections) {
    throw std::invalid_argument("kept_connections: at least 1, at most kept_connections_most");
  }
  return options;
}

}  // namespace

struct Load::Impl {
  explicit Impl(LoadOptions from)
      : options(Checked(std::move(from))), traffic(io, options, Resolve(io, options.target), ledger) {}

  std::int64_t NowMs() const {
    const auto since = Traffic::Clock::now() - start;
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  }

  // The end of what can be judged.
  std::int64_t TrafficEndMs() const {
    const std::int64_t stopped = stopped_at_ms;
    return stopped == kNotStopped ? NowMs() : stopped;
  }

  LoadOptions options;
  Ledger ledger;
  asio::io_context io{1};
  Traffic traffic;
  Traffic::Clock::time_point start;
  std::chrono::system_clock::time_point system_start;
  std::atomic<std::int64_t> stopped_at_ms = kNotStopped;
  std::once_flag stop_once;
  std::thread thread;
};

Load::Load(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Load::~Load() { Stop(); }

std::unique_ptr<Load> Load::Start(LoadOptions options) {
  auto impl = std::make_unique<Impl>(std::move(options));
  Impl* const raw = impl.get();
  raw->start = Traffic::Clock::now();
  raw->system_start = std::chrono::system_clock::now();
  raw->thread = std::thread([raw] {
    raw->traffic.Start(raw->start);
    raw->io.run();
  });
  return std::unique_ptr<Load>(new Load(std::move(impl)));
}

std::int64_t Load::NowMs() const { return impl_->NowMs(); }

std::int64_t Load::started_at() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(impl_->system_start.time_since_epoch()).count();
}

LoadSnapshot Load::Snapshot() const { return impl_->ledger.Snapshot(impl_->TrafficEndMs()); }

std::optional<int> Load::MinServing(std::int64_t from_ms, std::int64_t to_ms) const {
  return impl_->ledger.MinServing(std::max<std::int64_t>(from_ms, 0), std::min(to_ms, impl_->TrafficEndMs()));
}

std::vector<AnswerRecord> Load::Answers() const { return impl_->ledger.Answers(); }

InstanceSpans Load::Spans() const { return SpansOf(impl_->ledger.Answers()); }

std::string Load::Report() const {
  return ReportJson({.options = impl_->options,
                     .duration_ms = impl_->TrafficEndMs(),
                     .snapshot = Snapshot(),
                     .min_serving = MinServing(0, impl_->TrafficEndMs()),
                     .answers = Answers(),
                     .failure_times = impl_->ledger.FailureTimes()});
}

void Load::Stop() {
  std::call_once(impl_->stop_once, [this] {
    asio::post(impl_->io, [this] {
      impl_->traffic.Stop();
      impl_->stopped_at_ms = impl_->NowMs();
      impl_->ledger.Close(impl_->stopped_at_ms);
    });
    impl_->thread.join();
  });
}

}  // namespace baton::load
