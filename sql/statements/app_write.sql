-- The changes of a batch, each kind in one set-based statement over arrays. Times are microseconds since 1970.

-- name: InsertDefinitions
INSERT INTO definitions (process_guid, incarnation, definition_identifier, content_hash, memory_mb, disk_mb, max_pids,
                         root_fs, ports, placement_tags, needs, start_timeout_ms, run_info, created_at, proven_at, pinned,
                         port_aliases)
SELECT g, i, d, h, m, k, p, r, o::bigint[], t::text[], n::text[], s, b, to_timestamp(c / 1e6), to_timestamp(v / 1e6), q,
       a::bigint[]
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[],
            $9::text[], $10::text[], $11::text[], $12::bigint[], $13::bytea[], $14::bigint[], $15::bigint[],
            $16::boolean[], $17::text[])
     AS u (g, i, d, h, m, k, p, r, o, t, n, s, b, c, v, q, a);

-- name: UpdateDefinitions
UPDATE definitions SET proven_at = to_timestamp(u.v / 1e6), pinned = u.p, port_aliases = u.a::bigint[]
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::boolean[], $6::text[]) AS u (g, i, d, v, p, a)
WHERE process_guid = u.g AND incarnation = u.i AND definition_identifier = u.d;

-- name: UpsertDesired
INSERT INTO desired_lrps (process_guid, incarnation, domain, log_guid, instances, routes, annotation, metric_tags,
                          credentials, strategy, active_definition, healthy_definition, created_at,
                          modification_tag_epoch, modification_tag_index, definition_history)
SELECT g, i, d, l, n, r, a, m, c, s, v, h, to_timestamp(t / 1e6), e, x, y
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::bytea[], $7::bytea[], $8::bytea[],
            $9::bytea[], $10::bytea[], $11::text[], $12::text[], $13::bigint[], $14::text[], $15::bigint[], $16::int[])
     AS u (g, i, d, l, n, r, a, m, c, s, v, h, t, e, x, y)
ON CONFLICT (process_guid) DO UPDATE SET
  incarnation = EXCLUDED.incarnation, domain = EXCLUDED.domain, log_guid = EXCLUDED.log_guid,
  instances = EXCLUDED.instances, routes = EXCLUDED.routes, annotation = EXCLUDED.annotation,
  metric_tags = EXCLUDED.metric_tags, credentials = EXCLUDED.credentials, strategy = EXCLUDED.strategy,
  active_definition = EXCLUDED.active_definition, healthy_definition = EXCLUDED.healthy_definition,
  created_at = EXCLUDED.created_at, modification_tag_epoch = EXCLUDED.modification_tag_epoch,
  modification_tag_index = EXCLUDED.modification_tag_index, definition_history = EXCLUDED.definition_history;

-- name: DeleteDesired
DELETE FROM desired_lrps WHERE process_guid = ANY ($1::text[]);

-- name: UpsertRolls
INSERT INTO rolls (process_guid, incarnation, roll_id, source_definition, target_definition, state, reason, revision,
                   opened_at, deadline, clock_stopped_at, waiting_since, proved_at, last_hand_over_at, counted_from,
                   refused, actor, paused_by_hand, stage_since, stages_done, verdict, condemned, waited_ms, waits_from,
                   strategy)
SELECT g, i, r, s, t, st, re, v, to_timestamp(o / 1e6), to_timestamp(d / 1e6), to_timestamp(c / 1e6),
       to_timestamp(w / 1e6), to_timestamp(p / 1e6), to_timestamp(l / 1e6), f, x, a, h, to_timestamp(q / 1e6), n, ve,
       co, wm, to_timestamp(wf / 1e6), sy
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::bigint[],
            $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[],
            $16::boolean[], $17::text[], $18::boolean[], $19::bigint[], $20::int[], $21::bytea[], $22::bytea[], $23::bigint[],
            $24::bigint[], $25::bytea[])
     AS u (g, i, r, s, t, st, re, v, o, d, c, w, p, l, f, x, a, h, q, n, ve, co, wm, wf, sy)
ON CONFLICT ON CONSTRAINT rolls_one_an_app DO UPDATE SET
  incarnation = EXCLUDED.incarnation, roll_id = EXCLUDED.roll_id, source_definition = EXCLUDED.source_definition,
  target_definition = EXCLUDED.target_definition, state = EXCLUDED.state, reason = EXCLUDED.reason,
  revision = EXCLUDED.revision, opened_at = EXCLUDED.opened_at, deadline = EXCLUDED.deadline,
  clock_stopped_at = EXCLUDED.clock_stopped_at, waiting_since = EXCLUDED.waiting_since,
  proved_at = EXCLUDED.proved_at, last_hand_over_at = EXCLUDED.last_hand_over_at,
  counted_from = EXCLUDED.counted_from, refused = EXCLUDED.refused, actor = EXCLUDED.actor,
  paused_by_hand = EXCLUDED.paused_by_hand, stage_since = EXCLUDED.stage_since, stages_done = EXCLUDED.stages_done,
  verdict = EXCLUDED.verdict, condemned = EXCLUDED.condemned, waited_ms = EXCLUDED.waited_ms,
  waits_from = EXCLUDED.waits_from, strategy = EXCLUDED.strategy;

-- name: DeleteRolls
DELETE FROM rolls WHERE process_guid = ANY ($1::text[]);

-- name: InsertRollHistory
INSERT INTO roll_history (roll_id, process_guid, incarnation, source_definition, target_definition, state, reason,
                          revision, opened_at, finished_at, refused, actor, waited_ms)
SELECT r, g, i, s, t, st, re, v, to_timestamp(o / 1e6), to_timestamp(f / 1e6), x, a, w
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::bigint[],
            $9::bigint[], $10::bigint[], $11::boolean[], $12::text[], $13::bigint[])
     AS u (r, g, i, s, t, st, re, v, o, f, x, a, w);

-- name: InsertRollSteps
INSERT INTO roll_steps (roll_id, sequence, at, kind, instance_index, actual_id, definition_identifier, text, actor,
                        start_ms, stop_ms)
SELECT r, s, to_timestamp(t / 1e6), k, i, a, d, x, w, b, e
FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[], $8::bytea[],
            $9::text[], $10::bigint[], $11::bigint[])
     AS u (r, s, t, k, i, a, d, x, w, b, e);

-- name: DeleteActuals
DELETE FROM actual_lrps WHERE actual_id = ANY ($1::text[]);

-- name: InsertActuals
INSERT INTO actual_lrps (actual_id, process_guid, incarnation, instance_index, presence, definition_identifier, roll_id,
                         state, instance_guid, cell_id, net_info, zone, since, routable_since, claimed_at,
                         handed_over_at, down_since, crash_count, crash_reason, placement_error, applied_by, drained_by,
                         retiring_since, awaits_drain, drain_not_before, drain_until, stop_ordered_at,
                         retire_asked, modification_tag_epoch, modification_tag_index, domain)
SELECT a, g, i, x, p, d, r, s, ig, c, n, z, to_timestamp(si / 1e6), to_timestamp(rs / 1e6), to_timestamp(ca / 1e6),
       to_timestamp(ho / 1e6), to_timestamp(ds / 1e6), cc, cr, pe, ab::text[], db::text[], to_timestamp(re / 1e6), aw,
       to_timestamp(nb / 1e6), to_timestamp(du / 1e6), to_timestamp(so / 1e6), ra, te, ti, dm
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
            $10::text[], $11::bytea[], $12::text[], $13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[],
            $17::bigint[], $18::int[], $19::bytea[], $20::bytea[], $21::text[], $22::text[], $23::bigint[],
            $24::boolean[], $25::bigint[], $26::bigint[], $27::bigint[], $28::boolean[], $29::text[], $30::bigint[], $31::text[])
     AS u (a, g, i, x, p, d, r, s, ig, c, n, z, si, rs, ca, ho, ds, cc, cr, pe, ab, db, re, aw, nb, du, so, ra, te, ti, dm);

-- name: UpdateActuals
-- Everything that may change of an instance; guid, incarnation, index, definition and id never do.
UPDATE actual_lrps SET
  presence = u.p, roll_id = u.r, state = u.s, instance_guid = u.ig, cell_id = u.c, net_info = u.n, zone = u.z,
  since = to_timestamp(u.si / 1e6), routable_since = to_timestamp(u.rs / 1e6), claimed_at = to_timestamp(u.ca / 1e6),
  handed_over_at = to_timestamp(u.ho / 1e6), down_since = to_timestamp(u.ds / 1e6), crash_count = u.cc,
  crash_reason = u.cr, placement_error = u.pe, applied_by = u.ab::text[], drained_by = u.db::text[],
  retiring_since = to_timestamp(u.re / 1e6), awaits_drain = u.aw, drain_not_before = to_timestamp(u.nb / 1e6),
  drain_until = to_timestamp(u.du / 1e6), stop_ordered_at = to_timestamp(u.so / 1e6),
  retire_asked = u.ra, modification_tag_epoch = u.te, modification_tag_index = u.ti
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::text[],
            $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::int[], $15::bytea[],
            $16::bytea[], $17::text[], $18::text[], $19::bigint[], $20::boolean[], $21::bigint[], $22::bigint[],
            $23::bigint[], $24::boolean[], $25::text[], $26::bigint[])
     AS u (a, p, r, s, ig, c, n, z, si, rs, ca, ho, ds, cc, cr, pe, ab, db, re, aw, nb, du, so, ra, te, ti)
WHERE actual_id = u.a;

-- name: InsertEvents
INSERT INTO events (at, kind, process_guid, incarnation, payload)
SELECT to_timestamp(t / 1e6), k, g, i, p
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bytea[]) WITH ORDINALITY AS u (t, k, g, i, p, o)
ORDER BY o;

-- name: InsertAnswers
INSERT INTO idempotency_keys (idempotency_key, method, request_hash, answer, created_at)
SELECT k, m, h, a, clock_timestamp()
FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS u (k, m, h, a);

-- name: InsertAudit
INSERT INTO audit (at, actor, method, process_guid, request_id, outcome)
SELECT clock_timestamp(), a, m, g, r, o
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS u (a, m, g, r, o);
