#include "convergence/cells.h"

#include <algorithm>
#include <tuple>

namespace baton {
namespace {

struct Sorted {
  std::vector<const CellRecord*> silent;  // the longest first
  int present = 0;
  int lately_missing = 0;
};

Sorted Sort(const std::vector<CellRecord>& cells, TimePoint now, const LossLimits& limits) {
  Sorted sorted;
  for (const CellRecord& cell : cells) {
    if (cell.missing_since) {
      sorted.lately_missing += *cell.missing_since + limits.wait_out > now ? 1 : 0;
    } else if (cell.lease_expires_at <= now) {
      sorted.silent.push_back(&cell);
    } else {
      ++sorted.present;
    }
  }
  std::ranges::sort(sorted.silent, [](const CellRecord* a, const CellRecord* b) {
    return std::tie(a->lease_expires_at, a->id) < std::tie(b->lease_expires_at, b->id);
  });
  return sorted;
}

std::string Number(std::int64_t n) { return std::to_string(n); }

}  // namespace

CellJudgement JudgeCells(const std::vector<CellRecord>& cells, TimePoint now, const LossLimits& limits) {
  const Sorted sorted = Sort(cells, now, limits);
  CellJudgement judgement;
  const int all = sorted.present + sorted.lately_missing + static_cast<int>(sorted.silent.size());
  const int allowed = std::max(1, all * limits.cells_percent / 100);
  int missing = sorted.lately_missing;
  int instances = 0;
  for (const CellRecord* cell : sorted.silent) {
    const TimePoint until = cell->lease_expires_at + limits.wait_out;
    if (sorted.present == 0) {
      judgement.waited_out.push_back({cell->id, "no cell is present: there is nowhere to go", std::nullopt});
    } else if (missing >= allowed && until > now) {
      judgement.waited_out.push_back({cell->id,
                                      Number(sorted.silent.size()) + " of " + Number(all) + " cells are silent, and " +
                                          Number(allowed) + " may be taken for lost at once",
                                      until});
    } else if (instances > 0 && instances + cell->instances > limits.instances_max) {
      judgement.waited_out.push_back({cell->id,
                                      Number(instances) + " instances were given up for lost in this pass, and " +
                                          Number(limits.instances_max) + " may be",
                                      now});
    } else {
      ++missing;
      instances += cell->instances;
      judgement.missing.push_back(cell->id);
    }
  }
  return judgement;
}

}  // namespace baton
