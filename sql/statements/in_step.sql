-- Keeping the rows of 1.x in step with those of 2.x, and telling whose writes they were. Each statement that writes for
-- Baton says so itself: no row is written but through the row of `own`, and triggers run behind the whole statement.

-- name: DeleteLegacyApps
WITH own AS MATERIALIZED (SELECT set_config('baton.in_step', 'on', true) AS is_set),
     instances AS (DELETE FROM legacy.actual_lrps USING own WHERE is_set = 'on' AND process_guid = ANY ($1::text[]))
DELETE FROM legacy.desired_lrps USING own WHERE is_set = 'on' AND process_guid = ANY ($1::text[]);

-- name: UpsertLegacyDesired
WITH own AS MATERIALIZED (SELECT set_config('baton.in_step', 'on', true) AS is_set)
INSERT INTO legacy.desired_lrps (process_guid, domain, log_guid, annotation, instances, memory_mb, disk_mb, max_pids,
                                 rootfs, routes, volume_placement, placement_tags, modification_tag_epoch,
                                 modification_tag_index, run_info, metric_tags, update_strategy)
SELECT g, d, l, a, n, m, k, p, f, r, v, t::text[], e, x, i, mt, u
FROM own,
     unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::int[], $6::int[], $7::int[], $8::int[], $9::text[],
            $10::bytea[], $11::bytea[], $12::text[], $13::text[], $14::bigint[], $15::bytea[], $16::bytea[], $17::int[])
     AS s (g, d, l, a, n, m, k, p, f, r, v, t, e, x, i, mt, u)
WHERE is_set = 'on'
ON CONFLICT (process_guid) DO UPDATE SET
  domain = EXCLUDED.domain, log_guid = EXCLUDED.log_guid, annotation = EXCLUDED.annotation,
  instances = EXCLUDED.instances, memory_mb = EXCLUDED.memory_mb, disk_mb = EXCLUDED.disk_mb,
  max_pids = EXCLUDED.max_pids, rootfs = EXCLUDED.rootfs, routes = EXCLUDED.routes,
  volume_placement = EXCLUDED.volume_placement, placement_tags = EXCLUDED.placement_tags,
  modification_tag_epoch = EXCLUDED.modification_tag_epoch, modification_tag_index = EXCLUDED.modification_tag_index,
  run_info = EXCLUDED.run_info, metric_tags = EXCLUDED.metric_tags, update_strategy = EXCLUDED.update_strategy;

-- name: DeleteLegacyActuals
WITH own AS MATERIALIZED (SELECT set_config('baton.in_step', 'on', true) AS is_set)
DELETE FROM legacy.actual_lrps
USING own, unnest($1::text[], $2::int[], $3::int[]) AS u (g, i, p)
WHERE is_set = 'on' AND process_guid = u.g AND instance_index = u.i AND presence = u.p;

-- name: UpsertLegacyActuals
-- Of the app's present incarnation only ($19). $20: where the place may be another instance's, only over its own row.
WITH own AS MATERIALIZED (SELECT set_config('baton.in_step', 'on', true) AS is_set)
INSERT INTO legacy.actual_lrps AS o (process_guid, instance_index, presence, domain, state, instance_guid, cell_id,
                                     placement_error, since, net_info, crash_count, crash_reason,
                                     modification_tag_epoch, modification_tag_index, internal_routes, metric_tags,
                                     routable, availability_zone)
SELECT g, i, p, u.domain, s, ig, c, pe, si, ni, cc, cr, te, ti, ir, mt, r, z
FROM own,
     unnest($1::text[], $2::int[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[],
            $9::bigint[], $10::bytea[], $11::int[], $12::bytea[], $13::text[], $14::bigint[], $15::bytea[],
            $16::bytea[], $17::boolean[], $18::text[], $19::bigint[], $20::boolean[])
     AS u (g, i, p, domain, s, ig, c, pe, si, ni, cc, cr, te, ti, ir, mt, r, z, incarnation, own_row)
JOIN desired_lrps d ON d.process_guid = u.g AND d.incarnation = u.incarnation
WHERE is_set = 'on'
  AND (NOT u.own_row OR EXISTS (SELECT FROM legacy.actual_lrps l
                                WHERE l.process_guid = u.g AND l.instance_index = u.i AND l.presence = u.p
                                  AND l.instance_guid = u.ig))
ON CONFLICT (process_guid, instance_index, presence) DO UPDATE SET
  domain = EXCLUDED.domain, state = EXCLUDED.state, instance_guid = EXCLUDED.instance_guid, cell_id = EXCLUDED.cell_id,
  placement_error = EXCLUDED.placement_error, since = EXCLUDED.since, net_info = EXCLUDED.net_info,
  crash_count = EXCLUDED.crash_count, crash_reason = EXCLUDED.crash_reason,
  modification_tag_epoch = EXCLUDED.modification_tag_epoch, modification_tag_index = EXCLUDED.modification_tag_index,
  internal_routes = EXCLUDED.internal_routes, metric_tags = EXCLUDED.metric_tags, routable = EXCLUDED.routable,
  availability_zone = EXCLUDED.availability_zone;

-- name: CopyLegacyDomain
-- Microseconds to nanoseconds; the greatest number stands for ever.
WITH gone AS (DELETE FROM legacy.domains o
              WHERE o.domain = $1 AND NOT EXISTS (SELECT FROM domains d WHERE d.domain = $1))
INSERT INTO legacy.domains (domain, expire_time)
SELECT domain, CASE WHEN expires_at IS NULL THEN 9223372036854775807
                    ELSE least(extract(epoch FROM expires_at) * 1000000000, 9223372036854775806) END
FROM domains WHERE domain = $1
ON CONFLICT (domain) DO UPDATE SET expire_time = EXCLUDED.expire_time;

-- name: MakeLegacyTriggers
-- Whatever writes rows of 1.x, whoever it is, leaves the app's name in legacy.changes with the same commit. Baton's own
-- writes do so only while legacy.tracking asks for them. In the order of names: two writers never wait in a circle. The
-- function is its owner's: a program that may write the rows need not be allowed to write the log.
DO $do$
BEGIN
  CREATE TABLE IF NOT EXISTS legacy.changes (
    process_guid  text COLLATE "C" PRIMARY KEY,
    foreign_write boolean NOT NULL
  );
  CREATE TABLE IF NOT EXISTS legacy.tracking (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    own boolean NOT NULL
  );
  INSERT INTO legacy.tracking (own) VALUES (false) ON CONFLICT DO NOTHING;

  CREATE OR REPLACE FUNCTION legacy.track_changes() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
  DECLARE
    is_foreign boolean := current_setting('baton.in_step', true) IS DISTINCT FROM 'on';
    names text[];
  BEGIN
    IF NOT is_foreign AND NOT (SELECT t.own FROM legacy.tracking t) THEN
      RETURN NULL;
    END IF;
    IF TG_OP = 'INSERT' THEN
      names := ARRAY(SELECT process_guid FROM after_rows);
    ELSIF TG_OP = 'DELETE' THEN
      names := ARRAY(SELECT process_guid FROM before_rows);
    ELSE
      names := ARRAY(SELECT process_guid FROM before_rows UNION SELECT process_guid FROM after_rows);
    END IF;
    INSERT INTO legacy.changes AS c (process_guid, foreign_write)
    SELECT DISTINCT n COLLATE "C", is_foreign FROM unnest(names) AS n ORDER BY 1
    ON CONFLICT (process_guid) DO UPDATE SET foreign_write = c.foreign_write OR EXCLUDED.foreign_write;
    RETURN NULL;
  END $body$;

  CREATE OR REPLACE TRIGGER track_inserts AFTER INSERT ON legacy.desired_lrps
    REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION legacy.track_changes();
  CREATE OR REPLACE TRIGGER track_updates AFTER UPDATE ON legacy.desired_lrps
    REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
    FOR EACH STATEMENT EXECUTE FUNCTION legacy.track_changes();
  CREATE OR REPLACE TRIGGER track_deletes AFTER DELETE ON legacy.desired_lrps
    REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION legacy.track_changes();
  CREATE OR REPLACE TRIGGER track_inserts AFTER INSERT ON legacy.actual_lrps
    REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION legacy.track_changes();
  CREATE OR REPLACE TRIGGER track_updates AFTER UPDATE ON legacy.actual_lrps
    REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
    FOR EACH STATEMENT EXECUTE FUNCTION legacy.track_changes();
  CREATE OR REPLACE TRIGGER track_deletes AFTER DELETE ON legacy.actual_lrps
    REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION legacy.track_changes();
END $do$;

-- name: TrackOwnChanges
UPDATE legacy.tracking SET own = $1::boolean;

-- name: ListLegacyChanges
SELECT process_guid, foreign_write FROM legacy.changes ORDER BY process_guid LIMIT $1::int;

-- name: TakeLegacyChanges
-- At most $1 of them. One that somebody is just adding to is left for the next time: its commit would be missed.
WITH taken AS (SELECT process_guid FROM legacy.changes ORDER BY process_guid LIMIT $1::int FOR UPDATE SKIP LOCKED)
DELETE FROM legacy.changes c USING taken t WHERE c.process_guid = t.process_guid
RETURNING c.process_guid, c.foreign_write;

-- name: TakeLegacyChangesOf
-- By name, likewise.
WITH taken AS (SELECT process_guid FROM legacy.changes WHERE process_guid = ANY ($1::text[])
               ORDER BY process_guid FOR UPDATE SKIP LOCKED)
DELETE FROM legacy.changes c USING taken t WHERE c.process_guid = t.process_guid;

-- name: LogForeignChanges
-- They are to be looked at again.
INSERT INTO legacy.changes (process_guid, foreign_write)
SELECT DISTINCT g, true FROM unnest($1::text[]) AS g ORDER BY g
ON CONFLICT (process_guid) DO UPDATE SET foreign_write = true;
