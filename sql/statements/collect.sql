-- name: CheckReferencesNow
-- Deferred foreign keys would speak at the commit only, and take everything else down with them.
SET CONSTRAINTS ALL IMMEDIATE;

-- name: LockCollected
-- Locks the apps of $1 as a batch that writes them does, and gives those that somebody is writing: what a batch has read of an
-- app's definitions is there when it commits.
WITH locked AS MATERIALIZED (
  SELECT process_guid FROM desired_lrps WHERE process_guid = ANY ($1::text[]) FOR NO KEY UPDATE SKIP LOCKED)
SELECT d.process_guid
FROM desired_lrps d
WHERE d.process_guid = ANY ($1::text[]) AND NOT EXISTS (SELECT FROM locked l WHERE l.process_guid = d.process_guid);

-- name: DeleteDefinitions
-- The foreign keys refuse what anything refers to: whoever asks takes that for "in use" (invariants M11, D8). No key speaks
-- for one that was pinned since it was found.
DELETE FROM definitions f
USING unnest($1::text[], $2::bigint[], $3::text[]) AS u (g, i, d)
WHERE f.process_guid = u.g AND f.incarnation = u.i AND f.definition_identifier = u.d
  AND NOT (f.pinned AND EXISTS (SELECT FROM desired_lrps a
                                WHERE a.process_guid = f.process_guid AND a.incarnation = f.incarnation))
RETURNING f.process_guid, f.incarnation, f.definition_identifier;

-- name: InsertEvent
INSERT INTO events (at, kind, process_guid, incarnation, payload) SELECT clock_timestamp(), $1, $2, $3::bigint, unnest($4::bytea[]);

-- name: InsertCollectedEvents
INSERT INTO events (at, kind, process_guid, incarnation, payload)
SELECT clock_timestamp(), 'definition_collected', g, i, p
FROM unnest($1::text[], $2::bigint[], $3::bytea[]) AS u (g, i, p);

-- name: DeleteOldHistory
-- Finished rolls are kept for 30 days, or the last 20 of an app: as many as decisions look at (kPastRollsMax).
WITH old AS (
  DELETE FROM roll_history h
  WHERE h.roll_id IN (
    SELECT roll_id FROM (
      SELECT roll_id, finished_at, row_number() OVER (PARTITION BY process_guid ORDER BY finished_at DESC) AS newer
      FROM roll_history) ranked
    WHERE newer > 20 OR (finished_at < clock_timestamp() - interval '30 days' AND newer > 1))
  RETURNING roll_id)
DELETE FROM roll_steps WHERE roll_id IN (SELECT roll_id FROM old);

-- name: DeleteOldEvents
-- The newest stays, whatever its age: it tells from where on events are kept.
DELETE FROM events
WHERE at < clock_timestamp() - interval '1 day' AND sequence < (SELECT max(sequence) FROM events);

-- name: DeleteGoneCells
-- Machines that are not there any more: missing for a week, and nothing is left that ran there.
DELETE FROM cells c
WHERE c.missing_since < clock_timestamp() - interval '7 days'
  AND NOT EXISTS (SELECT FROM actual_lrps a WHERE a.cell_id = c.cell_id AND a.cell_id <> '');

-- name: DeleteOldAnswers
DELETE FROM idempotency_keys WHERE created_at < clock_timestamp() - interval '1 day';
