// The key file at the start of a batond, and what it remembers of the one before.
#pragma once

#include <memory>
#include <string>

#include "orchestrator/crypto/keys.h"
#include "orchestrator/ports/log.h"
#include "schema/memory.h"

namespace baton::batond {

// Null: there is none. FAILED_PRECONDITION where one that was `sealed only` once is not any more; that it is is remembered.
Result<std::shared_ptr<const KeyRing>> TakeKeyFile(const std::string& path, const MemoryFile& memory, Log& log);

// Whether the key file is one, before anything is begun: FAILED_PRECONDITION with what is wrong with it.
Status CheckKeyFile(const std::string& path);

}  // namespace baton::batond
