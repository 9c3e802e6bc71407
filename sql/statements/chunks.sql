-- Lists are kept in chunks by who reads them; these say what became of one (docs/decisions/0057).

-- name: ReadMark
-- `horizon`: all transactions before that one were over, so who reads in the same snapshot has seen what they wrote.
SELECT pg_snapshot_xmin(pg_current_snapshot())::xid AS horizon, {statement StoreMark} AS store;

-- name: DesiredSince
-- Of the apps behind $1 up to $2: how many there are, and which were written by transactions that were not over at the
-- mark; and whose definitions: somebody may have changed the active one by hand. Numbers of transactions come round: age()
-- counts backwards from now, and is below 0 for what is long frozen, and at a mark of a time that the server went back from.
WITH mark AS MATERIALIZED (
  SELECT age($3::xid) AS age, pg_snapshot_xmin(pg_current_snapshot())::xid AS horizon, {statement StoreMark} AS store)
SELECT m.horizon, m.store, m.age < 0 OR m.store <> $4 AS of_another, d.there, d.written, f.redefined
FROM mark m
CROSS JOIN LATERAL (
  SELECT count(*) AS there, coalesce(array_agg(d.process_guid) FILTER (WHERE age(d.xmin) BETWEEN 0 AND m.age), '{}') AS written
  FROM desired_lrps d
  WHERE d.process_guid > $1 AND d.process_guid <= $2) d
CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(f.process_guid) FILTER (WHERE age(f.xmin) BETWEEN 0 AND m.age), '{}') AS redefined
  FROM definitions f
  WHERE f.process_guid > $1 AND f.process_guid <= $2) f;

-- name: DesiredThere
SELECT coalesce(array_agg(process_guid), '{}') AS there FROM desired_lrps WHERE process_guid > $1 AND process_guid <= $2;

-- name: ActualsSince
-- As DesiredSince, of the instances behind ($1, $2) up to ($3, $4).
WITH mark AS MATERIALIZED (
  SELECT age($5::xid) AS age, pg_snapshot_xmin(pg_current_snapshot())::xid AS horizon, {statement StoreMark} AS store)
SELECT m.horizon, m.store, m.age < 0 OR m.store <> $6 AS of_another, l.there, l.written
FROM mark m
CROSS JOIN LATERAL (
  SELECT count(*) AS there, coalesce(array_agg(a.actual_id) FILTER (WHERE age(a.xmin) BETWEEN 0 AND m.age), '{}') AS written
  FROM actual_lrps a
  WHERE (a.process_guid, a.actual_id) > ($1, $2) AND (a.process_guid, a.actual_id) <= ($3, $4)) l;

-- name: ActualsThere
SELECT coalesce(array_agg(actual_id), '{}') AS there
FROM actual_lrps
WHERE (process_guid, actual_id) > ($1, $2) AND (process_guid, actual_id) <= ($3, $4);

-- name: ReadActualsById
SELECT {a.actual_lrps} FROM actual_lrps a WHERE a.actual_id = ANY ($1::text[]);
