-- The copies of migrations: $1 the checkpoint (the last key that was read, empty at first), $2 how many rows at most.
-- Each answers how many rows it read and the last key. NAMELeft counts what is left behind a checkpoint.

-- name: Copy0101Domains
-- An instance's domain is its app's, where there still is one. Its format says that it has been here.
WITH batch AS (
  SELECT actual_id, process_guid FROM actual_lrps WHERE actual_id > $1 ORDER BY actual_id LIMIT $2::bigint FOR UPDATE
), changed AS (
  UPDATE actual_lrps a SET domain = coalesce(d.domain, ''), format = 2
  FROM batch b LEFT JOIN desired_lrps d ON d.process_guid = b.process_guid
  WHERE a.actual_id = b.actual_id AND a.format < 2
  RETURNING 1
)
SELECT count(*) AS rows, coalesce(max(actual_id), $1) AS checkpoint FROM batch, (SELECT count(*) FROM changed) AS done;

-- name: Copy0101DomainsLeft
SELECT count(*) FROM actual_lrps WHERE actual_id > $1;

-- name: Copy0101Strategies
-- An open roll has the strategy that its app had; before, it asked the app.
WITH batch AS (
  SELECT process_guid FROM rolls WHERE process_guid > $1 ORDER BY process_guid LIMIT $2::bigint FOR UPDATE
), changed AS (
  UPDATE rolls r SET strategy = d.strategy
  FROM batch b JOIN desired_lrps d ON d.process_guid = b.process_guid
  WHERE r.process_guid = b.process_guid AND r.strategy IS NULL
  RETURNING 1
)
SELECT count(*) AS rows, coalesce(max(process_guid), $1) AS checkpoint FROM batch, (SELECT count(*) FROM changed) AS done;

-- name: Copy0101StrategiesLeft
SELECT count(*) FROM rolls WHERE process_guid > $1;
