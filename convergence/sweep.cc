#include "convergence/sweep.h"

#include <future>

namespace baton {
namespace {

constexpr int kPage = 1000;
constexpr int kPassesBetweenTidying = 60;

}  // namespace

Sweep::Sweep(Reads& reads, Roller& roller, Collector& collector, Log& log, Metrics& metrics, Options options)
    : reads_(reads), roller_(roller), collector_(collector), log_(log), metrics_(metrics), options_(options),
      thread_([this] { Run(); }) {}

Sweep::~Sweep() { Stop(); }

void Sweep::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Sweep::Lead() {
  const std::lock_guard lock(mutex_);
  leading_ = true;
  now_ = true;
  wake_.notify_all();
}

void Sweep::Follow() {
  const std::lock_guard lock(mutex_);
  leading_ = false;
}

void Sweep::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait_for(lock, options_.interval, [&] { return stopping_ || now_; });
    now_ = false;
    if (stopping_ || !leading_) continue;
    lock.unlock();
    Pass();
    lock.lock();
  }
}

void Sweep::Pass() {
  const auto began = std::chrono::steady_clock::now();
  std::promise<void> done;
  reads_.Run([&](Result<Reader*> reader) {
    if (reader) {
      WakeUnsettled(**reader);
      Collect(**reader);
    }
    done.set_value();
  });
  done.get_future().wait();
  if (++passes_ % kPassesBetweenTidying == 0) {
    const Status status = collector_.DeleteOld();
    if (!status) log_.Warn("tidying_failed", {{"error", status.error().message}});
  }
  metrics_.Observe("baton_convergence_pass_seconds",
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
}

void Sweep::WakeUnsettled(Reader& reader) {
  std::size_t found = 0;
  ProcessGuid after;
  for (;;) {
    const auto page = reader.ListUnsettled(after, kPage);
    if (!page) return log_.Warn("convergence_failed", {{"error", page.error().message}});
    for (const ProcessGuid& guid : *page) roller_.Wake(guid);
    found += page->size();
    if (page->size() < kPage) break;
    after = page->back();
  }
  metrics_.Set("baton_convergence_unsettled_apps", static_cast<double>(found));
}

void Sweep::Collect(Reader& reader) {
  ProcessGuid after;
  for (;;) {
    const auto page = reader.ListCollectable(after, kPage);
    if (!page) return log_.Warn("collecting_failed", {{"error", page.error().message}});
    for (const ProcessGuid& guid : *page) {
      const auto read = reader.ReadApp(guid);
      if (!read) continue;  // named in the log by who drives it; never deleted on read
      const auto keys = Unreferenced(read->app, options_.history);
      if (keys.empty()) continue;
      const auto deleted = collector_.DeleteDefinitions(guid, keys);
      if (!deleted) {
        log_.Warn("collecting_failed", {{"app", guid.str()}, {"error", deleted.error().message}});
        continue;
      }
      metrics_.Count("baton_definitions_collected_total", {}, *deleted);
      log_.Info("definitions_collected", {{"app", guid.str()}, {"count", *deleted}});
    }
    if (page->size() < kPage) break;
    after = page->back();
  }
}

}  // namespace baton
