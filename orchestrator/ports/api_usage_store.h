// Where calls of the API are kept, counted.
#pragma once

#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/calls/api_use.h"

namespace baton {

// Both block, and are called by one thread at a time. UNAVAILABLE where the database does not answer or another leads.
class ApiUsageStore {
 public:
  virtual ~ApiUsageStore() = default;
  // False: the data, of an older schema, has no place for them. After an error they may have been added all the same.
  virtual Result<bool> Add(const std::vector<ApiCalls>& calls) = 0;
  virtual Result<std::vector<ApiUse>> Read() = 0;
};

}  // namespace baton
