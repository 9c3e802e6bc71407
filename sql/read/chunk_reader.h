// What became of a chunk of a list since it was read: PostgreSQL says which rows were written since, and how many there
// are (sql/statements/chunks.sql). Within a transaction of one snapshot.
#pragma once

#include "orchestrator/ports/reader.h"
#include "sql/session/session.h"

namespace baton {

Result<ChunkSince<DesiredRead>> ReadDesiredSince(Session& s, const KeptChunk& chunk, int most);
Result<ChunkSince<ActualRead>> ReadActualsSince(Session& s, const KeptChunk& chunk, int most);

}  // namespace baton
