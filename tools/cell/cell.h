// The cell: takes orders from the leader, keeps its instances, reports what becomes of them. One loop owns it all.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "baton/v2/cells_service.pb.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "tools/cell/cell_options.h"
#include "tools/cell/instances/dead.h"
#include "tools/cell/instances/instance_runner.h"
#include "tools/cell/leader/leader_session.h"
#include "tools/cell/leader/outbox.h"
#include "tools/cell/machine/room.h"
#include "tools/client/backoff.h"

namespace baton::cell {

class Cell final : public InstanceOwner, public LeaderListener {
 public:
  // The caller holds the lock of options.dir.
  Cell(shim::EventLoop& loop, Log& log, Metrics& metrics, CellOptions options);
  ~Cell() override;

  // Finds what a former life left and connects.
  void Start();
  // Leaves the instances running, or stops them first if so configured; then `left` runs, and only destruction is
  // allowed.
  void Leave(std::function<void()> left);
  // From any thread, while this lives.
  std::int64_t MemoryInUse() const { return cgroups_.MemoryInUse(); }

  // LeaderListener.
  v2::CellHello Hello() override;
  v2::CellHeartbeat Heartbeat() override;
  void Connected() override;
  void Disconnected() override;
  void Run(const v2::RunOrder& order) override;
  void Stop(const v2::StopOrder& order) override;
  void ShowOutput(const v2::OutputAsk& ask) override;
  void Result(const v2::CellReportResult& result) override;
  void Definition(const std::string& content_hash, baton::Result<v2::LRPDefinition> definition) override;

  // InstanceOwner.
  void Report(InstanceRunner& runner) override;
  void Withdraw(InstanceRunner& runner) override;
  void Fetch(InstanceRunner& runner) override;
  void Forget(InstanceRunner& runner) override;
  void PhaseChanged(InstanceRunner& runner) override;

 private:
  InstanceRunner* Find(const std::string& actual_id);
  void Adopt(InstanceRecord record);
  // By pointer, because what is done with one may take it out of the map; it lives until the loop's next round.
  std::vector<InstanceRunner*> Runners() const;
  std::vector<InstanceRunner*> WhoWant(const std::string& content_hash) const;
  void Reject(const v2::RunOrder& order, const Shortage& shortage);
  std::optional<Shortage> Lacks(const v2::RunOrder& order, const Resources& resources);
  void FlushSoon();
  void Flush();
  void FetchAgain();
  Room CurrentRoom() const;
  std::set<std::string> DefinitionsInUse() const;
  void FinishIfDone();
  void MeasureSoon();
  void Measure();

  shim::EventLoop& loop_;
  Log& log_;
  Metrics& metrics_;
  CellOptions options_;
  Programs programs_;
  DirWatcher watcher_;
  Prober prober_;
  Ports ports_;
  Cgroups cgroups_;
  Trash trash_;
  Definitions definitions_;
  CellTools tools_;
  DeadInstances dead_;
  LeaderSession session_;

  Outbox outbox_;
  std::uint64_t loose_facts_ = 0;  // counts reports about instances that are not here
  Backoff retry_backoff_;
  bool flush_posted_ = false;
  bool measure_posted_ = false;
  std::map<std::string, std::unique_ptr<InstanceRunner>> runners_;  // by instance guid
  std::vector<std::unique_ptr<InstanceRunner>> forgotten_;          // until the loop's next round
  std::set<std::string> fetching_;                                  // content hashes
  std::set<std::string> falsified_;                                 // content hashes under which another content came
  Backoff fetch_backoff_;
  bool stops_instances_ = false;
  std::function<void()> left_;
};

}  // namespace baton::cell
