-- What a convergence pass looks at: narrow rows, all within one snapshot. Never the run info.

-- name: SweepUnsettled
-- Instances that do not simply run (a partial index holds exactly these), those on missing cells, and the ORDINARY one
-- of each slot that has a SUSPECT or EVACUATING one. That one is looked up from the few: a join may begin at all ORDINARY ones
-- where PostgreSQL does not know yet how many there are, and reads the whole app for each (0.4 s for one of 1,000 instances).
WITH unsettled AS MATERIALIZED (
  SELECT actual_id, process_guid, incarnation, instance_index, presence FROM actual_lrps
  WHERE presence <> 'ORDINARY' OR state <> 'RUNNING' OR routable_since IS NULL),
seen AS MATERIALIZED (
  SELECT actual_id FROM unsettled
  UNION
  SELECT a.actual_id FROM cells c JOIN actual_lrps a ON a.cell_id = c.cell_id AND a.cell_id <> ''
  WHERE c.missing_since IS NOT NULL
  UNION
  SELECT o.actual_id
  FROM unsettled s CROSS JOIN LATERAL (
    SELECT a.actual_id FROM actual_lrps a
    WHERE a.process_guid = s.process_guid AND a.incarnation = s.incarnation AND a.instance_index = s.instance_index
      AND a.presence = 'ORDINARY'
    OFFSET 0) o
  WHERE s.presence IN ('SUSPECT', 'EVACUATING'))
SELECT a.process_guid, a.actual_id, a.domain, a.instance_index, a.presence, a.state, a.since, a.cell_id,
       a.crash_count, a.drain_until, a.stop_ordered_at, d.process_guid IS NOT NULL AS desired,
       coalesce(d.incarnation = a.incarnation, false) AS present
FROM seen JOIN actual_lrps a USING (actual_id) LEFT JOIN desired_lrps d ON d.process_guid = a.process_guid;

-- name: SweepCells
-- As ListCells, without counting what runs on each.
SELECT c.cell_id, c.zone, c.address, c.memory_mb, c.disk_mb, c.pids, c.containers, c.stacks, c.placement_tags,
       c.abilities, c.enforces, c.version, c.draining, c.lease_expires_at, c.lease_expires_at > clock_timestamp() AS lease_runs,
       0 AS instances, c.epoch, c.present_since, c.missing_since, c.losses, c.draining_since, c.draining_from
FROM cells c;

-- name: SweepRolls
-- Why it waits, of those that wait for a person alone.
SELECT process_guid, state, incarnation, CASE WHEN state = 'HELD' THEN reason END AS reason FROM rolls;

-- name: SweepDomains
SELECT domain, expires_at FROM domains ORDER BY domain;

-- name: SweepGoneConsumers
SELECT consumer_id FROM route_consumers WHERE lease_expires_at <= clock_timestamp();

-- name: SweepCounts
-- Of all apps at once, from two indexes that both give them in order: the slots that are wanted, the ORDINARY rows that there
-- are, and those of apps that have none beyond what is wanted. `differing`: where another number of them is wanted, "wanted
-- rows highest guid", and nothing wanted where the rows are nobody's. Joined by the guid alone, so that neither side is
-- sorted: rows of another incarnation are nobody's, and SweepOthers says whose app has no others.
SELECT coalesce(sum(wanted), 0) AS slots, coalesce(sum(rows), 0) AS ordinary,
       coalesce(sum(CASE WHEN highest < wanted THEN rows END), 0) AS ordinary_within,
       coalesce(array_agg(concat(wanted, ' ', coalesce(rows, 0), ' ', coalesce(highest, -1), ' ', process_guid))
                FILTER (WHERE wanted IS NULL OR wanted <> coalesce(rows, 0) OR highest >= wanted), '{}') AS differing
FROM (SELECT coalesce(d.process_guid, a.process_guid) AS process_guid, a.rows, a.highest,
             CASE WHEN a.incarnation IS NULL OR a.incarnation = d.incarnation THEN d.instances END AS wanted
      FROM desired_lrps d
      FULL JOIN (SELECT process_guid, incarnation, count(*)::int AS rows, max(instance_index) AS highest
                 FROM actual_lrps WHERE presence = 'ORDINARY' GROUP BY process_guid, incarnation) a
        ON a.process_guid = d.process_guid) counted;

-- name: SweepOthers
-- Of $1: apps whose ORDINARY rows are all of another incarnation.
SELECT d.process_guid, d.instances
FROM desired_lrps d
WHERE d.process_guid = ANY ($1::text[])
  AND NOT EXISTS (SELECT FROM actual_lrps a
                  WHERE a.process_guid = d.process_guid AND a.incarnation = d.incarnation AND a.presence = 'ORDINARY');

-- name: SweepFleet
-- Instances that do not simply run, by what they do: the partial index again. All others are ORDINARY, RUNNING and routable.
SELECT state, presence, count(*) AS instances
FROM actual_lrps
WHERE presence <> 'ORDINARY' OR state <> 'RUNNING' OR routable_since IS NULL
GROUP BY state, presence;

-- name: SweepSlots
-- Of the apps that have such instances, and of those in $1: the slots that have an instance that takes requests, and the
-- ORDINARY rows as SweepCounts counts them `within`. All other apps have a slot that is served for each of these, as no two
-- are of one slot (actual_lrps_one_of_each).
WITH unsettled AS MATERIALIZED (
  SELECT process_guid FROM actual_lrps WHERE presence <> 'ORDINARY' OR state <> 'RUNNING' OR routable_since IS NULL
  UNION
  SELECT unnest($1::text[])),
instances AS MATERIALIZED (
  SELECT a.process_guid, a.instance_index, a.presence = 'ORDINARY' AS ordinary, d.instances AS wanted,
         a.state = 'RUNNING' AND a.routable_since IS NOT NULL AND a.presence <> 'RETIRING' AS serves
  FROM unsettled JOIN desired_lrps d USING (process_guid)
  JOIN actual_lrps a ON a.process_guid = d.process_guid AND a.incarnation = d.incarnation)
SELECT (SELECT count(*) FROM (SELECT DISTINCT process_guid, instance_index FROM instances
                              WHERE serves AND instance_index < wanted) slot) AS served,
       (SELECT coalesce(sum(rows), 0) FROM (SELECT count(*) AS rows FROM instances WHERE ordinary
                                            GROUP BY process_guid, wanted HAVING max(instance_index) < wanted) app) AS ordinary_within;

-- name: SweepInstancesOf
SELECT a.process_guid, a.actual_id, a.domain, a.instance_index, a.presence, a.state, a.since, a.cell_id,
       a.crash_count, a.drain_until, a.stop_ordered_at, d.process_guid IS NOT NULL AS desired,
       coalesce(d.incarnation = a.incarnation, false) AS present
FROM actual_lrps a LEFT JOIN desired_lrps d ON d.process_guid = a.process_guid
WHERE a.process_guid = ANY ($1::text[]) AND a.presence = 'ORDINARY'
  AND NOT (a.state <> 'RUNNING' OR a.routable_since IS NULL);

-- name: SweepUnproven
SELECT d.process_guid
FROM desired_lrps d LEFT JOIN rolls r ON r.process_guid = d.process_guid
WHERE r.process_guid IS NULL AND d.instances > 0 AND d.healthy_definition IS DISTINCT FROM d.active_definition;

-- name: SweepBrokenReferences
-- Foreign keys hold all of these; somebody dropped one by hand.
SELECT 'actual_lrps ' || a.actual_id || ' of ' || a.process_guid || ' names definition ' || a.definition_identifier
       || ', which is not there'
FROM actual_lrps a LEFT JOIN definitions f USING (process_guid, incarnation, definition_identifier)
WHERE f.process_guid IS NULL
UNION ALL
SELECT 'desired_lrps ' || d.process_guid || ' names definition ' || u.id || ', which is not there'
FROM desired_lrps d, LATERAL (VALUES (d.active_definition), (d.healthy_definition)) AS u (id)
WHERE u.id IS NOT NULL AND NOT EXISTS (
  SELECT FROM definitions f
  WHERE f.process_guid = d.process_guid AND f.incarnation = d.incarnation AND f.definition_identifier = u.id)
UNION ALL
SELECT 'rolls ' || r.roll_id || ' of ' || r.process_guid || ' names definition ' || u.id || ', which is not there'
FROM rolls r, LATERAL (VALUES (r.source_definition), (r.target_definition)) AS u (id)
WHERE u.id IS NOT NULL AND NOT EXISTS (
  SELECT FROM definitions f
  WHERE f.process_guid = r.process_guid AND f.incarnation = r.incarnation AND f.definition_identifier = u.id)
UNION ALL
SELECT 'rolls ' || r.roll_id || ' of ' || r.process_guid || ' is open, and its app is not desired'
FROM rolls r LEFT JOIN desired_lrps d USING (process_guid, incarnation)
WHERE d.process_guid IS NULL;

-- name: SweepCollectable
-- Definitions that nothing refers to, with the history that the app keeps. A wide net and a cheap one: the rule itself
-- (orchestrator/roll/rules/collect.h) decides on these apps' rows, and the foreign keys have the last word. All are joined
-- by the guid alone, by which both indexes are in order.
WITH spare AS MATERIALIZED (
  SELECT f.process_guid, f.incarnation, f.definition_identifier, coalesce(d.incarnation = f.incarnation, false) AS desired,
         d.active_definition
  FROM definitions f
  LEFT JOIN desired_lrps d ON d.process_guid = f.process_guid
  WHERE f.process_guid > $1
    AND (d.incarnation IS DISTINCT FROM f.incarnation OR (f.definition_identifier <> d.active_definition
                                    AND f.definition_identifier IS DISTINCT FROM d.healthy_definition))),
loose AS (
  SELECT s.process_guid, s.incarnation, s.definition_identifier, f.proven_at, s.desired, s.active_definition,
         coalesce(d.definition_history, $2::int) AS history
  FROM spare s
  JOIN definitions f USING (process_guid, incarnation, definition_identifier)
  LEFT JOIN desired_lrps d ON d.process_guid = s.process_guid AND d.incarnation = s.incarnation
  WHERE NOT (s.desired AND f.pinned))
SELECT DISTINCT l.process_guid
FROM loose l
WHERE NOT EXISTS (SELECT FROM actual_lrps a
                  WHERE a.process_guid = l.process_guid AND a.incarnation = l.incarnation
                    AND a.definition_identifier = l.definition_identifier)
  AND NOT EXISTS (SELECT FROM rolls r
                  WHERE r.process_guid = l.process_guid AND r.incarnation = l.incarnation
                    AND l.definition_identifier IN (r.source_definition, r.target_definition))
  AND (NOT l.desired OR l.proven_at IS NULL OR l.history <= (
         SELECT count(*) FROM definitions n
         WHERE n.process_guid = l.process_guid AND n.incarnation = l.incarnation AND n.proven_at IS NOT NULL
           AND n.definition_identifier <> l.active_definition
           AND (n.proven_at, n.definition_identifier) > (l.proven_at, l.definition_identifier)))
ORDER BY l.process_guid
LIMIT $3::int;

-- name: CollectableRows
-- What the rule asks of an app's definitions.
SELECT f.process_guid, f.incarnation, f.definition_identifier, f.proven_at, f.pinned,
       EXISTS (SELECT FROM actual_lrps a
               WHERE a.process_guid = f.process_guid AND a.incarnation = f.incarnation
                 AND a.definition_identifier = f.definition_identifier) AS in_use
FROM definitions f
WHERE f.process_guid = ANY ($1::text[]);
