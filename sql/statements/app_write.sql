-- The changes of a batch, each kind in one set-based statement over arrays. What stands in braces is made of columns.sql.

-- name: InsertDefinitions
INSERT INTO definitions ({columns definitions})
SELECT {values definitions} FROM {rows definitions};

-- name: UpdateDefinitions
UPDATE definitions t SET {changes definitions} FROM {changed_rows definitions} WHERE {same definitions};

-- name: UpsertDesired
INSERT INTO desired_lrps ({columns desired_lrps})
SELECT {values desired_lrps} FROM {rows desired_lrps}
ON CONFLICT (process_guid) DO UPDATE SET {upserts desired_lrps};

-- name: DeleteDesired
DELETE FROM desired_lrps WHERE process_guid = ANY ($1::text[]);

-- name: UpsertRolls
INSERT INTO rolls ({columns rolls})
SELECT {values rolls} FROM {rows rolls}
ON CONFLICT ON CONSTRAINT rolls_one_an_app DO UPDATE SET {upserts rolls};

-- name: DeleteRolls
DELETE FROM rolls WHERE process_guid = ANY ($1::text[]);

-- name: InsertRollHistory
INSERT INTO roll_history ({columns roll_history})
SELECT {values roll_history} FROM {rows roll_history};

-- name: InsertRollSteps
INSERT INTO roll_steps ({columns roll_steps})
SELECT {values roll_steps} FROM {rows roll_steps};

-- name: DeleteActuals
-- As UpdateActuals: it fails where it does not find as many rows, as they were read, as it was given (22012, decision 0054).
WITH deleted AS (
  DELETE FROM actual_lrps t USING {same_rows actual_lrps} WHERE {same actual_lrps}
  RETURNING 1)
SELECT 1 / (count(*) = cardinality($1::text[]))::int FROM deleted;

-- name: InsertActuals
INSERT INTO actual_lrps ({columns actual_lrps})
SELECT {values actual_lrps} FROM {rows actual_lrps};

-- name: UpdateActuals
WITH updated AS (
  UPDATE actual_lrps t SET {changes actual_lrps} FROM {changed_rows actual_lrps} WHERE {same actual_lrps}
  RETURNING 1)
SELECT 1 / (count(*) = cardinality($1::text[]))::int FROM updated;

-- name: InsertEvents
INSERT INTO events (at, kind, process_guid, incarnation, payload)
SELECT to_timestamp(t / 1e6), k, g, i, p
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bytea[]) WITH ORDINALITY AS u (t, k, g, i, p, o)
ORDER BY o
RETURNING sequence;

-- name: InsertAnswers
INSERT INTO idempotency_keys (idempotency_key, method, request_hash, answer, created_at)
SELECT k, m, h, a, clock_timestamp()
FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS u (k, m, h, a);

-- name: InsertAudit
INSERT INTO audit (at, actor, method, process_guid, request_id, outcome)
SELECT clock_timestamp(), a, m, g, r, o
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS u (a, m, g, r, o);
