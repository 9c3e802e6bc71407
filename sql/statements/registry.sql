-- name: UpsertCell
INSERT INTO cells (cell_id, zone, address, memory_mb, disk_mb, pids, containers, stacks, placement_tags, abilities,
                   enforces, version, first_seen_at, present_since, lease_expires_at)
VALUES ($1, $2, $3, $4::bigint, $5::bigint, $6::bigint, $7::bigint, $8::text[], $9::text[], $10::text[], $11::text[],
        $12, clock_timestamp(), clock_timestamp(), clock_timestamp() + $13::bigint * interval '1 millisecond')
ON CONFLICT (cell_id) DO UPDATE SET
  zone = EXCLUDED.zone, address = EXCLUDED.address, memory_mb = EXCLUDED.memory_mb, disk_mb = EXCLUDED.disk_mb,
  pids = EXCLUDED.pids, containers = EXCLUDED.containers, stacks = EXCLUDED.stacks,
  placement_tags = EXCLUDED.placement_tags, abilities = EXCLUDED.abilities, enforces = EXCLUDED.enforces,
  version = EXCLUDED.version, lease_expires_at = EXCLUDED.lease_expires_at,
  epoch = cells.epoch % 9223372036854775807 + 1,
  present_since = CASE WHEN cells.missing_since IS NULL THEN cells.present_since ELSE clock_timestamp() END,
  missing_since = NULL;

-- name: SetDraining
UPDATE cells SET draining = $2::boolean,
  draining_since = CASE WHEN $2::boolean THEN coalesce(draining_since, clock_timestamp()) END,
  draining_from = CASE WHEN NOT $2::boolean THEN 0 WHEN draining THEN draining_from ELSE $3::int END
WHERE cell_id = $1;

-- name: RenewCells
UPDATE cells SET lease_expires_at = clock_timestamp() + $2::bigint * interval '1 millisecond'
WHERE cell_id = ANY ($1::text[]);

-- name: MissingAmong
SELECT cell_id FROM cells WHERE cell_id = ANY ($1::text[]) AND missing_since IS NOT NULL;

-- name: ReturnCells
-- They were declared missing while their stream went on: it was this side that was slow.
UPDATE cells SET missing_since = NULL, present_since = clock_timestamp() WHERE cell_id = ANY ($1::text[]);

-- name: DeclareMissing
-- How often it was lost counts as long as it never stays for an hour. A number that is no count, of a row that was changed by
-- hand, must not keep the others from being declared missing.
UPDATE cells SET missing_since = clock_timestamp(),
  losses = CASE WHEN present_since < clock_timestamp() - interval '1 hour' THEN 1 ELSE least(losses, 1000000) + 1 END
WHERE cell_id = ANY ($1::text[]) AND lease_expires_at <= clock_timestamp() AND missing_since IS NULL;

-- name: LockDomain
SELECT expires_at IS NULL OR expires_at > clock_timestamp() AS fresh, expires_at FROM domains WHERE domain = $1 FOR UPDATE;

-- name: UpsertDomain
INSERT INTO domains (domain, expires_at)
VALUES ($1, CASE WHEN $2::bigint > 0 THEN clock_timestamp() + $2::bigint * interval '1 second' END)
ON CONFLICT (domain) DO UPDATE SET expires_at = EXCLUDED.expires_at
RETURNING domain, expires_at;

-- name: DeleteExpiredDomains
DELETE FROM domains WHERE expires_at <= clock_timestamp() RETURNING domain, expires_at;

-- name: EgressTableExists
-- Data of schema 2.3 has none.
SELECT to_regclass('domain_egress') IS NOT NULL;

-- name: ReadEgress
SELECT domain, unenforced FROM domain_egress ORDER BY domain;

-- name: SetEgress
INSERT INTO domain_egress (domain, unenforced) VALUES ($1, $2)
ON CONFLICT (domain) DO UPDATE SET unenforced = EXCLUDED.unenforced;

-- name: ForgetEgress
DELETE FROM domain_egress WHERE domain = $1;

-- name: UpsertConsumer
-- registered_at is when it was last heard of in step (RenewConsumers), or came for the first time: one that comes again
-- knows nothing yet of what drains. xmax: only an update has it.
INSERT INTO route_consumers (consumer_id, version, registered_at, lease_expires_at)
VALUES ($1, $2, clock_timestamp(), clock_timestamp() + $3::bigint * interval '1 millisecond')
ON CONFLICT (consumer_id) DO UPDATE SET version = EXCLUDED.version, lease_expires_at = EXCLUDED.lease_expires_at
RETURNING xmax <> 0 AS known, clock_timestamp() AS at;

-- name: RenewConsumers
UPDATE route_consumers SET lease_expires_at = clock_timestamp() + $2::bigint * interval '1 millisecond'
WHERE consumer_id = ANY ($1::text[]);

-- name: HeardOfConsumers
-- $2: so many milliseconds ago.
UPDATE route_consumers c
SET registered_at = greatest(c.registered_at, clock_timestamp() - h.ago * interval '1 millisecond')
FROM unnest($1::text[], $2::bigint[]) AS h (consumer_id, ago)
WHERE c.consumer_id = h.consumer_id;

-- name: DeleteConsumer
DELETE FROM route_consumers WHERE consumer_id = $1 RETURNING consumer_id;

-- name: DeleteExpiredConsumers
-- Long gone: an ended lease stops counting by itself, this only keeps the table small.
DELETE FROM route_consumers WHERE lease_expires_at < clock_timestamp() - interval '1 day';

-- name: GiveGraceToCells
-- A new leader: while there was none, no lease could be renewed. Each gets a full one from now.
UPDATE cells SET lease_expires_at = clock_timestamp() + $1::bigint * interval '1 millisecond';

-- name: GiveGraceToConsumers
-- Only to those that were there not long ago: one that went away for good must not hold up every drain.
UPDATE route_consumers
SET lease_expires_at = greatest(lease_expires_at, clock_timestamp() + $1::bigint * interval '1 millisecond')
WHERE lease_expires_at > clock_timestamp() - interval '10 minutes';
