// The online upgrade of 100,000 LRPs of schema 1.1, there and back, with batond as a program of its own, while somebody
// writes and somebody reads: how fast the layouts are compared, what it does to writes and reads, and what it costs to
// write both.
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "baton/v2/upgrades_service.grpc.pb.h"
#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/cpu_meter.h"
#include "tests/bench/legacy_apps.h"
#include "tests/bench/paced_calls.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/running_service.h"
#include "tools/client/channel.h"
#include "tools/client/hints.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"
#include "tools/stack/wait_for.h"

namespace baton::bench {
namespace {

using Clock = PacedCalls::Clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kUpgradeApps = 16'700;                          // and five instances of each
constexpr int kRows = kUpgradeApps * (1 + kLegacyInstances);  // desired and actual LRPs
constexpr std::chrono::microseconds kWritePace{2000};
constexpr std::chrono::microseconds kReadPace{10'000};
constexpr seconds kQuiet{6};  // with nothing but the callers
constexpr int kUpgradeRounds = 3;
constexpr seconds kUpgradePatience{300};

stack::StackOptions Options(const std::string& dir) {
  stack::StackOptions options;
  options.dir = dir;
  options.cells = 0;
  options.batonds = 2;
  // No cell is there: the instances' own are rows with a lease that does not end. And nobody else leads where the
  // machine stands still for two seconds.
  options.batond_arguments = {"--upgrade", "online", "--cell-lease-ms", "3600000", "--leader-lease-ms", "10000"};
  options.prepare_database = [](const std::string& url) { MakeLegacyApps(*OpenSession(url), kUpgradeApps); };
  return options;
}

Clock::time_point TimeOf(const nlohmann::json& line) {
  const std::string text = line.at("ts");  // 2026-11-22T04:35:04.123456Z
  std::tm at{};
  int micros = 0;
  CHECK(std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%d.%d", &at.tm_year, &at.tm_mon, &at.tm_mday, &at.tm_hour, &at.tm_min,
                    &at.tm_sec, &micros) == 7);
  at.tm_year -= 1900;
  at.tm_mon -= 1;
  return Clock::from_time_t(timegm(&at)) + std::chrono::microseconds(micros);
}

double UpgradeSeconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

template <class Request, class Response>
struct UpgradeCall {
  std::unique_ptr<grpc::ClientContext> context = Context();
  Request request;
  Response response;
};

// Writes an app's annotation, which is the number of the write. No app is written again within half a minute.
class Writes {
 public:
  explicit Writes(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(v1::DesiredLRPs::NewStub(channel)), apps_(kUpgradeApps),
        calls_(kWritePace, [this](int n, auto done) { Start(n, done); }) {}

  PacedCalls& calls() { return calls_; }

  // Apps of which something else is found than what was acknowledged last, or that were written more often than that.
  int Lost() {
    calls_.Stop();
    int lost = 0;
    int found = 0;
    const auto context = Context();
    context->set_deadline(Clock::now() + kUpgradePatience);
    auto reader = stub_->ListDesiredLRPs(context.get(), {});
    for (v1::DesiredLRPsResponse page; reader->Read(&page);) {
      for (const v1::DesiredLRP& lrp : page.desired_lrps()) {
        const App& app = apps_.at(static_cast<std::size_t>(std::stoi(lrp.process_guid().substr(4))));
        const std::string expected = app.acknowledged == 0 ? "" : std::to_string(app.last);
        lost += lrp.annotation() != expected || static_cast<int>(lrp.modification_tag().index()) != app.acknowledged;
        ++found;
      }
    }
    CHECK(reader->Finish().ok() && found == kUpgradeApps);
    return lost;
  }

 private:
  struct App {
    std::atomic<int> last{0};
    std::atomic<int> acknowledged{0};
  };

  void Start(int number, const PacedCalls::Done& done) {
    const int at = static_cast<int>(std::int64_t{number} * 7919 % kUpgradeApps);
    auto one = std::make_shared<UpgradeCall<v1::UpdateDesiredLRPRequest, v1::DesiredLRPLifecycleResponse>>();
    one->request.set_process_guid(LegacyGuid(at));
    one->request.mutable_update()->set_annotation(std::to_string(number));
    stub_->async()->UpdateDesiredLRP(
        one->context.get(), &one->request, &one->response, [this, one, number, at, done](const grpc::Status& status) {
          if (status.error_code() == grpc::StatusCode::UNAVAILABLE) return done(HintsIn(*one->context).retry_after);
          if (!status.ok()) std::fprintf(stderr, "a write: %s\n", status.error_message().c_str());
          CHECK(status.ok() && !one->response.has_error());
          App& app = apps_[static_cast<std::size_t>(at)];
          app.last = number;
          ++app.acknowledged;
          done(std::nullopt);
        });
  }

  std::unique_ptr<v1::DesiredLRPs::Stub> stub_;
  std::vector<App> apps_;
  PacedCalls calls_;
};

class Reads {
 public:
  explicit Reads(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(v1::DesiredLRPs::NewStub(channel)), calls_(kReadPace, [this](int n, auto done) { Start(n, done); }) {}

  PacedCalls& calls() { return calls_; }
  int failed() const { return failed_; }

 private:
  void Start(int number, const PacedCalls::Done& done) {
    auto one = std::make_shared<UpgradeCall<v1::DesiredLRPByProcessGuidRequest, v1::DesiredLRPResponse>>();
    one->request.set_process_guid(LegacyGuid(static_cast<int>(std::int64_t{number} * 104'729 % kUpgradeApps)));
    stub_->async()->GetDesiredLRP(one->context.get(), &one->request, &one->response,
                                  [this, one, done](const grpc::Status& status) {
                                    failed_ += !status.ok() || one->response.has_error();
                                    done(std::nullopt);
                                  });
  }

  std::unique_ptr<v1::DesiredLRPs::Stub> stub_;
  std::atomic<int> failed_{0};
  PacedCalls calls_;
};

class Upgrading {
 public:
  Upgrading() : stack_(Options(dir_.path())) {
    stack_.StartBatonds();
    const auto leader = stack_.api().Leader();
    CHECK(leader);
    leader_ = *leader;
    std::ifstream(dir_.path() + "/pg/data/postmaster.pid") >> postgres_;
    const auto session = OpenSession(stack_.database_url());
    Within(*session, [](Session& s) {
      s.RunScript(
          "INSERT INTO cells (cell_id, zone, address, memory_mb, disk_mb, pids, containers, stacks, placement_tags, abilities, "
          "enforces, version, first_seen_at, lease_expires_at) SELECT 'cell-' || n, 'z' || n % 3, '', 1000000, 1000000, 0, "
          "10000, '{cflinuxfs4:}', '{}', '{run,user}', '{}', '', now(), now() + interval '1 day' FROM generate_series(0, " +
          std::to_string(kLegacyCells - 1) + ") AS n ON CONFLICT (cell_id) DO UPDATE SET lease_expires_at = EXCLUDED.lease_expires_at");
    });
    CHECK(session->RunAlone("VACUUM ANALYZE").ok());
    upgrades_ = v2::Upgrades::NewStub(Dial(stack_.api_address(leader_)));
  }
  void StartCallers() {
    writes_ = std::make_unique<Writes>(Dial(stack_.api_address(leader_)));
    reads_ = std::make_unique<Reads>(Dial(stack_.api_address(leader_)));
  }
  ~Upgrading() {
    writes_.reset();
    reads_.reset();
    stack_.Stop();
  }

  Writes& writes() { return *writes_; }
  Reads& reads() { return *reads_; }

  // What the first leader did before it served.
  double FirstCopySeconds() {
    std::ifstream log(dir_.path() + "/batond-" + std::to_string(leader_ + 1) + ".log");
    std::optional<Clock::time_point> began;
    for (std::string text; std::getline(log, text);) {
      const auto line = nlohmann::json::parse(text, nullptr, false);
      if (!line.is_object() || line.value("event", "") != "serving_state") continue;
      if (line.at("by") == "must_migrate") began = TimeOf(line);
      if (line.at("by") == "migrated" && began) return UpgradeSeconds(TimeOf(line) - *began);
    }
    CHECK(false);
  }

  struct Quiet {
    PacedCalls::Figures writes;
    double cpu_us = 0;  // for each write
  };
  Quiet Look() {
    const auto from = Clock::now();
    const double before = Cpu();
    stack::Rest(kQuiet, {});
    const double used = Cpu() - before;
    const auto to = Clock::now();
    stack::Rest(milliseconds(200), {});  // answers that are on their way
    Quiet quiet{.writes = writes_->calls().Of(from, to)};
    CHECK(quiet.writes.calls > 0);
    quiet.cpu_us = used * 1e6 / quiet.writes.calls;
    return quiet;
  }

  struct Turn {
    double sync_s = 0;
    double stop_ms = 0;
    double cpu_s = 0;
    PacedCalls::Figures syncing;  // writes
    PacedCalls::Figures writes;   // also of the switch
    PacedCalls::Figures reads;
  };
  Turn There(bool keep_old) {
    v2::BeginUpgradeRequest request;
    request.set_keep_old_in_sync(keep_old);
    return Go([&](auto& context, auto& response) { return upgrades_->BeginUpgrade(&context, request, &response); }, "SWITCHED");
  }
  Turn Back() {
    return Go([&](auto& context, auto& response) { return upgrades_->RollBackUpgrade(&context, {}, &response); }, "WAITING");
  }

  // Nobody else has changed anything: convergence had nothing to do.
  void ExpectAllRun() {
    const auto session = OpenSession(stack_.database_url());
    Within(*session, [](Session& s) {
      CHECK(
          s.RunScript("SELECT count(*) FROM actual_lrps WHERE state = 'RUNNING' AND presence = 'ORDINARY'")[0].Int() ==
          kUpgradeApps * kLegacyInstances);
      CHECK(s.RunScript("SELECT count(*) FROM actual_lrps")[0].Int() == kUpgradeApps * kLegacyInstances);
    });
  }

 private:
  static Clock::time_point At(std::int64_t ns) {
    return Clock::time_point(std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds(ns)));
  }

  // Of batond and PostgreSQL.
  double Cpu() { return CpuSecondsOf(stack_.batond_pid(leader_)) + CpuSecondsWithChildren(postgres_); }

  Turn Go(const std::function<grpc::Status(grpc::ClientContext&, v2::UpgradeResponse&)>& ask, const std::string& to) {
    v2::UpgradeResponse upgrade;
    const double cpu = Cpu();
    const auto began = Clock::now();
    const grpc::Status asked = ask(*Context(), upgrade);
    if (!asked.ok()) std::fprintf(stderr, "%s\n", asked.error_message().c_str());
    CHECK(asked.ok());
    const auto syncing = At(upgrade.changed_at());
    CHECK(upgrade.rows_total() == kRows);
    while (upgrade.state() != to) {
      stack::Rest(milliseconds(100), {});
      CHECK(upgrades_->GetUpgrade(Context().get(), {}, &upgrade).ok());
      CHECK(Clock::now() - began < kUpgradePatience);
    }
    const auto switched = At(upgrade.changed_at());
    const auto switching = switched - milliseconds(upgrade.write_stop_ms());
    Turn turn{.sync_s = UpgradeSeconds(switching - syncing),
              .stop_ms = static_cast<double>(upgrade.write_stop_ms()),
              .cpu_s = Cpu() - cpu,
              .syncing = {},
              .writes = {},
              .reads = {}};
    if (!writes_) return turn;
    const auto after = Clock::now() + milliseconds(300);
    stack::Rest(milliseconds(600), {});  // whoever was told to ask again has done so
    turn.syncing = writes_->calls().Of(began, switching);
    turn.writes = writes_->calls().Of(began, after);
    turn.reads = reads_->calls().Of(began, after);
    return turn;
  }

  stack::StateDir dir_;
  stack::Stack stack_;
  std::size_t leader_ = 0;
  pid_t postgres_ = 0;
  std::unique_ptr<v2::Upgrades::Stub> upgrades_;
  std::unique_ptr<Writes> writes_;
  std::unique_ptr<Reads> reads_;
};

// The best of several rounds where somebody else's work makes it worse, the worst of what nobody should see.
class Rounds {
 public:
  void Take(const Upgrading::Quiet& quiet) {
    Least(before_p99_, quiet.writes.p99_ms);
    both_cpu_.push_back(quiet.cpu_us);
    Say("WAITING", quiet.writes, quiet.cpu_us);
  }
  void TakeAlone(const Upgrading::Turn& turn) {
    auto& rate = figures_["upgrade.sync.alone.lrps_per_s"];
    rate.value = std::max(rate.value, kRows / turn.sync_s);
    Least(sync_cpu_, turn.cpu_s * 1e6 / kRows);
    std::printf("upgrade alone: %.0f LRPs/s, %.1f us CPU each, stop %.0f ms\n", kRows / turn.sync_s, turn.cpu_s * 1e6 / kRows,
                turn.stop_ms);
  }
  void TakeSwitched(const Upgrading::Quiet& quiet) {
    one_cpu_.push_back(quiet.cpu_us);
    Say("SWITCHED", quiet.writes, quiet.cpu_us);
  }
  void Take(const char* way, const Upgrading::Turn& turn) {
    figures_["upgrade.sync.lrps_per_s"] = std::max(figures_["upgrade.sync.lrps_per_s"].value, kRows / turn.sync_s);
    Least(syncing_p99_, turn.syncing.p99_ms);
    Most(std::string("upgrade.write_stop_") + way + "_ms", turn.stop_ms);
    Most("upgrade.write_wait_most_ms", turn.writes.most_ms);
    Most("upgrade.read_wait_most_ms", turn.reads.most_ms);
    Most("upgrade.read_gap_ms", turn.reads.gap_ms);
    std::printf("upgrade %s: %.0f LRPs/s, stop %.0f ms, writes p50 %.1f p99 %.1f ms, most %.0f ms with the switch, %d asked "
                "again; reads p99 %.1f ms, gap %.0f ms\n",
                way, kRows / turn.sync_s, turn.stop_ms, turn.syncing.p50_ms, turn.syncing.p99_ms, turn.writes.most_ms,
                turn.writes.asked_again, turn.reads.p99_ms, turn.reads.gap_ms);
  }
  Figures Take() {
    figures_["upgrade.write_p99_before_ms"] = before_p99_;
    figures_["upgrade.write_p99_syncing_ms"] = syncing_p99_;
    figures_["upgrade.write_p99_ratio"] = syncing_p99_ / before_p99_;
    figures_["upgrade.sync.cpu_us"] = sync_cpu_;
    // Those next to each other: where a batond gets less of the machine, writes share commits, and cost less.
    both_cpu_.erase(both_cpu_.begin(), both_cpu_.end() - kUpgradeRounds);
    figures_["upgrade.in_step.cpu_us_both"] = Median(both_cpu_);
    figures_["upgrade.in_step.cpu_us_one"] = Median(one_cpu_);
    figures_["upgrade.in_step.cpu_ratio"] = Median(both_cpu_) / Median(one_cpu_);
    return std::move(figures_);
  }

 private:
  static double Median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
  }
  static void Least(double& least, double value) { least = std::min(least, value); }
  void Most(const std::string& name, double value) { figures_[name] = std::max(figures_[name].value, value); }
  static void Say(const char* state, const PacedCalls::Figures& writes, double cpu_us) {
    std::printf("upgrade %s: writes p50 %.1f p99 %.1f most %.0f ms, %.0f us CPU each\n", state, writes.p50_ms, writes.p99_ms,
                writes.most_ms, cpu_us);
  }

  static constexpr double kMuch = 1e9;
  Figures figures_;
  double before_p99_ = kMuch, syncing_p99_ = kMuch, sync_cpu_ = kMuch;
  std::vector<double> both_cpu_, one_cpu_;
};

}  // namespace

Figures BenchUpgrade() {
  Upgrading upgrading;
  Rounds rounds;
  for (int i = 0; i < kUpgradeRounds; ++i) {
    rounds.TakeAlone(upgrading.There(/*keep_old=*/true));
    rounds.TakeAlone(upgrading.Back());
  }
  upgrading.StartCallers();
  stack::Rest(seconds(3), {});  // connections and plans are made
  for (int i = 0; i < kUpgradeRounds; ++i) {
    rounds.Take(upgrading.Look());
    rounds.Take("there", upgrading.There(/*keep_old=*/true));
    rounds.Take("back", upgrading.Back());
  }
  for (int i = 0; i < kUpgradeRounds; ++i) rounds.Take(upgrading.Look());
  rounds.Take("there", upgrading.There(/*keep_old=*/false));
  for (int i = 0; i < kUpgradeRounds; ++i) rounds.TakeSwitched(upgrading.Look());
  Figures figures = rounds.Take();
  figures["upgrade.first_copy.lrps_per_s"] = kRows / upgrading.FirstCopySeconds();
  figures["upgrade.reads_failed"] = upgrading.reads().failed();
  figures["upgrade.writes_lost"] = upgrading.writes().Lost();
  upgrading.ExpectAllRun();
  return figures;
}

}  // namespace baton::bench
