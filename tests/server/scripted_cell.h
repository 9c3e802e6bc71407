// A cell that says exactly what the test tells it to, over a real stream.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "tests/server/running_service.h"

namespace baton {

class ScriptedCell {
 public:
  ScriptedCell(RunningService& service, const std::string& id);
  ~ScriptedCell();

  v2::CellHello& hello() { return hello_; }
  void Hello();
  void Send(const v2::CellMessage& message);
  // From here on until its end, so that its lease runs.
  void KeepBeating();
  // Reports one fact under a new report id, and gives what the leader answered.
  v2::CellReportResult Report(v2::CellReport report);
  // The leader's answer to the hello that was sent.
  v2::CellWelcome Welcome();
  // The first order to run something, as soon as there is one.
  v2::RunOrder NextRun();
  // Waits for it; the other one only looks at what was heard so far.
  bool WasToldToStop(const std::string& actual_id);
  bool HasHeardStop(const std::string& actual_id);
  // The epochs of all messages so far.
  std::set<std::int64_t> EpochsHeard();
  bool WaitForEnd();
  grpc::Status Finish();

  // Claims and starts an instance, ready at once. Its instance guid is the actual id with `suffix`.
  static v2::CellReport Claimed(const std::string& actual_id, const std::string& suffix = "-run");
  static v2::CellReport Started(const std::string& actual_id, const std::string& suffix = "-run");
  static v2::CellReport Rejected(const std::string& actual_id, const std::string& reason,
                                 v2::CellReport::Rejected::Lack lack = v2::CellReport::Rejected::LACK_UNSPECIFIED);
  static v2::CellReport Crashed(const std::string& actual_id, const std::string& suffix = "-run");

 private:
  bool HeardStop(const std::string& actual_id) const;
  void Listen();

  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v2::CellMessage, v2::LeaderToCell>> stream_;
  v2::CellHello hello_;
  std::uint64_t next_report_ = 1;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<v2::LeaderToCell> heard_;
  std::size_t runs_taken_ = 0;
  bool ended_ = false;
  std::mutex sending_;
  std::thread listener_;
  std::thread heart_;
};

}  // namespace baton
