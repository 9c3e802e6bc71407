// The simulated world: virtual time, one queue of things to come, the store, and everybody who takes part. One seed
// decides everything.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <vector>

#include "tests/sim/coverage.h"
#include "tests/sim/database.h"
#include "tests/sim/rng.h"

namespace baton::sim {

// Drawn from the seed: which kinds of trouble this run has.
struct Options {
  std::uint64_t seed = 1;    // of these options, and of the schedule
  std::uint64_t course = 0;  // another schedule with the same options; 0: the seed's own
  int apps = 2;
  int cells = 3;
  int routers = 1;
  int instances_most = 4;
  bool cells_die = false;
  bool cells_drain = false;
  bool retires = false;
  bool links_break = false;
  bool leader_crashes = false;
  bool late_reports = false;
  bool bad_versions = false;
  bool scarce = false;
  bool routers_lag = false;
  bool deletes = false;
  bool recreate = false;
  bool stages = false;
  bool store_faults = false;  // commits that are lost, commits whose answer is, and transactions that are done again
  bool yields = false;        // a leader may be paused or die between any two statements
  bool leader_pauses = false;
  int operations = 12;
  seconds length{240};  // of the part with trouble

  static Options Draw(std::uint64_t seed);
  std::string Text() const;
};

// Each kind of trouble by its name: to be shown, and to be left out.
struct Trouble {
  const char* name;
  bool Options::*on;
};
inline constexpr Trouble kTroubles[] = {{"cells-die", &Options::cells_die},
                                        {"cells-drain", &Options::cells_drain},
                                        {"retires", &Options::retires},
                                        {"links-break", &Options::links_break},
                                        {"leader-crashes", &Options::leader_crashes},
                                        {"leader-pauses", &Options::leader_pauses},
                                        {"statement-faults", &Options::yields},
                                        {"store-faults", &Options::store_faults},
                                        {"late-reports", &Options::late_reports},
                                        {"bad-versions", &Options::bad_versions},
                                        {"scarce", &Options::scarce},
                                        {"routers-lag", &Options::routers_lag},
                                        {"deletes", &Options::deletes},
                                        {"recreate", &Options::recreate},
                                        {"stages", &Options::stages}};

// How a version behaves is in its name's first letter: good, slow, crashes at its start, crashes later (before
// min_healthy_time), never ready.
enum class Behaviour { kGood, kSlow, kCrashes, kCrashesLater, kNeverReady };
Behaviour BehaviourOf(const DefinitionId& id);

class Cell;
class Router;
class Oracle;

class World {
 public:
  // With `notes`, what happened is written down: slow, and only needed where something broke. A seed runs the same with
  // and without.
  explicit World(const Options& options, bool notes = false);
  ~World();

  // Runs it all. Empty: everything held; else what broke, with what happened before.
  std::string Run();

  // --- For those who take part
  Rng& rng() { return rng_; }
  const Options& options() const { return options_; }
  TimePoint now() const { return now_; }
  Database& database() { return *database_; }
  FakeStore& store();
  // The one that was elected last: whom everybody talks to.
  Leader& leader() { return *leader_; }
  Oracle& oracle() { return *oracle_; }
  std::vector<std::unique_ptr<Cell>>& cells() { return cells_; }
  std::vector<std::unique_ptr<Router>>& routers() { return routers_; }
  bool calm() const { return calm_; }  // the trouble is over
  void After(Duration delay, std::function<void()> what);
  Duration Ms(std::int64_t least, std::int64_t most) { return milliseconds(rng_.Between(least, most)); }
  bool notes() const { return noting_; }
  void Note(const std::string& text);
  void Broken(const std::string& what);
  // The app's rows and the planner's reasons.
  std::string Explain(const ProcessGuid& guid);
  const Coverage& met() const { return met_; }
  // To one app, or to all of them.
  void Met(const ProcessGuid& guid, Happening happening);
  void MetReport(const ProcessGuid& guid, const std::string& name);
  void MetByAll(Happening happening);

  // --- For the database
  bool StoreFails(int percent) { return options_.store_faults && !calm_ && rng_.Percent(percent); }
  void Committed(const std::string& name, const AppState& app, const AppChanges& changes,
                 std::optional<RollState> before);

  // --- Cells' leases, as the registry keeps them
  void RenewCell(const CellId& id, Duration lease);
  // Convergence judges silent cells; here before each transaction.
  void JudgeSilentCells();

  // --- Leadership
  // The leader is dead or paused: nobody renews its lease.
  void LeaseRunsOut();
  // After a pause: it leads on where its lease has not run out meanwhile. Where it has, and nobody else was elected, it
  // stands for election again.
  void RenewLease(Leader& leader);
  void RestartLater(Leader& leader);

 private:
  struct Entry {
    TimePoint at;
    std::uint64_t order;
    std::function<void()> what;
    bool operator>(const Entry& other) const { return std::tie(at, order) > std::tie(other.at, other.order); }
  };
  bool RunUntil(TimePoint end);
  void NoteChanges(const std::string& name, const ProcessGuid& guid, const AppChanges& changes);
  void Elect();
  void CalmDown();
  void BeginTrouble();

  Options options_;
  Rng rng_;
  TimePoint now_{seconds(1'000'000)};
  std::uint64_t order_ = 0;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::unique_ptr<Oracle> oracle_;
  std::unique_ptr<Database> database_;
  std::vector<std::unique_ptr<Leader>> leaders_;
  Leader* leader_ = nullptr;
  std::optional<TimePoint> lease_ends_;  // nothing: it is being renewed
  std::vector<std::unique_ptr<Cell>> cells_;
  std::vector<std::unique_ptr<Router>> routers_;
  std::map<CellId, TimePoint> missing_since_;
  bool calm_ = false;
  const bool noting_;
  std::string broken_;
  std::vector<std::string> notes_;
  Coverage met_;
};

}  // namespace baton::sim
