// Rolls of 60 apps beside ten apps that no cell takes, with simulated cells that say that they have room and have not.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/rig.h"
#include "tests/bench/shapes.h"
#include "tools/stack/wait_for.h"

namespace baton::bench {
namespace {

constexpr int kRejectedRolling = 60;
constexpr int kRejected = 10;
constexpr int kRejectedInstances = 4;  // of each app
constexpr int kRejectedCells = 4;
// So that a roll takes some four seconds, and rejections after one and two seconds fall into it.
constexpr int kStartMs = 200;
constexpr int kStopMs = 200;
constexpr int kMinHealthyMs = 500;
constexpr int kRejectedRounds = 5;

class Neighbours {
 public:
  Neighbours() {
    rig_.StartBatond();
    rig_.StartCells(kRejectedCells, kStartMs, kStopMs);
    for (int i = 0; i < kRejectedRolling; ++i) Desire(BenchGuid(i), /*memory_mb=*/1024);
    AwaitRolled();
  }

  // All 60 to another definition: from the first roll's begin to the last one's end, by PostgreSQL's clock.
  double RollMs() {
    const std::string version = "v" + std::to_string(++version_);
    for (int i = 0; i < kRejectedRolling; ++i) {
      v2::DesiredLRPUpdate update = NewDefinition(BenchGuid(i), version).update();
      update.set_update_identifier(version);
      rig_.api().Update(BenchGuid(i), update);
    }
    AwaitRolled();
    const std::string of_these =
        " FROM roll_history WHERE target_definition = '" + version + "' AND state = 'COMPLETED'";
    CHECK(rig_.Number("SELECT count(*)" + of_these) == kRejectedRolling);
    return static_cast<double>(
        rig_.Number("SELECT (1000 * extract(epoch FROM max(finished_at) - min(opened_at)))::bigint" + of_these));
  }

  // Returns when each of them was rejected, and says so with the cells' words. Each time others: who was rejected before
  // would wait longer from the beginning.
  void DesireRejected() {
    ++rejected_;
    for (int i = 0; i < kRejected; ++i) Desire(RejectedGuid(i), 2 * kSimulatedMemoryMb);
    for (int i = 0; i < kRejected; ++i) {
      CHECK(stack::WaitFor(std::chrono::seconds(60), {}, [&] {
        const auto instances = rig_.api().Instances(RejectedGuid(i));
        return std::ranges::any_of(instances, [](const v2::ActualLRP& lrp) {
          return lrp.placement_error().find("insufficient memory") != std::string::npos;
        });
      }));
    }
  }
  void RemoveRejected() {
    for (int i = 0; i < kRejected; ++i) rig_.api().Remove(RejectedGuid(i));
  }
  // Since batond began, as it writes each of them down.
  int Rejections() const {
    std::ifstream log(rig_.Path("batond.log"));
    int count = 0;
    for (std::string line; std::getline(log, line);) count += line.find("cell_rejects") != std::string::npos;
    return count;
  }

 private:
  void Desire(const std::string& guid, int memory_mb) {
    v2::DesiredLRP app = LightApp(guid).desired_lrp();
    app.clear_routes();
    app.set_instances(kRejectedInstances);
    app.mutable_strategy()->set_min_healthy_time_ms(kMinHealthyMs);
    app.mutable_definition()->mutable_resource()->set_memory_mb(memory_mb);
    rig_.api().Desire(app);
  }
  std::string RejectedGuid(int number) const {
    return "rejected-" + std::to_string(rejected_) + "-" + std::to_string(number);
  }
  // The first roll of a rejected app stays open.
  void AwaitRolled() { rig_.AwaitSql("NOT EXISTS (SELECT FROM rolls WHERE process_guid LIKE 'app-%')"); }

  Rig rig_;
  int version_ = 1;
  int rejected_ = 0;  // how often such apps were desired
};

}  // namespace

Figures BenchBesideRejected() {
  const std::string name = "fairness.rolls_beside_rejected";
  Neighbours neighbours;
  std::vector<double> alone_ms, beside_ms, ratios, rejections;
  for (int round = 0; round < kRejectedRounds; ++round) {
    const double alone = neighbours.RollMs();
    neighbours.DesireRejected();
    const int before = neighbours.Rejections();
    const double beside = neighbours.RollMs();
    rejections.push_back(neighbours.Rejections() - before);
    CHECK(rejections.back() > 0);  // they were asked for all the while
    neighbours.RemoveRejected();
    std::printf("%s: 60 rolls took %.0f ms, beside ten rejected apps %.0f ms with %.0f rejections\n", name.c_str(),
                alone, beside, rejections.back());
    std::fflush(stdout);
    alone_ms.push_back(alone);
    beside_ms.push_back(beside);
    ratios.push_back(beside / alone);
  }
  Figures figures;
  figures[name + ".alone_ms"] = MedianOf(alone_ms);
  figures[name + ".beside_ms"] = MedianOf(beside_ms);
  figures[name + ".rejections"] = MedianOf(rejections);
  figures[name + "_ratio"] = MedianOf(ratios);
  return figures;
}

}  // namespace baton::bench
