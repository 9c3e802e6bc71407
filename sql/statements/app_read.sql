-- Reading all rows of some apps: unlocked for lists and explanations, locked (in this order, and by key within a statement)
-- for a batch of writes, but for instances.

-- name: ReadAnswers
SELECT idempotency_key, request_hash, answer FROM idempotency_keys WHERE idempotency_key = ANY ($1::text[]);

-- name: ReadDesired
SELECT {desired_lrps}
FROM desired_lrps
WHERE process_guid = ANY ($1::text[])
ORDER BY process_guid

-- name: LockDesired
-- `horizon`: all transactions before that one were over when this began, so who reads after it has seen what they wrote.
SELECT {desired_lrps}, pg_snapshot_xmin(pg_current_snapshot())::xid AS horizon, {statement ServerMark} AS server
FROM desired_lrps
WHERE process_guid = ANY ($1::text[])
ORDER BY process_guid
FOR UPDATE;

-- name: ReadRolls
SELECT {rolls}
FROM rolls
WHERE process_guid = ANY ($1::text[])
ORDER BY process_guid

-- name: LockRolls extends ReadRolls
FOR UPDATE;

-- name: ReadSlotLogs
-- What the step log says of each slot of an open roll: counted, never kept. By the rolls that were just read: a plan that
-- begins at the table of rolls was made while that was empty, as a rule, and reads all steps there are. `taken_at`: the
-- slot's first hand-over. Hashed, never sorted: a commit of an app of 1,000 instances groups 2,000 steps, and few slots have
-- failed.
SELECT g.guid, g.roll_id, g.instance_index,
       coalesce(cardinality(g.failed), 0) AS failed_attempts, g.last_failure_at, g.last_failure_sequence,
       g.taken_at IS NOT NULL AS handed_over,
       CASE WHEN g.failed IS NULL OR g.taken_at IS NULL THEN 0
            ELSE (SELECT count(*) FROM unnest(g.failed) AS f WHERE f > g.taken_at) END AS late_failures,
       CASE WHEN g.failed IS NOT NULL
            THEN (SELECT t.text FROM roll_steps t WHERE t.roll_id = g.roll_id AND t.sequence = g.last_failure_sequence)
            END AS last_failure
FROM (
  SELECT u.guid, s.roll_id, s.instance_index,
         array_agg(s.sequence) FILTER (WHERE s.kind = 'attempt_failed' AND s.sequence > u.counted_from) AS failed,
         max(s.sequence) FILTER (WHERE s.kind = 'attempt_failed' AND s.sequence > u.counted_from) AS last_failure_sequence,
         max(s.at) FILTER (WHERE s.kind = 'attempt_failed' AND s.sequence > u.counted_from) AS last_failure_at,
         min(s.sequence) FILTER (WHERE s.kind IN ('proven', 'handed_over')) AS taken_at
  FROM unnest($1::text[], $2::text[], $3::bigint[]) AS u (guid, roll_id, counted_from)
  JOIN roll_steps s ON s.roll_id = u.roll_id
  WHERE s.instance_index >= 0 AND s.kind IN ('attempt_failed', 'proven', 'handed_over')
  GROUP BY u.guid, s.roll_id, s.instance_index
) g;

-- name: ReadPastRolls
-- The newest of each app: one that is updated all day has thousands until the collector comes by.
SELECT h.process_guid, h.roll_id, h.target_definition, h.state, h.refused, h.finished_at
FROM desired_lrps d CROSS JOIN LATERAL (
  SELECT r.process_guid, r.roll_id, r.target_definition, r.state, r.refused, r.finished_at
  FROM roll_history r
  WHERE r.process_guid = d.process_guid AND r.incarnation = d.incarnation
  ORDER BY r.finished_at DESC LIMIT $2::int) h
WHERE d.process_guid = ANY ($1::text[])
ORDER BY h.process_guid, h.finished_at DESC;

-- name: ReadDefinitions
-- Never the run info: no decision needs it.
SELECT {definitions}
FROM definitions
WHERE process_guid = ANY ($1::text[]);

-- name: ReadActuals
SELECT {actual_lrps}
FROM actual_lrps
WHERE process_guid = ANY ($1::text[]);

-- name: ReadGuardedActuals
-- Not locked, unlike their app: there may be thousands, of which a batch changes some, and it changes those as long as they are
-- as they were read (decision 0054). In no order, which would be 40 % of its cost.
SELECT {actual_lrps}, xmin
FROM actual_lrps
WHERE process_guid = ANY ($1::text[])

-- name: LockActuals extends ReadGuardedActuals
ORDER BY actual_id
FOR UPDATE;

-- name: ReadWrittenActuals
-- Of apps that were read at that horizon: what may have been written since, and how many instances there are, which tells
-- whether some were removed. A line without an instance where none was written. Numbers of transactions come round: age()
-- counts backwards from now, and what is long frozen is read again at worst.
WITH known AS MATERIALIZED (  -- once an app, not once an instance
  SELECT app, age(horizon) AS age,
         age(horizon) < 0 OR server <> {statement ServerMark} AS of_another
  FROM unnest($1::text[], $2::xid[], $3::text[]) AS u (app, horizon, server)
)
SELECT k.app, w.there, {a.actual_lrps}, a.xmin
FROM known k
CROSS JOIN LATERAL (  -- not grouped: that would sort them
  SELECT count(*) AS there, array_agg(t.actual_id) FILTER (WHERE age(t.xmin) <= k.age OR k.of_another) AS written
  FROM actual_lrps t
  WHERE t.process_guid = k.app
) w
LEFT JOIN actual_lrps a ON a.actual_id = ANY (w.written);

-- name: LockInstances
SELECT {actual_lrps}, xmin
FROM actual_lrps
WHERE actual_id = ANY ($1::text[])
ORDER BY actual_id
FOR UPDATE;

-- name: ReadDefinitionsOfInstances
-- After LockInstances: a locked row holds its definition, and a row that is gone has none here.
SELECT {d.definitions}
FROM actual_lrps a JOIN definitions d USING (process_guid, incarnation, definition_identifier)
WHERE a.actual_id = ANY ($1::text[]);

-- name: ReadLiveConsumers
SELECT consumer_id, registered_at FROM route_consumers WHERE lease_expires_at > clock_timestamp();

-- name: ReadCellLeases
SELECT cell_id, lease_expires_at, draining, missing_since IS NOT NULL AS missing FROM cells;

-- name: ReadFreshDomains
SELECT domain FROM domains WHERE expires_at IS NULL OR expires_at > clock_timestamp();

-- name: ReadNow
SELECT clock_timestamp();

-- name: NextIncarnations
SELECT nextval('incarnations') FROM generate_series(1, $1::int);
