// A cell that says exactly what the test tells it to, over a real stream.
#pragma once

#include <set>
#include <string>

#include "tests/server/running_service.h"
#include "tests/server/scripted_stream.h"

namespace baton {

class ScriptedCell : public ScriptedStream<v2::CellMessage, v2::LeaderToCell> {
 public:
  ScriptedCell(RunningService& service, const std::string& id) : ScriptedCell(*service.cells, id) {}
  ScriptedCell(v2::Cells::Stub& cells, const std::string& id);

  v2::CellHello& hello() { return hello_; }
  void Hello();
  // The same, and waits until its rows were compared with what it said: a row that says before that that something runs
  // here is taken for a start that the cell forgot. For tests in which others than the cell's own reports say so.
  void HelloUntilCompared();
  // From here on until its end, so that its lease runs.
  void KeepBeating();
  // No word any more; its stream stays.
  void FallSilent() { StopBeating(); }
  // Reports one fact under a new report id, and gives what the leader answered.
  v2::CellReportResult Report(v2::CellReport report);
  // The leader's answer to the hello that was sent.
  v2::CellWelcome Welcome();
  bool IsWelcome();
  // The first order to run something, as soon as there is one.
  v2::RunOrder NextRun();
  // The first ask for output that was not taken yet, as soon as there is one. `output.ask_id` is set by Show.
  v2::OutputAsk NextOutputAsk();
  void Show(const v2::OutputAsk& ask, v2::CellOutput output);
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
  // The first entry of the list that was not taken yet, as soon as there is one.
  template <class One>
  One Next(const google::protobuf::RepeatedPtrField<One>& (v2::LeaderToCell::*list)() const, std::size_t& taken);

  v2::CellHello hello_;
  std::uint64_t next_report_ = 1;
  std::size_t runs_taken_ = 0;
  std::size_t asks_taken_ = 0;
};

}  // namespace baton
