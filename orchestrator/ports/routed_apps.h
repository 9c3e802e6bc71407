// What a leader keeps in memory of all apps, as it is read before it leads, and what became of it since
// (docs/decisions/0058). Of one thread, which it blocks; on a connection of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_state.h"

namespace baton {

class RoutedApps {
 public:
  virtual ~RoutedApps() = default;

  // From here on what is written is told by Since. False: a transaction that is open may have written before; ask
  // again. FAILED_PRECONDITION: the data is of another schema, or becomes so; rows are written then of which nothing
  // tells.
  virtual Result<bool> Begin() = 0;

  // Of each app only what a routing table is made of; all else is as by default.
  struct Page {
    std::vector<AppState> apps;       // that are desired or have instances, ordered by guid
    std::vector<std::string> broken;  // that cannot be read, with the fault; they are left out
    std::optional<ProcessGuid> next;  // where the next page begins; nothing: this was the last
  };
  // `ahead`: the next page is asked for at once, and may be read meanwhile. Begin, Since and the end of this wait for it.
  virtual Result<Page> ReadPage(const ProcessGuid& after, int limit, bool ahead) = 0;

  struct Written {
    bool anew = false;           // it is to be read from its beginning: nobody knows any more what was written
    std::vector<AppState> apps;  // some may be as they were; one that is gone, or cannot be read, has nothing in it
    std::vector<std::string> broken;  // that could be read before
  };
  // Every app of which a commit has told an event since Begin, or since this was asked last, and those that could not
  // be read. Commits that are under way are told of the next time.
  virtual Result<Written> Since() = 0;
};

}  // namespace baton
