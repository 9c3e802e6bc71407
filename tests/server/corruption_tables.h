// Tables that say what the data is, who leads over it and which keys it takes: a value that was changed by hand may be a reason
// not to serve, which is then said. Rows of all others are one of many (corruption_tables_pgtest.cc).
#pragma once

#include "tests/server/corruption_fixture.h"

namespace baton {

struct ControlTable {
  const char* name;
  const char* row;  // put in first, as another program may have left it; empty: there are some
};
inline constexpr ControlTable kControlTables[] = {
    {"accepted_stores", "(store_id) VALUES (gen_random_uuid())"},
    {"idempotency_keys", ""},
    {"key_labels", ""},
    {"key_rotation", ""},
    {"leases", ""},
    {"lost_epochs", "(epoch) VALUES (1)"},
    {"migration_steps", "(version, kind, name, done) VALUES (102, 'CONTRACT', 'of before', true)"},
    {"migrations", ""},
    {"store", ""},
    {"upgrade", ""},
    {"upgrade_shards", "(target, shard, state, phase, rows_left) VALUES (1, 0, 'READY', 'SYNCING', 0)"},
    {"versions", ""},
};

}  // namespace baton
