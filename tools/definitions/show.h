// One whole definition, with the app's image credentials beside it.
#pragma once

#include <nlohmann/json.hpp>

#include "orchestrator/base/result.h"
#include "tools/definitions/options.h"
#include "tools/definitions/snapshot.h"

namespace baton::definitions {

// NOT_FOUND: no such app or definition. DATA_LOSS: what is stored cannot be read. Secrets are redacted unless
// options.reveal says otherwise.
Result<nlohmann::ordered_json> ShowDefinition(Session& session, const DefinitionsOptions& options, TimePoint now);

}  // namespace baton::definitions
