#include <atomic>
#include <condition_variable>
#include <mutex>

#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/cpu_meter.h"
#include "tests/bench/durable_postgres.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/running_service.h"

namespace baton::bench {
namespace {

constexpr int kStoreApps = 64;
constexpr double kSeconds = 4;

// The floor: one row updated and committed, one after the other, on one connection.
double PlainCommitsPerSecond(const std::string& url) {
  const auto session = OpenSession(url);
  int commits = 0;
  const CpuMeter meter;
  while (meter.wall_seconds() < kSeconds / 2) {
    CHECK(session
              ->Transact(Session::Isolation::kReadCommitted,
                         [](Session& s) {
                           s.RunScript("UPDATE versions SET current = current");
                           return true;
                         })
              .ok());
    ++commits;
  }
  return commits / meter.wall_seconds();
}

// Keeps `depth` updates of different apps in flight.
class Updates {
 public:
  Updates(RunningService& service, int depth) : service_(service), depth_(depth) {}

  void Run() {
    for (int i = 0; i < depth_; ++i) Start(i % kStoreApps);
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return running_ == 0; });
  }
  int done() const { return done_; }
  double wall() const { return wall_; }
  double cpu() const { return cpu_; }

 private:
  struct One {
    grpc::ClientContext context;
    v2::UpdateDesiredLRPRequest request;
    v2::UpdateDesiredLRPResponse response;
  };

  void Start(int app) {
    {
      const std::lock_guard lock(mutex_);
      ++running_;
    }
    auto one = std::make_shared<One>();
    one->request.set_process_guid("app-" + std::to_string(app));
    one->request.mutable_update()->set_annotation("n" + std::to_string(++number_));
    service_.apps->async()->UpdateDesiredLRP(&one->context, &one->request, &one->response,
                                             [this, one, app](const grpc::Status& status) { Done(status, app); });
  }

  void Done(const grpc::Status& status, int app) {
    CHECK(status.ok());
    ++done_;
    if (meter_.wall_seconds() < kSeconds) Start(app);
    const std::lock_guard lock(mutex_);
    if (--running_ > 0) return;
    wall_ = meter_.wall_seconds();
    cpu_ = meter_.cpu_seconds();
    idle_.notify_all();
  }

  RunningService& service_;
  int depth_;
  CpuMeter meter_;
  std::atomic<int> number_{0};
  std::atomic<int> done_{0};
  std::mutex mutex_;
  std::condition_variable idle_;
  int running_ = 0;
  double wall_ = 0;
  double cpu_ = 0;
};

}  // namespace

Figures BenchStore() {
  DurablePostgres postgres;
  Figures figures;
  const double plain = PlainCommitsPerSecond(postgres.url());
  RunningService service(postgres.url());
  service.WaitForLead();
  for (int i = 0; i < kStoreApps; ++i) {
    CHECK(service.Desire(RunningService::SmallApp("app-" + std::to_string(i), 0)).ok());
  }
  Updates one(service, 1);
  one.Run();
  Updates many(service, kStoreApps);
  many.Run();
  figures["plain_commits_per_s"] = plain;
  figures["updates_per_s_depth_1"] = one.done() / one.wall();
  figures["updates_per_s_depth_64"] = many.done() / many.wall();
  figures["depth_1_to_plain_commit"] = one.done() / one.wall() / plain;
  figures["depth_64_to_depth_1"] = many.done() / many.wall() / (one.done() / one.wall());
  figures["cpu_us_per_update_depth_1"] = one.cpu() / one.done() * 1e6;
  figures["cpu_us_per_update_depth_64"] = many.cpu() / many.done() * 1e6;
  return figures;
}

}  // namespace baton::bench
