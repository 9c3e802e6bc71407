-- name: ReadEventKinds
-- In order, after a sequence; never past a transaction that may still commit, for it may have taken a lower one.
SELECT sequence, kind
FROM events
WHERE sequence > $1::bigint AND xid < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY sequence;
