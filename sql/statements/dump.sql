-- Reading for baton-definitions: pages of one long snapshot, without blobs except where they are verified, and what
-- cells said of instances that wait for one. The narrow columns cannot be broken in the way a blob can, so the roles of a
-- definition are told even beside a broken one.

-- name: BeginDump
-- The service's own limit for a silent transaction is 1.5 s (SetRoleTimeouts); here, somebody may read the output in a
-- pager meanwhile.
SELECT clock_timestamp() AS now, set_config('idle_in_transaction_session_timeout', '10min', true);

-- name: DumpApps
-- Every process guid that any row names, also where what it should refer to is missing.
SELECT process_guid FROM (
  (SELECT process_guid FROM desired_lrps WHERE process_guid > $1 ORDER BY process_guid LIMIT $2::int)
  UNION
  (SELECT DISTINCT process_guid FROM definitions WHERE process_guid > $1 ORDER BY process_guid LIMIT $2::int)
  UNION
  (SELECT DISTINCT process_guid FROM rolls WHERE process_guid > $1 ORDER BY process_guid LIMIT $2::int)
  UNION
  (SELECT DISTINCT process_guid FROM actual_lrps WHERE process_guid > $1 ORDER BY process_guid LIMIT $2::int)) apps
ORDER BY process_guid
LIMIT $2::int;

-- name: DumpAppsOfDomain
SELECT process_guid FROM desired_lrps
WHERE domain = $3 AND process_guid > $1
ORDER BY process_guid
LIMIT $2::int;

-- name: DumpDesired
SELECT process_guid, incarnation, domain, active_definition, healthy_definition, definition_history
FROM desired_lrps
WHERE process_guid = ANY ($1::text[]);

-- name: DumpRolls
SELECT process_guid, incarnation, roll_id, source_definition, target_definition
FROM rolls
WHERE process_guid = ANY ($1::text[]);

-- name: DumpDefinitions
SELECT {definitions}, octet_length(run_info) AS run_info_bytes
FROM definitions
WHERE process_guid = ANY ($1::text[]);

-- name: DumpDefinitionsInTheClear
-- As DumpDefinitions, for a role that may not read what is sealed (baton_lister of schema/roles.sql).
SELECT {definitions}, 0 AS run_info_bytes
FROM definitions
WHERE process_guid = ANY ($1::text[]);

-- name: MayReadSealed
SELECT has_column_privilege('definitions', 'run_info', 'SELECT');

-- name: DumpActuals
SELECT process_guid, actual_id, incarnation, definition_identifier, instance_index, presence, state, cell_id
FROM actual_lrps
WHERE process_guid = ANY ($1::text[]);

-- name: DumpPlacementErrors
-- Few rows at any time: a claim clears it.
SELECT actual_id, placement_error
FROM actual_lrps
WHERE process_guid = ANY ($1::text[]) AND state = 'UNCLAIMED';

-- name: DumpKeyLabels
SELECT label FROM key_labels;

-- name: DumpRunInfos
-- In the order of the arrays.
SELECT f.run_info
FROM unnest($1::text[], $2::bigint[], $3::text[]) WITH ORDINALITY AS u (guid, incarnation, identifier, o)
JOIN definitions f ON f.process_guid = u.guid AND f.incarnation = u.incarnation
                  AND f.definition_identifier = u.identifier
ORDER BY u.o;

-- name: DumpDesiredBlobs
SELECT process_guid, active_definition, {sealed desired_lrps}
FROM desired_lrps
WHERE process_guid = ANY ($1::text[])
ORDER BY process_guid;

-- name: DumpRollBlobs
SELECT process_guid, target_definition, {sealed rolls}, incarnation
FROM rolls
WHERE process_guid = ANY ($1::text[])
ORDER BY process_guid;

-- name: DumpActualBlobs
SELECT process_guid, definition_identifier, actual_id, {sealed actual_lrps}
FROM actual_lrps
WHERE process_guid = ANY ($1::text[])
ORDER BY process_guid, actual_id;

-- name: DumpEventBlobs
SELECT sequence, process_guid, payload, kind, incarnation FROM events WHERE sequence > $1::bigint ORDER BY sequence LIMIT $2::int;

-- name: DumpAnswerBlobs
SELECT idempotency_key, answer FROM idempotency_keys WHERE idempotency_key > $1 ORDER BY idempotency_key LIMIT $2::int;

-- name: DumpHistoryBlobs
SELECT roll_id, process_guid, reason FROM roll_history WHERE roll_id > $1 ORDER BY roll_id LIMIT $2::int;

-- name: DumpStepBlobs
-- $1: "roll/sequence", as `step`; empty: from the first.
SELECT roll_id || '/' || sequence AS step, text
FROM roll_steps
WHERE (roll_id, sequence) > (regexp_replace($1, '/[0-9]+$', ''), coalesce(substring($1 FROM '/([0-9]+)$')::bigint, 0))
ORDER BY roll_id, sequence
LIMIT $2::int;

-- name: DumpDefinition
-- $3 0: the newest life of the app that has a definition of this name. $2 empty: the active one.
SELECT {f.definitions}, f.run_info, d.credentials
FROM definitions f LEFT JOIN desired_lrps d USING (process_guid, incarnation)
WHERE f.process_guid = $1
  AND ($2 = '' AND f.definition_identifier = d.active_definition OR f.definition_identifier = $2)
  AND ($3::bigint = 0 OR f.incarnation = $3::bigint)
ORDER BY f.incarnation DESC
LIMIT 1;

-- name: CountOtherSessions
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND usesysid IS NOT NULL AND pid <> pg_backend_pid();
