// Lists a cell's instances from its directory, also while the cell is down.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cell/instances/record.h"

namespace baton::cell {

struct ListedInstance {
  InstanceRecord record;
  shim::InstanceDir dir;
  std::string state;  // the phase; a running one whose shim is gone reads LOST
  std::optional<pid_t> pid;
  std::int64_t uptime_s = 0;
  std::optional<int> exit_status;
  std::string last_line;
};

// The ones in hand, and with `all` the dead whose directories are still there; the longest known first.
std::vector<ListedInstance> ListInstances(const std::string& cell_dir, bool all, std::int64_t now_ms);

std::string AsTable(const std::vector<ListedInstance>& instances);
std::string AsJson(const std::vector<ListedInstance>& instances);

// The kept output of the newest start of an instance, `actual_id` or an instance guid; nothing: it is not known.
std::optional<std::string> LogOf(const std::string& cell_dir, const std::string& id);

}  // namespace baton::cell
