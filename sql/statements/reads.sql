-- name: ListApps
-- Each side is limited too: a union reads both to their ends before it knows which come first, for each page. DISTINCT ON
-- is never hashed: of a table that nobody has analyzed a plain DISTINCT reads every row that comes after.
SELECT process_guid FROM (
  (SELECT process_guid FROM desired_lrps WHERE process_guid > $1 ORDER BY process_guid LIMIT $2::int)
  UNION
  (SELECT DISTINCT ON (process_guid) process_guid FROM actual_lrps WHERE process_guid > $1 ORDER BY process_guid LIMIT $2::int)) apps
ORDER BY process_guid
LIMIT $2::int;

-- name: ReadRoutedApps
-- What a new leader's routing table is made of, of the apps from $1 to $2: a range, and no column more than it needs. All
-- of it is read before anybody is served. The same of some apps is below.
SELECT process_guid, incarnation, active_definition, instances, routes, domain FROM desired_lrps WHERE process_guid BETWEEN $1 AND $2;

-- name: ReadRoutedDefinitions
SELECT process_guid, incarnation, definition_identifier, ports, port_aliases
FROM definitions WHERE process_guid BETWEEN $1 AND $2;

-- name: ReadRoutedActuals
SELECT process_guid, actual_id, incarnation, instance_index, presence, definition_identifier, state, instance_guid, net_info,
       routable_since IS NOT NULL AS routable, awaits_drain
FROM actual_lrps WHERE process_guid BETWEEN $1 AND $2;

-- name: ReadRoutedRolls
-- Which of these apps have one: routers measure the load of their instances.
SELECT process_guid FROM rolls WHERE process_guid BETWEEN $1 AND $2;

-- name: ReadRoutedAppsOf
SELECT process_guid, incarnation, active_definition, instances, routes, domain FROM desired_lrps WHERE process_guid = ANY ($1::text[]);

-- name: ReadRoutedDefinitionsOf
SELECT process_guid, incarnation, definition_identifier, ports, port_aliases
FROM definitions WHERE process_guid = ANY ($1::text[]);

-- name: ReadRoutedActualsOf
SELECT process_guid, actual_id, incarnation, instance_index, presence, definition_identifier, state, instance_guid, net_info,
       routable_since IS NOT NULL AS routable, awaits_drain
FROM actual_lrps WHERE process_guid = ANY ($1::text[]);

-- name: ReadRoutedRollsOf
SELECT process_guid FROM rolls WHERE process_guid = ANY ($1::text[]);

-- name: ListDesired
-- A page of apps with their active definitions, looked up one by one (OFFSET 0 keeps it so): with 100,000 apps the planner
-- hashes all definitions for each page of a thousand.
SELECT {d.desired_lrps},
       {f.definitions}, f.run_info
FROM desired_lrps d
LEFT JOIN LATERAL (SELECT * FROM definitions f WHERE f.process_guid = d.process_guid AND f.incarnation = d.incarnation
                   AND f.definition_identifier = d.active_definition OFFSET 0) f ON true
WHERE d.process_guid > $1 AND ($2 = '' OR d.domain = $2)
  AND ($3::text[] = '{}' OR d.process_guid = ANY ($3::text[]))
ORDER BY d.process_guid
LIMIT $4::int;

-- name: ListSchedulingInfos
-- The same apps, with what their scheduling infos show and no more: it is read for all apps at once, again and again.
SELECT d.process_guid, d.domain, d.log_guid, d.instances, d.routes, d.annotation, d.metric_tags, d.active_definition,
       d.modification_tag_epoch, d.modification_tag_index,
       f.content_hash, f.memory_mb, f.disk_mb, f.max_pids, f.root_fs, f.ports, f.placement_tags, f.needs
FROM desired_lrps d
LEFT JOIN LATERAL (SELECT * FROM definitions f WHERE f.process_guid = d.process_guid AND f.incarnation = d.incarnation
                   AND f.definition_identifier = d.active_definition OFFSET 0) f ON true
WHERE d.process_guid > $1 AND ($2 = '' OR d.domain = $2)
  AND ($3::text[] = '{}' OR d.process_guid = ANY ($3::text[]))
ORDER BY d.process_guid
LIMIT $4::int;

-- name: GetDesired
-- As ListDesired, of some apps, and with the roll that is open.
SELECT {d.desired_lrps},
       {f.definitions}, f.run_info, r.roll_id
FROM desired_lrps d
LEFT JOIN definitions f ON f.process_guid = d.process_guid AND f.incarnation = d.incarnation
                       AND f.definition_identifier = d.active_definition
LEFT JOIN rolls r ON r.process_guid = d.process_guid
WHERE d.process_guid = ANY ($1::text[]);

-- name: ListActuals
SELECT {a.actual_lrps}
FROM actual_lrps a
WHERE (a.process_guid, a.actual_id) > ($1, $2)
  AND ($3 = '' OR a.domain = $3) AND ($4 = '' OR a.process_guid = $4) AND ($5 = '' OR a.cell_id = $5)
  AND ($6::int < 0 OR a.instance_index = $6::int)
  AND ($8::text[] = '{}' OR a.process_guid = ANY ($8::text[]))
ORDER BY a.process_guid, a.actual_id
LIMIT $7::int;

-- name: ReadDefinitionWithRunInfo
SELECT {f.definitions}, f.run_info
FROM definitions f
WHERE f.process_guid = $1 AND f.definition_identifier = $3
  AND f.incarnation = CASE WHEN $2::bigint <> 0 THEN $2::bigint
                           ELSE (SELECT incarnation FROM desired_lrps WHERE process_guid = $1) END;

-- name: ListAppsWithDefinitions
SELECT DISTINCT f.process_guid
FROM definitions f LEFT JOIN desired_lrps d USING (process_guid)
WHERE f.process_guid > $1 AND ($2 = '' OR d.domain = $2)
ORDER BY f.process_guid
LIMIT $3::int;

-- name: DefinitionSizes
SELECT incarnation, definition_identifier, octet_length(run_info) AS size_bytes FROM definitions WHERE process_guid = $1;

-- name: ReadOpenRoll
SELECT {rolls}
FROM rolls
WHERE roll_id = $1;

-- name: ReadOpenRollOfApp
SELECT {rolls}
FROM rolls
WHERE process_guid = $1;

-- name: ListOpenRolls
SELECT {r.rolls}
FROM rolls r LEFT JOIN desired_lrps d USING (process_guid)
WHERE r.process_guid > $1 AND ($2 = '' OR d.domain = $2)
ORDER BY r.process_guid
LIMIT $3::int;

-- name: ReadFinishedRoll
SELECT {roll_history}
FROM roll_history
WHERE roll_id = $1;

-- name: ListFinishedRolls
-- Newest first, older than $3.
SELECT {h.roll_history}
FROM roll_history h LEFT JOIN desired_lrps d USING (process_guid)
WHERE ($1 = '' OR h.process_guid = $1) AND ($2 = '' OR d.domain = $2) AND h.finished_at < to_timestamp($3::bigint / 1e6)
ORDER BY h.finished_at DESC
LIMIT $4::int;

-- name: ReadLatestFinishedRoll
SELECT {roll_history}
FROM roll_history
WHERE process_guid = $1
ORDER BY finished_at DESC
LIMIT 1;

-- name: ReadSteps
SELECT {roll_steps}
FROM roll_steps
WHERE roll_id = $1 AND sequence > $2::bigint
ORDER BY sequence
LIMIT $3::int;

-- name: ListCells
SELECT c.cell_id, c.zone, c.address, c.memory_mb, c.disk_mb, c.pids, c.containers, c.stacks, c.placement_tags,
       c.abilities, c.enforces, c.version, c.draining, c.lease_expires_at, c.lease_expires_at > clock_timestamp() AS lease_runs,
       coalesce(a.instances, 0) AS instances, c.epoch, c.present_since, c.missing_since, c.losses, c.draining_since, c.draining_from
FROM cells c
LEFT JOIN (SELECT cell_id, count(*) AS instances FROM actual_lrps WHERE cell_id <> '' GROUP BY cell_id) a
  USING (cell_id)
ORDER BY c.cell_id;

-- name: ListRouteConsumers
SELECT consumer_id, version, registered_at, lease_expires_at, lease_expires_at > clock_timestamp() AS lease_runs
FROM route_consumers ORDER BY consumer_id;

-- name: LockCell
-- One cell, and as it was before a change of it.
SELECT c.cell_id, c.zone, c.address, c.memory_mb, c.disk_mb, c.pids, c.containers, c.stacks, c.placement_tags,
       c.abilities, c.enforces, c.version, c.draining, c.lease_expires_at, c.lease_expires_at > clock_timestamp() AS lease_runs,
       (SELECT count(*) FROM actual_lrps a WHERE a.cell_id = c.cell_id AND a.cell_id <> '') AS instances, c.epoch, c.present_since,
       c.missing_since, c.losses, c.draining_since, c.draining_from
FROM cells c
WHERE c.cell_id = ANY ($1::text[])
ORDER BY c.cell_id
FOR UPDATE OF c;

-- name: LockSilentCells
SELECT cell_id FROM cells WHERE lease_expires_at <= clock_timestamp() AND missing_since IS NULL
ORDER BY cell_id
FOR UPDATE;

-- name: ListAppsOnCell
SELECT DISTINCT process_guid FROM actual_lrps WHERE cell_id = $1 AND cell_id <> '';

-- name: ListDomains
SELECT domain, expires_at FROM domains WHERE expires_at IS NULL OR expires_at > clock_timestamp() ORDER BY domain;

-- name: FindApp
SELECT process_guid FROM actual_lrps WHERE actual_id = $1;
