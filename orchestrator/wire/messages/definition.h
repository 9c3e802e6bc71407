// Definitions, both ways: checked on the way in, hashed by their content, the run info kept as bytes.
#pragma once

#include <string>

#include "baton/v2/definition.pb.h"
#include "orchestrator/base/result.h"
#include "orchestrator/model/definition.h"
#include "orchestrator/wire/stored/content_hash.h"

namespace baton::wire {

// INVALID_ARGUMENT with field, value and limit. Without an identifier the content hash becomes the name.
Result<DefinitionInput> DefinitionFrom(const v2::LRPDefinition& message);

// The definition back, secrets and all. An error names it: bytes that are no run info.
Status Fill(const Definition& definition, const std::string& run_info, v2::LRPDefinition& message);
Result<v2::LRPDefinition> ToMessage(const Definition& definition, const std::string& run_info);

}  // namespace baton::wire
