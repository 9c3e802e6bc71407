// Brings all blobs to the active key while everything else goes on: a page of rows, then a pause in proportion, on a thread
// of its own. What it has done is in the database; this only asks for the next page, and says how far it is.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "orchestrator/app/leader/asked_loop.h"
#include "orchestrator/ports/key_store.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class KeyRotation {
 public:
  using Steady = std::chrono::steady_clock;
  struct Options {
    int page_rows = 250;
    double share = 0.55;  // of the time, at most; the rest is for others
    Duration look = seconds(1);
    Duration again = std::chrono::minutes(10);  // after it got stuck: somebody may have mended what was in the way
  };
  struct Report {
    KeysView view;
    double rows_per_s = 0;   // since this process works on it
    std::string last_error;  // empty: the last step went well
  };
  using Answer = std::function<void(const Result<Report>&)>;

  KeyRotation(KeyStore& store, Log& log, Metrics& metrics, Options options);

  void Lead() { loop_.Lead(); }
  void Follow() { loop_.Follow(); }
  // Ends its thread, after the step that is under way. Who waits for an answer gets one.
  void Stop() { loop_.Stop(); }

  // From any thread. The answers come on the rotation's thread; UNAVAILABLE where this process does not lead.
  void Look(bool count, Answer answer) { loop_.Ask({.count = count, .answer = std::move(answer)}); }
  // Reads the key file again, and begins at once where something is to be done.
  void Rotate(Answer answer) { loop_.Ask({.rotate = true, .answer = std::move(answer)}); }
  // The active key's uses run low.
  void Wake() { loop_.Wake(); }

 private:
  struct Asked {
    bool rotate = false;
    bool count = false;
    Answer answer;
  };
  Ticker::Wait Turn(const std::vector<Asked>& asked, bool at_once);
  void AnswerTo(const std::vector<Asked>& asked);
  Status Begin();
  void Work();
  void Note(const RotationProgress& progress);
  void Failed(const Error& error);

  KeyStore& store_;
  Log& log_;
  Metrics& metrics_;
  const Options options_;
  // Of its thread alone:
  Steady::time_point due_{};
  Steady::time_point again_{};
  Steady::time_point told_{};
  Steady::time_point since_{};
  std::int64_t since_rows_ = -1;  // -1: this process has not worked yet
  double rows_per_s_ = 0;
  RotationState state_ = RotationState::kDone;
  std::string last_error_;

  AskedLoop<Asked> loop_;
};

}  // namespace baton
