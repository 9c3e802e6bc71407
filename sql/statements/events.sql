-- The outbox. Order is by sequence: taken after the lock on what an event tells of, so for one thing it is the order of
-- commits. A transaction may commit a lower sequence than one that is visible already; a reader of the end stops at such
-- a gap until nobody can fill it any more (sql/read/event_gaps.h).

-- name: ReadEventsAfter
SELECT sequence, at, kind, process_guid, payload, incarnation
FROM events
WHERE sequence > $1::bigint AND sequence <= $2::bigint
ORDER BY sequence
LIMIT $3::int;

-- name: SequencesAfter
-- Of those whose events this process has in memory most often: their rows are not read.
SELECT sequence FROM events WHERE sequence > $1::bigint ORDER BY sequence LIMIT $2::int;

-- name: EventWriters
-- Who may still commit an event: an INSERT locks the table before it takes a sequence, until its transaction ends.
SELECT DISTINCT virtualtransaction
FROM pg_locks
WHERE locktype = 'relation' AND relation = 'events'::regclass AND mode = 'RowExclusiveLock'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database());

-- name: EventBounds
-- The oldest that is kept, the newest that was ever given out, and the newest that was committed; 0: none.
SELECT coalesce((SELECT min(sequence) FROM events), 0) AS oldest,
       coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'sequence')::regclass), 0) AS newest_given_out,
       coalesce((SELECT max(sequence) FROM events), 0) AS newest;

-- name: AppsOfEventsAfter
SELECT DISTINCT process_guid FROM events WHERE sequence > $1::bigint AND process_guid <> '';

-- name: ReadSchemaMark
-- `mark`: another one where the schema was changed, even there and back.
SELECT current, target, concat_ws(' ', current, target, xmin) AS mark FROM versions;
