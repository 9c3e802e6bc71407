// Waiting until instances that were asked to go are gone, and their slots served.
#pragma once

#include <string>
#include <vector>

#include "tools/baton/session.h"

namespace baton::cli {

// One start that was asked to go. One that is started again meanwhile is another.
struct RetiringStart {
  std::string actual_id;
  std::string instance_guid;
  int index = 0;  // its slot
};

// As WaitFor (waiting.h); stuck where a HELD roll is to replace them. `guid`: their app; deleted, it waits for nothing.
int AwaitRetired(Session& session, const std::string& guid, const std::vector<RetiringStart>& starts);

}  // namespace baton::cli
