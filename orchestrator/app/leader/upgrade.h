// The online upgrade of the data, as the leader drives it: a page of a shard, then a pause in proportion, on a thread of its
// own. What it has done is in the database; this only asks for the next step, and says how far it is.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "orchestrator/app/leader/asked_loop.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/ports/upgrader.h"

namespace baton {

class Upgrade {
 public:
  using Steady = std::chrono::steady_clock;
  struct Options {
    int page_rows = 1500;
    double share = 0.7;  // of the time, at most; the rest is for others
    Duration look = seconds(1);
  };
  enum class Wish { kLook, kBegin, kRollBack, kFinish };
  using Answer = std::function<void(const Result<UpgradeView>&)>;

  Upgrade(Upgrader& upgrader, Log& log, Metrics& metrics, Options options);

  void Lead() { loop_.Lead(); }
  void Follow() { loop_.Follow(); }
  // Ends its thread, after the step that is under way. Who waits for an answer gets one.
  void Stop() { loop_.Stop(); }

  // From any thread. The answers come on the upgrade's thread; UNAVAILABLE where this process does not lead.
  void Ask(Wish wish, UpgradeWish how, Answer answer) { loop_.Ask({wish, std::move(how), std::move(answer)}); }

 private:
  struct Asked {
    Wish wish = Wish::kLook;
    UpgradeWish how;
    Answer answer;
  };
  Ticker::Wait Turn(const std::vector<Asked>& asked, bool at_once);
  void AnswerTo(const Asked& asked);
  void Work();
  void Note();

  Upgrader& upgrader_;
  Log& log_;
  Metrics& metrics_;
  const Options options_;
  // Of its thread alone:
  Steady::time_point due_{};
  Steady::time_point noted_{};
  Steady::time_point since_{};
  UpgradeState state_ = UpgradeState::kNone;
  std::int64_t rows_at_first_ = 0;
  std::int64_t rows_left_ = 0;
  double rows_per_s_ = 0;
  std::string last_error_;

  AskedLoop<Asked> loop_;
};

}  // namespace baton
