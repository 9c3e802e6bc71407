// The page of who may call what, made from the .proto files.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/access/policy.h"

namespace baton::law {

std::string PrintAccess();

// Of all methods of both APIs, batond's own and the auctioneer's.
Policy::Methods AllAccess();

}  // namespace baton::law
