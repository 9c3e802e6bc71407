// Which cells said no to what, and when they are asked again. A rejection counts against what was asked, a definition of
// an app, on that cell; for all other apps the cell is what it was. Values only: time comes as an argument.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "orchestrator/base/time.h"
#include "orchestrator/model/fleet/lack.h"
#include "orchestrator/model/id.h"
#include "orchestrator/placement/place.h"

namespace baton {

// What is asked of cells: all instances of one definition are the same to them.
struct Asked {
  ProcessGuid guid;
  std::string content_hash;
  auto operator<=>(const Asked&) const = default;
};

// 1 s x 2^(times-1), at most 30 s; none for the 0th.
Duration AskAgainAfter(int times);

// So many cells are asked one right after the other; from then on what they all reject waits longer and longer, so that
// it costs the cells and the leader the less, the longer nobody takes it.
inline constexpr int kRejectionsAtOnce = 3;

class Refusals {
 public:
  struct Rejection {
    std::string why;
    Lack lack = Lack::kOther;
    CellOffer offer;  // the cell by the leader's account, without what it rejected
  };
  void Rejected(const Asked& asked, const CellId& cell, Rejection rejection, TimePoint now);
  // It left an order unanswered. That is no word about what was asked: others are asked at once.
  void Unanswered(const Asked& asked, const CellId& cell, const std::string& why, TimePoint now);
  // It may still find out what it lacks: how often it rejected is remembered until an instance runs there.
  void Claimed(const Asked& asked, const CellId& cell);
  void Started(const Asked& asked, const CellId& cell);

  // A cell came: what it rejected before it may take now, and everything that is rejected may find its place there.
  void Opened(const CellId& cell);
  // The cell has room for more. Who was rejected there for the lack of it and finds more now than it was ever rejected
  // with may ask at once; who finds no more waits on: a release alone is no reason to ask.
  void Grew(const CellOffer& offer);
  // Apps that are gone, and definitions that are asked for no more.
  void Forget(TimePoint now);

  // Cells that are not to be asked for it now, and their words.
  std::map<CellId, std::string> Of(const Asked& asked, TimePoint now) const;
  // `under_way`: orders for it that are not answered. While it is being rejected, one cell at a time is asked.
  bool MayAsk(const Asked& asked, int under_way, TimePoint now) const;
  // When one may be asked that may not be asked now; nothing: it need not wait.
  std::optional<TimePoint> AskAgainAt(const Asked& asked, TimePoint now) const;
  // What the cells said last, "cell-1: refused: ...; cell-2: refused: ..."; empty: nothing.
  std::string Words(const Asked& asked) const;
  std::size_t size() const { return all_.size(); }

 private:
  struct Refusal {
    std::string why;
    Lack lack = Lack::kOther;
    int times = 0;       // in a row
    TimePoint until;     // not asked before
    std::int64_t had = 0;  // of what it lacks, the most that it was rejected with
  };
  struct State {
    std::map<CellId, Refusal> cells;
    int rejections = 0;      // in a row, whichever cells they came from
    TimePoint not_before;    // no cell is asked before
    bool claimed = false;    // the last one took it
    TimePoint touched;
  };
  std::map<Asked, State> all_;
};

// Cells that fail for every app: they leave the orders of several apps unanswered, or reject them for a reason that
// lies in the cell.
class Complaints {
 public:
  // How long the cell is to be given nothing; nothing: it goes on as it is.
  std::optional<Duration> Unanswered(const CellId& cell, const ProcessGuid& guid);
  std::optional<Duration> OwnFault(const CellId& cell, const ProcessGuid& guid);
  // It claimed an instance: all is well again.
  void Took(const CellId& cell);
  void Forget(const CellId& cell) { cells_.erase(cell); }

 private:
  struct State {
    std::set<ProcessGuid> unanswered;
    std::set<ProcessGuid> own_faults;
    int holds = 0;  // for faults of its own, in a row
  };
  std::map<CellId, State> cells_;
};

// Orders of so many different apps, with none taken in between, and the cell is given nothing for a while.
inline constexpr std::size_t kAppsFailedMax = 3;
inline constexpr Duration kUnansweredFor = seconds(30);

}  // namespace baton
