#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <future>
#include <thread>

#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/durable_postgres.h"
#include "tests/bench/many_apps.h"
#include "tests/bench/shapes.h"
#include "tests/server/running_service.h"

namespace baton::bench {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kRotationApps = 100'000;
constexpr auto kPace = std::chrono::milliseconds(10);  // between two reads of one reader
constexpr int kReaders = 2;

double RotationSeconds(Steady::duration d) { return std::chrono::duration<double>(d).count(); }

// Resident, of this process: service and readers.
double RotationMemoryMb() {
  std::ifstream statm("/proc/self/statm");
  double all = 0, resident = 0;
  statm >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// Reads apps at an even pace until it is told to stop. A read is late from when it was due: a stall counts for each.
class Readers {
 public:
  Readers(RunningService& service, int apps) {
    for (int i = 0; i < kReaders; ++i) threads_.emplace_back([this, &service, apps, i] { Read(service, apps, i); });
  }
  double P99Ms() {
    stop_ = true;
    for (auto& thread : threads_) thread.join();
    std::ranges::sort(took_);
    CHECK(took_.size() > 200);
    return took_[took_.size() * 99 / 100];
  }

 private:
  void Read(RunningService& service, int apps, int reader) {
    std::vector<double> own;
    auto due = Steady::now();
    for (int i = 0; !stop_; ++i, due += kPace) {
      std::promise<void> never;  // an even pace
      (void)never.get_future().wait_until(due);
      char guid[32];
      std::snprintf(guid, sizeof guid, "app-%07d", (i * 7919 + reader * 104'729) % apps);
      v2::GetDesiredLRPRequest request;
      request.set_process_guid(guid);
      v2::GetDesiredLRPResponse response;
      CHECK(service.apps->GetDesiredLRP(Context().get(), request, &response).ok());
      own.push_back(RotationSeconds(Steady::now() - due) * 1000);
    }
    const std::lock_guard lock(mutex_);
    took_.insert(took_.end(), own.begin(), own.end());
  }

  std::mutex mutex_;
  std::vector<double> took_;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

class KeyFile {
 public:
  KeyFile() { Write("a"); }
  ~KeyFile() { unlink(path_.c_str()); }
  const std::string& path() const { return path_; }
  void Write(const std::string& active) const {
    std::ofstream(path_) << "key a AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
                            "key b ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=\nactive "
                         << active << "\n";
    CHECK(chmod(path_.c_str(), 0600) == 0);
  }

 private:
  const std::string path_ = "/tmp/baton-bench-keys-" + std::to_string(getpid());
};

v2::KeysResponse Look(RunningService& service) {
  v2::KeysResponse keys;
  CHECK(service.admin->Keys(Context().get(), {}, &keys).ok());
  return keys;
}

void AwaitDone(RunningService& service, const std::string& label) {
  CHECK(Eventually(
      [&] {
        const auto keys = Look(service);
        return keys.rotation().state() == "done" && keys.rotation().target() == label;
      },
      std::chrono::minutes(5)));
}

struct Turn {
  double rows_per_s = 0;
  double grown_mb = 0;
};

// From the asking to the second count that found nothing else.
Turn Rotate(RunningService& service, const KeyFile& file, const std::string& to) {
  file.Write(to);
  const double before = RotationMemoryMb();
  double most = before;
  const auto began = Steady::now();
  v2::KeysResponse keys;
  CHECK(service.admin->RotateKeys(Context().get(), {}, &keys).ok());
  std::promise<void> never;
  while (Look(service).rotation().state() != "done") {
    most = std::max(most, RotationMemoryMb());
    (void)never.get_future().wait_for(std::chrono::milliseconds(100));
    CHECK(RotationSeconds(Steady::now() - began) < 300);
    never = {};
  }
  const auto after = Look(service);
  CHECK(after.rotation().target() == to && after.rotation().faults() == 0);
  return {static_cast<double>(after.rotation().rows_total()) / RotationSeconds(Steady::now() - began), most - before};
}

// A database of its own: rows are copied while they are plain, since a sealed one is bound to its place.
class Sealed {
 public:
  explicit Sealed(int apps) {
    MakeTemplate(postgres_.url(), LightApp("template"));
    Clone(postgres_.url(), 0, apps);
    batond::ServiceOptions options;
    options.keys = file_.path();
    service_ = std::make_unique<RunningService>(postgres_.url(), options);
    service_->WaitForLead();
    AwaitDone(*service_, "a");
  }
  RunningService& service() { return *service_; }
  // What a leader looks at once is over, and what the rotations left behind is swept up.
  void Settle() {
    postgres_.Vacuum();
    v2::ConvergenceRequest run;
    run.set_run(true);
    v2::ConvergenceResponse report;
    grpc::ClientContext context;
    CHECK(service_->admin->Convergence(&context, run, &report).ok());
  }
  Turn RotateTo(const std::string& label) { return Rotate(*service_, file_, label); }

 private:
  DurablePostgres postgres_;
  KeyFile file_;
  std::unique_ptr<RunningService> service_;
};

double GrownMb(Sealed& sealed) {
  (void)sealed.RotateTo("b");  // what is made once, is made
  return sealed.RotateTo("a").grown_mb;
}

}  // namespace

Figures BenchRotation() {
  Figures figures;
  double small = 0;
  {
    Sealed sealed(kRotationApps / 4);
    small = GrownMb(sealed);
  }
  Sealed sealed(kRotationApps);
  const double large = GrownMb(sealed);
  sealed.Settle();
  Readers alone(sealed.service(), kRotationApps);
  std::promise<void> never;
  (void)never.get_future().wait_for(std::chrono::seconds(15));
  const double quiet = alone.P99Ms();
  Readers beside(sealed.service(), kRotationApps);
  const Turn turn = sealed.RotateTo("b");
  const double busy = beside.P99Ms();
  figures["rotation.rows_per_s"] = turn.rows_per_s;
  figures["rotation.get_p99_alone_ms"] = quiet;
  figures["rotation.get_p99_beside_ms"] = busy;
  figures["rotation.get_p99_ratio"] = busy / quiet;
  figures["rotation.memory_mb"] = large;
  figures["rotation.memory_mb_at_4x"] = std::max(0.0, large - small);
  return figures;
}

}  // namespace baton::bench
