#include "sql/store/ids.h"

#include <algorithm>

#include "orchestrator/base/check.h"
#include "sql/session/session.h"

namespace baton {

std::int64_t DatabaseIds::NewIncarnation() {
  CHECK(!incarnations_.empty());  // Fill has seen to it
  const std::int64_t next = incarnations_.back();
  incarnations_.pop_back();
  return next;
}

void DatabaseIds::Fill(Session& session, std::size_t count) {
  if (!Lacks(count)) return;
  // A block at a time: only a call that desires an app anew uses one.
  const Rows rows = session.Run("NextIncarnations", {std::to_string(std::max<std::size_t>(count, 64))});
  std::vector<std::int64_t> fresh;
  for (const auto row : rows) fresh.push_back(row.Int());
  incarnations_.insert(incarnations_.begin(), fresh.rbegin(), fresh.rend());  // the smallest is given out first
}

}  // namespace baton
