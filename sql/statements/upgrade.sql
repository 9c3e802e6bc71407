-- The online upgrade (schema/online, docs/guide/upgrades.md): its record, its shards, and which apps are in each. The shard of an
-- app is a hash of its guid that is the same in every version of PostgreSQL.

-- name: UpgradeTableExists
SELECT to_regclass('upgrade') IS NOT NULL;

-- name: LegacyWritesAreNoted
SELECT to_regclass('legacy.changes') IS NOT NULL;

-- name: ReadUpgrade
SELECT source, source_semver, target, target_semver, state, shards, keep_old, changed_at, write_stop_ms FROM upgrade;

-- name: LockUpgrade
-- Whoever changes it waits for whoever else does.
SELECT source, source_semver, target, target_semver, state, shards, keep_old, changed_at, write_stop_ms FROM upgrade
FOR UPDATE;

-- name: InsertUpgrade
INSERT INTO upgrade (source, source_semver, target, target_semver, state) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (one) DO NOTHING;

-- name: UpdateUpgrade
UPDATE upgrade SET state = $1, shards = $2::int, keep_old = $3::boolean, write_stop_ms = $4::bigint,
                   changed_at = CASE WHEN state = $1 THEN changed_at ELSE clock_timestamp() END;

-- name: DeleteUpgrade
DELETE FROM upgrade;

-- name: DeleteUpgradeShards
DELETE FROM upgrade_shards;

-- name: InsertUpgradeShards
-- All of them pending, nothing in them to do.
INSERT INTO upgrade_shards (target, shard, state, phase, reason, rows_left)
SELECT $1::bigint, n, 'PENDING', $3, '', 0 FROM generate_series(0, $2::int - 1) AS n;

-- name: CountLegacyShards
-- Apps and instances of each.
UPDATE upgrade_shards s SET rows_left = counted.rows
FROM (SELECT ('x' || substr(md5(process_guid), 1, 8))::bit(32)::bigint % $1::int AS shard, count(*) AS rows
      FROM (SELECT process_guid FROM legacy.desired_lrps UNION ALL SELECT process_guid FROM legacy.actual_lrps) AS both_tables
      GROUP BY 1) AS counted
WHERE s.shard = counted.shard;

-- name: ReadUpgradeShards
SELECT shard, state = 'READY' AS ready, reason, rows_left FROM upgrade_shards ORDER BY shard;

-- name: WriteUpgradeShard
UPDATE upgrade_shards SET state = $2, reason = $3, rows_left = $4::bigint WHERE shard = $1::int;

-- name: ResetUpgradeShards
-- All are pending again, for another phase.
UPDATE upgrade_shards SET state = 'PENDING', phase = $1, reason = '', rows_left = 0;

-- name: ListShardApps
-- Those of one shard behind $3, by guid, of either layout.
SELECT process_guid FROM (
  (SELECT process_guid FROM legacy.desired_lrps
   WHERE process_guid > $3 AND ('x' || substr(md5(process_guid), 1, 8))::bit(32)::bigint % $1::int = $2::int
   ORDER BY process_guid LIMIT $4::int)
  UNION
  (SELECT process_guid FROM desired_lrps
   WHERE process_guid > $3 AND ('x' || substr(md5(process_guid), 1, 8))::bit(32)::bigint % $1::int = $2::int
   ORDER BY process_guid LIMIT $4::int)
) AS apps ORDER BY process_guid LIMIT $4::int;

-- name: ListWrittenApps
-- Apps that were written since they were last compared: by whom, and a mark of that write; their shard of $2. $3: by others
-- alone.
SELECT process_guid, foreign_write, xmin::text AS mark, ('x' || substr(md5(process_guid), 1, 8))::bit(32)::bigint % $2::int AS shard
FROM legacy.changes WHERE foreign_write OR NOT $3::boolean ORDER BY process_guid LIMIT $1::int;

-- name: ListMarksOf
-- As above, of these apps, where nobody else wrote them.
SELECT process_guid, xmin::text AS mark FROM legacy.changes WHERE process_guid = ANY ($1::text[]) AND NOT foreign_write;

-- name: ForgetWrittenApps
-- Unless they were written again since, or somebody does so just now: nobody is waited for.
WITH taken AS (SELECT c.process_guid
               FROM legacy.changes c JOIN unnest($1::text[], $2::text[]) AS seen (process_guid, mark)
                 ON c.process_guid = seen.process_guid AND c.xmin::text = seen.mark
               ORDER BY c.process_guid FOR UPDATE OF c SKIP LOCKED)
DELETE FROM legacy.changes c USING taken t WHERE c.process_guid = t.process_guid;

-- name: CountWrittenApps
-- $1: by others alone.
SELECT count(*) FROM legacy.changes WHERE foreign_write OR NOT $1::boolean;

-- name: WaitForLocksAtMost
-- In this transaction.
SELECT set_config('lock_timeout', $1, true);

-- name: HoldLegacyWriters
-- Nobody else writes them until the end of the transaction; fails where somebody is writing just now: who waited here, with
-- writes stopped, would wait as long as he likes.
LOCK TABLE legacy.desired_lrps, legacy.actual_lrps IN SHARE MODE NOWAIT;
