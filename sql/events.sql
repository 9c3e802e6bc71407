-- name: ReadEventKinds
-- In order; never past a transaction that may still commit.
SELECT kind FROM events WHERE xid < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY sequence;
