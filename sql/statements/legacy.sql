-- The rows of schema 1.x (schema/legacy), and their step to 2.0. Apps are read in ranges of names: ($1, $2].

-- name: InsertLegacyDesired
INSERT INTO legacy.desired_lrps (process_guid, domain, log_guid, annotation, instances, memory_mb, disk_mb, max_pids,
                                 rootfs, routes, volume_placement, placement_tags, modification_tag_epoch,
                                 modification_tag_index, run_info, metric_tags, update_strategy)
SELECT g, d, l, a, n, m, k, p, f, r, v, t::text[], e, x, i, mt, u
FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::int[], $6::int[], $7::int[], $8::int[], $9::text[],
            $10::bytea[], $11::bytea[], $12::text[], $13::text[], $14::bigint[], $15::bytea[], $16::bytea[], $17::int[])
     AS s (g, d, l, a, n, m, k, p, f, r, v, t, e, x, i, mt, u);

-- name: InsertLegacyActuals
INSERT INTO legacy.actual_lrps (process_guid, instance_index, presence, domain, state, instance_guid, cell_id,
                                placement_error, since, net_info, crash_count, crash_reason, modification_tag_epoch,
                                modification_tag_index, internal_routes, metric_tags, routable, availability_zone)
SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[],
                     $9::bigint[], $10::bytea[], $11::int[], $12::bytea[], $13::text[], $14::bigint[], $15::bytea[],
                     $16::bytea[], $17::boolean[], $18::text[]);

-- name: ListLegacyApps
-- As many apps as make $2 rows with their instances, at least one.
SELECT process_guid
FROM (SELECT process_guid, row_number() OVER w AS place,
             sum(1 + (SELECT count(*) FROM legacy.actual_lrps a WHERE a.process_guid = d.process_guid)) OVER w AS so_far
      FROM (SELECT process_guid FROM legacy.desired_lrps WHERE process_guid > $1 ORDER BY process_guid LIMIT $2::int) d
      WINDOW w AS (ORDER BY process_guid)) counted
WHERE so_far <= $2::int OR place = 1
ORDER BY process_guid;

-- name: ReadLegacyDesired
SELECT process_guid, domain, log_guid, annotation, instances, memory_mb, disk_mb, max_pids, rootfs, routes,
       volume_placement, placement_tags, modification_tag_epoch, modification_tag_index, run_info, metric_tags,
       update_strategy
FROM legacy.desired_lrps
WHERE process_guid > $1 AND process_guid <= $2;

-- name: ReadLegacyActuals
SELECT process_guid, instance_index, presence, domain, state, instance_guid, cell_id, placement_error, since, net_info,
       crash_count, crash_reason, modification_tag_epoch, modification_tag_index, internal_routes, metric_tags, routable,
       availability_zone
FROM legacy.actual_lrps
WHERE process_guid > $1 AND process_guid <= $2;

-- name: ListLegacyOrphans
SELECT DISTINCT process_guid FROM legacy.actual_lrps
WHERE process_guid > $1 AND process_guid NOT IN (SELECT process_guid FROM legacy.desired_lrps WHERE process_guid > $1)
ORDER BY process_guid;

-- name: CountLegacyRows
SELECT (SELECT count(*) FROM legacy.desired_lrps WHERE process_guid > $1) +
       (SELECT count(*) FROM legacy.actual_lrps WHERE process_guid > $1);

-- name: ReadLegacyMadeAt
-- When the layout was made: for what nobody knows the time of.
SELECT min(applied_at) FROM migrations;

-- name: ClearActuals
DELETE FROM actual_lrps WHERE process_guid > $1 AND process_guid <= $2;

-- name: ClearRolls
DELETE FROM rolls WHERE process_guid > $1 AND process_guid <= $2;

-- name: ClearDesired
DELETE FROM desired_lrps WHERE process_guid > $1 AND process_guid <= $2;

-- name: ClearDefinitions
DELETE FROM definitions WHERE process_guid > $1 AND process_guid <= $2;

-- name: CopyLegacyDomains
-- Nanoseconds to microseconds; the greatest number stands for ever.
WITH gone AS (DELETE FROM domains WHERE domain NOT IN (SELECT domain FROM legacy.domains))
INSERT INTO domains (domain, expires_at)
SELECT domain, CASE WHEN expire_time < 9223372036854775807
                    THEN timestamptz 'epoch' + expire_time / 1000 * interval '1 microsecond' END
FROM legacy.domains
ON CONFLICT (domain) DO UPDATE SET expires_at = EXCLUDED.expires_at;

-- name: PassFirstIncarnation
-- What comes from 1.x has one incarnation; the next one is greater.
SELECT setval('incarnations', greatest($1::bigint, (SELECT last_value FROM incarnations)));

-- name: InsertLeftOut
INSERT INTO legacy.left_out (kind, table_name, row_key, field, reason)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
ON CONFLICT DO NOTHING;

-- Of some apps by name: looked at, or locked as far as nobody is writing them just now.

-- name: ReadLegacyDesiredOf
SELECT process_guid, domain, log_guid, annotation, instances, memory_mb, disk_mb, max_pids, rootfs, routes,
       volume_placement, placement_tags, modification_tag_epoch, modification_tag_index, run_info, metric_tags,
       update_strategy
FROM legacy.desired_lrps
WHERE process_guid = ANY ($1::text[])
ORDER BY process_guid

-- name: LockLegacyDesiredOf extends ReadLegacyDesiredOf
FOR UPDATE SKIP LOCKED;

-- name: ReadLegacyActualsOf
SELECT process_guid, instance_index, presence, domain, state, instance_guid, cell_id, placement_error, since, net_info,
       crash_count, crash_reason, modification_tag_epoch, modification_tag_index, internal_routes, metric_tags, routable,
       availability_zone
FROM legacy.actual_lrps
WHERE process_guid = ANY ($1::text[])
ORDER BY process_guid, instance_index, presence

-- name: LockLegacyActualsOf extends ReadLegacyActualsOf
FOR UPDATE SKIP LOCKED;

-- name: ReadActiveRunInfos
SELECT d.process_guid, f.incarnation, f.definition_identifier, f.run_info
FROM desired_lrps d
JOIN definitions f ON (f.process_guid, f.incarnation, f.definition_identifier) =
                      (d.process_guid, d.incarnation, d.active_definition)
WHERE d.process_guid = ANY ($1::text[]);
