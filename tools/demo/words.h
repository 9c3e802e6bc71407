// Describes the events of a roll and the traffic in words for a new user.
#pragma once

#include <string>

#include "baton/v2/roll.pb.h"
#include "tools/load/snapshot.h"

namespace baton::demo {

std::string Words(const v2::RollStep& step);
std::string Words(const load::LoadSnapshot& traffic);
// "ROLLED_BACK" as "rolled back".
std::string Words(v2::RollState state);

}  // namespace baton::demo
