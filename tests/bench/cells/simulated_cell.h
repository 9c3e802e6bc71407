// A cell that runs nothing: it claims what it is told to run, says that it runs after a while, and stops it after
// another. What wants more than kSimulatedMemoryMb it rejects. Over real streams, with the real cell's session and
// outbox.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "orchestrator/ports/log.h"
#include "tests/bench/cells/report_tally.h"
#include "tools/cell/leader/leader_session.h"
#include "tools/cell/leader/outbox.h"
#include "tools/cell/machine/room.h"
#include "tools/shim/event_loop.h"

namespace baton::bench {

class SimulatedCell final : public cell::LeaderListener {
 public:
  struct Options {
    std::string id;
    std::string dir;  // there is one
    std::vector<std::string> batond;
    std::chrono::milliseconds start{0};  // below 0: it claims nothing
    std::chrono::milliseconds stop{0};
    ReportTally* tally = nullptr;  // null: nobody wants to know what became of its reports
    int container_port = 0;        // of what it runs, each at a port of its own; 0: none
    bool holds = false;            // what it is told to run is not reported before Release
  };
  SimulatedCell(shim::EventLoop& loop, Log& log, const Options& options);

  void Start() { session_.Start(); }
  // Before its end, where that comes before the process's. Then calls `ended`.
  void End(std::function<void()> ended) { session_.End(std::move(ended)); }
  // Reports what was held. All of it is in its hands at once, and goes out in as few messages as it may.
  void Release();
  std::size_t held() const { return held_.size(); }

 private:
  struct Instance {
    v2::RunOrder order;
    std::string guid;
    std::uint32_t start = 0;  // of this cell's, from 1 on
    v2::CellInstance::State state = v2::CellInstance::CLAIMING;
  };
  v2::CellHello Hello() override;
  v2::CellHeartbeat Heartbeat() override { return {}; }
  void Connected() override;
  void Disconnected() override { outbox_.StreamLost(); }
  void Run(const v2::RunOrder& order) override;
  void Stop(const v2::StopOrder& order) override;
  void ShowOutput(const v2::OutputAsk&) override {}  // not among its abilities
  void Result(const v2::CellReportResult& result) override;
  void Definition(const std::string&, baton::Result<v2::LRPDefinition>) override {}

  v1::ActualLRPNetInfo NetInfo(const Instance& instance) const;
  void Reject(const v2::RunOrder& order, const cell::Shortage& shortage);
  void Claim(const std::string& actual_id);
  void Tell(const std::string& actual_id, const std::string& guid, std::uint64_t fact, v2::CellReport report);
  void Started(const std::string& actual_id);
  void Stopped(const v2::StopOrder& order);
  void After(std::chrono::milliseconds time, std::function<void()> then);
  void FlushSoon();

  shim::EventLoop& loop_;
  Options options_;
  std::map<std::string, Instance> instances_;  // by actual id
  std::vector<std::string> held_;              // actual ids
  std::uint32_t starts_ = 0;
  cell::Outbox outbox_;
  cell::LeaderSession session_;
  bool flush_posted_ = false;
};

}  // namespace baton::bench
