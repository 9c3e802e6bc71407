// The cell's session with the leader: connects, sends hello and heartbeats, reconnects for ever, and drops messages of
// a deposed leader. Its listener supplies the hello and handles the messages.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "baton/v2/cells_service.pb.h"
#include "orchestrator/ports/log.h"
#include "tools/cell/leader/epoch_fence.h"
#include "tools/cell/leader/leader_link.h"
#include "tools/client/leader_search.h"
#include "tools/shim/event_loop.h"

namespace baton::cell {

class LeaderListener {
 public:
  virtual ~LeaderListener() = default;
  virtual v2::CellHello Hello() = 0;  // but for what the cell obeys
  virtual v2::CellHeartbeat Heartbeat() = 0;
  virtual void Connected() = 0;  // welcomed: reports may be sent
  virtual void Disconnected() = 0;
  virtual void Run(const v2::RunOrder& order) = 0;
  virtual void Stop(const v2::StopOrder& order) = 0;
  virtual void ShowOutput(const v2::OutputAsk& ask) = 0;
  virtual void Result(const v2::CellReportResult& result) = 0;
  virtual void Definition(const std::string& content_hash, baton::Result<v2::LRPDefinition> definition) = 0;
};

class LeaderSession {
 public:
  // What has to outlast this process is kept in `directory`.
  LeaderSession(shim::EventLoop& loop, Log& log, LeaderListener& listener, std::vector<std::string> addresses,
                const std::string& directory, ClientCredentials credentials = nullptr);
  // Whatever store the next leader leads: it is obeyed, and then the leaders of that one. Before Start.
  void AcceptAnyStore() { epoch_fence_.Forget(); }
  ~LeaderSession();

  void Start();
  bool connected() const { return welcomed_; }
  // Only while connected.
  void Send(v2::CellMessage message);
  void Fetch(const v2::GetDefinitionRequest& request, const std::string& content_hash);

  // Ends the stream after the reports under way. Then calls `ended`, the last callback.
  void End(std::function<void()> ended);

 private:
  void Connect();
  // `nobody`: there was no leader to lose, where this cell had none before either.
  void Reconnect(const std::string& why, bool nobody = false, const Hints& hints = {});
  void Received(const v2::LeaderToCell& message);
  void Welcomed(const v2::CellWelcome& welcome);
  void Beat();

  shim::EventLoop& loop_;
  Log& log_;
  LeaderListener& listener_;
  LeaderSearch search_;
  EpochFence epoch_fence_;
  const std::string directory_id_;
  LeaderLink link_;
  shim::EventLoop::TimerId timer_ = 0;  // to connect, or for the welcome to come, or to beat
  shim::EventLoop::Clock::duration beat_every_{};
  bool welcomed_ = false;
  std::function<void()> ended_;
};

}  // namespace baton::cell
