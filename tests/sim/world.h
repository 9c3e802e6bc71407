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
#include "tests/sim/starts.h"

namespace baton::sim {

// What may be wrong with several leaderships, planted to see that the promises break (tests/sim/partitions_test.cc).
enum class Bug {
  kNone,
  kDrivesAllApps,          // a leader looks after apps of another's range, too
  kFencesByAnothersLease,  // transactions of every leader hold the first range's lease
  kOneEpochForAllLeases,   // a cell compares epochs of different leases
  kCellTrustsOrders,       // a cell runs what it has no room for
  kEventsPassGaps,         // who follows the events does not wait for a sequence that is missing
  kElectionShiftsAllApps,  // who is elected after a standstill of its own range moves the times of all apps
};

struct PlantedBug {
  const char* name;
  Bug bug;
};
inline constexpr PlantedBug kBugs[] = {{"drives-all-apps", Bug::kDrivesAllApps},
                                       {"fences-by-anothers-lease", Bug::kFencesByAnothersLease},
                                       {"one-epoch-for-all-leases", Bug::kOneEpochForAllLeases},
                                       {"cell-trusts-orders", Bug::kCellTrustsOrders},
                                       {"events-pass-gaps", Bug::kEventsPassGaps},
                                       {"election-shifts-all-apps", Bug::kElectionShiftsAllApps}};

// Drawn from the seed: which kinds of trouble this run has.
struct Options {
  std::uint64_t seed = 1;    // of these options, and of the schedule
  std::uint64_t course = 0;  // another schedule with the same options; 0: the seed's own
  int apps = 2;
  int cells = 3;
  int routers = 1;
  int instances_max = 4;
  bool cells_die = false;
  bool cells_drain = false;
  bool retires = false;
  bool cells_reject = false;  // one cell or all of them a definition, or a cell everything; before its claim or after
  bool links_break = false;
  bool leader_crashes = false;
  bool late_reports = false;
  bool bad_versions = false;
  bool scarce = false;
  bool routers_lag = false;
  bool routers_fall_silent = false;  // for less than a lease
  bool routers_come = false;         // of new names; some never say anything
  bool deletes = false;
  bool recreate = false;
  bool stages = false;
  bool store_faults = false;  // commits that are lost, commits whose answer is, and transactions that are done again
  bool yields = false;        // a leader may be paused or die between any two statements
  bool leader_pauses = false;
  int operations = 12;
  seconds length{240};  // of the part with trouble

  // More than one: the apps are shared out among so many leaderships, by hash range. What may happen to these only:
  int partitions = 1;
  bool streams_break = false;  // from a cell to one of the leaders
  bool all_crash = false;      // the leaders of all ranges at one time
  bool outages = false;        // of one range: nobody leads it for long, perhaps into the calm
  bool collects = false;       // each leader collects, of all apps, by what it saw a while ago
  bool domains_flicker = false;
  bool stale_rooms = false;  // leaders know what others run on a cell from its hello only, not from heartbeats
  Bug bug = Bug::kNone;

  static Options Draw(std::uint64_t seed);
  // The same for so many leaderships, with more apps.
  Options Split(int into) const;
  std::string Text() const;
};

// Each kind of trouble by its name: to be shown, and to be left out.
struct Trouble {
  const char* name;
  bool Options::*on;
};
inline constexpr Trouble kTroubles[] = {{"cells-die", &Options::cells_die},
                                        {"cells-drain", &Options::cells_drain},
                                        {"cells-reject", &Options::cells_reject},
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
                                        {"routers-fall-silent", &Options::routers_fall_silent},
                                        {"routers-come", &Options::routers_come},
                                        {"deletes", &Options::deletes},
                                        {"recreate", &Options::recreate},
                                        {"stages", &Options::stages},
                                        {"streams-break", &Options::streams_break},
                                        {"all-crash", &Options::all_crash},
                                        {"outages", &Options::outages},
                                        {"collects", &Options::collects},
                                        {"domains-flicker", &Options::domains_flicker},
                                        {"stale-rooms", &Options::stale_rooms}};

// How a version behaves is in its name's first letter: good, slow, crashes at its start, crashes later (before
// min_healthy_time), never ready, dies when it has been let in (after min_healthy_time).
enum class Behaviour { kGood, kSlow, kCrashes, kCrashesLater, kNeverReady, kDies };
Behaviour BehaviourOf(const DefinitionId& id);

class Cell;
class Leadership;
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
  std::vector<std::unique_ptr<Leadership>>& leaderships() { return leaderships_; }
  Leadership& LeadershipOf(const ProcessGuid& guid);
  // The one that was elected last: whom everybody talks to of this app.
  Leader& LeaderOf(const ProcessGuid& guid);
  bool Planted(Bug bug) const { return options_.bug == bug; }
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

  // --- Orders to run something, and those that came where there was no room for it any more
  struct Orders {
    std::uint64_t all = 0;
    std::uint64_t without_room = 0;
  };
  void CountOrder(bool room) { ++orders_.all, orders_.without_room += room ? 0 : 1; }
  const Orders& orders() const { return orders_; }

 private:
  struct Entry {
    TimePoint at;
    std::uint64_t order;
    std::function<void()> what;
    bool operator>(const Entry& other) const { return std::tie(at, order) > std::tie(other.at, other.order); }
  };
  bool RunUntil(TimePoint end);
  void NoteChanges(const std::string& name, const ProcessGuid& guid, const AppChanges& changes);
  Cell& SomeCell();
  // Up to so many times, at any time, if it is on.
  void MayHappen(bool on, int most, const std::function<void()>& what);
  void BeginTrouble();
  void BeginTroubleOfPartitions();
  void CollectNowAndThen(Leadership& leadership);
  void CalmDown();
  // Until nothing moves any more, or for so long that nothing ever will; then what was wished for must have come.
  bool ComeToRest();

  Options options_;
  Rng rng_;
  TimePoint now_{seconds(1'000'000)};
  std::uint64_t order_ = 0;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::unique_ptr<Oracle> oracle_;
  std::unique_ptr<Database> database_;
  std::vector<std::unique_ptr<Leadership>> leaderships_;
  std::vector<std::unique_ptr<Cell>> cells_;
  std::vector<std::unique_ptr<Router>> routers_;
  std::map<CellId, TimePoint> missing_since_;
  bool calm_ = false;
  const bool noting_;
  std::string broken_;
  std::vector<std::string> notes_;
  Coverage met_;
  Starts starts_;
  Orders orders_;
};

}  // namespace baton::sim
