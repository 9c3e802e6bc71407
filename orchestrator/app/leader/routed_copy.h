// What a leader has to know of all apps: which routes they have, and whose the host names are. A standby has it as
// well, a second old, so that it leads at once where its turn comes, whatever the number of apps (docs/decisions/0058).
// On a thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "orchestrator/app/leader/loop.h"
#include "orchestrator/base/ticker.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/ports/routed_apps.h"

namespace baton {

class RoutedCopy {
 public:
  using MakeApps = std::function<std::unique_ptr<RoutedApps>()>;
  // Where it is kept. Called on the loop.
  struct Into {
    std::function<void()> clear;
    std::function<void(const AppState&)> take;  // as it is now; with nothing in it where it is gone
  };
  // How many apps were read after the election.
  using Complete = std::function<void(std::int64_t)>;

  RoutedCopy(MakeApps make_apps, Into into, Loop& loop, Log& log, Metrics& metrics);

  // From any thread, all of these.

  // Another leads: it follows what that one writes. Again does nothing.
  void StandBy();
  // Nobody commits any more until `complete` was called, on the loop: everything is as it was committed then. `keep`:
  // what the standby has may be completed, else all is read.
  void Lead(bool keep, Complete complete);
  // Whoever leads follows its own commits, and whoever led has missed the next one's: nothing of it is used any more.
  // So it is where this process could not lead.
  void Drop();
  void Stop() { ticker_.Stop(); }

 private:
  enum class Wanted : std::uint8_t { kNothing, kCopy, kAll };
  enum class Have : std::uint8_t { kNothing, kSome, kCopy };

  Ticker::Wait Tick();
  Ticker::Wait Begin();
  Ticker::Wait ReadPage();
  Ticker::Wait CatchUp();
  Ticker::Wait Failed(const Error& error);
  Ticker::Wait Completed();
  void Forget();
  void Take(std::vector<AppState> apps, const std::vector<std::string>& broken);
  void Wish(Wanted wanted, bool keep, Complete complete);
  bool Leads() const { return doing_ == Wanted::kAll; }

  const MakeApps make_apps_;
  const Into into_;
  Loop& loop_;
  Log& log_;
  Metrics& metrics_;

  // Of the ticker's thread.
  Wanted doing_ = Wanted::kNothing;
  std::unique_ptr<RoutedApps> apps_;
  Have have_ = Have::kNothing;
  ProcessGuid after_;       // of kSome: the next page's place
  bool of_before_ = false;  // it was begun before the election: something may have been written since
  std::int64_t read_ = 0;   // apps, since the election
  bool failing_ = false;

  std::mutex mutex_;
  Wanted wanted_ = Wanted::kNothing;
  bool wished_ = false;  // since the last tick
  bool forget_ = false;  // one of the wishes since then was not to go on with what there is
  Complete complete_;
  Ticker ticker_;
};

}  // namespace baton
