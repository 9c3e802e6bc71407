// A cell that runs nothing: it claims what it is told to run, says that it runs after a while, and stops it after another. Over
// real streams, with the real cell's session and outbox.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "orchestrator/ports/log.h"
#include "tools/cell/leader_session.h"
#include "tools/cell/outbox.h"
#include "tools/shim/event_loop.h"

namespace baton {

class SimulatedCell final : public LeaderListener {
 public:
  struct Options {
    std::string id;
    std::string dir;  // there is one
    std::vector<std::string> batond;
    std::chrono::milliseconds start{0};  // below 0: it claims nothing
    std::chrono::milliseconds stop{0};
  };
  SimulatedCell(EventLoop& loop, Log& log, const Options& options);

  void Start() { session_.Start(); }

 private:
  struct Instance {
    v2::RunOrder order;
    std::string guid;
    v2::CellInstance::State state = v2::CellInstance::CLAIMING;
  };
  v2::CellHello Hello() override;
  v2::CellHeartbeat Heartbeat() override { return {}; }
  void Connected() override;
  void Disconnected() override { outbox_.StreamLost(); }
  void Run(const v2::RunOrder& order) override;
  void Stop(const v2::StopOrder& order) override;
  void Result(const v2::CellReportResult& result) override;
  void Definition(const std::string&, baton::Result<v2::LRPDefinition>) override {}

  void Tell(const std::string& actual_id, const std::string& guid, std::uint64_t fact, v2::CellReport report);
  void Started(const std::string& actual_id);
  void Stopped(const v2::StopOrder& order);
  void After(std::chrono::milliseconds time, std::function<void()> then);
  void FlushSoon();

  EventLoop& loop_;
  Options options_;
  std::map<std::string, Instance> instances_;  // by actual id
  Outbox outbox_;
  LeaderSession session_;
  bool flush_posted_ = false;
};

}  // namespace baton
