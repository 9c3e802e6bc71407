-- name: Fence
-- First statement of every writing transaction: no row, and this process leads no more. KEY SHARE does not wait for a
-- renewal, and makes an election wait for us. Nor does it lead where the lease has ended by this clock, or ends in more
-- than two minutes: while it runs by the leader's own, this one was set, forward or back, and nothing may be decided by it
-- before the times are put right (TakeLease).
SELECT clock_timestamp() FROM leases WHERE name = $1 AND epoch = $2
  AND expires_at BETWEEN clock_timestamp() AND clock_timestamp() + interval '2 minutes' FOR KEY SHARE;

-- name: TakeLease
-- An expired lease goes to whoever asks first, with the next epoch; so does one that ends in more than two minutes, which
-- none is given: the database's clock was put back since. Says for how many milliseconds nobody led: negative where the
-- clock was put back.
UPDATE leases
SET epoch = leases.epoch + 1, holder = $2, address = $3, acquired_at = clock_timestamp(),
    expires_at = clock_timestamp() + $4 * interval '1 millisecond'
FROM leases AS before
WHERE leases.name = $1 AND before.name = leases.name
  AND leases.expires_at NOT BETWEEN clock_timestamp() AND clock_timestamp() + interval '2 minutes'
RETURNING leases.epoch, (1000 * extract(epoch FROM clock_timestamp() - before.expires_at))::bigint AS standstill_ms;

-- name: ShiftRolls
-- Nobody led for long, or the clock was set by as much: which of the two is not known, and no time has passed for a roll
-- in either. What ends goes along; what began goes along with a clock put forward, and begins anew with one put back.
WITH moved AS (SELECT clock_timestamp() AS now, $1::bigint * interval '1 millisecond' AS by,
                      greatest($1::bigint, 0) * interval '1 millisecond' AS forward)
UPDATE rolls
SET deadline = deadline + by, opened_at = least(opened_at, now),
    proved_at = CASE WHEN proved_at IS NOT NULL THEN least(proved_at, now) END,
    clock_stopped_at = CASE WHEN clock_stopped_at IS NOT NULL THEN least(clock_stopped_at + forward, now) END,
    waiting_since = CASE WHEN waiting_since IS NOT NULL THEN least(waiting_since + forward, now) END,
    stage_since = CASE WHEN stage_since IS NOT NULL THEN least(stage_since + forward, now) END,
    last_hand_over_at = CASE WHEN last_hand_over_at IS NOT NULL THEN least(last_hand_over_at + forward, now) END,
    waits_from = CASE WHEN waits_from IS NOT NULL THEN least(waits_from + forward, now) END
FROM moved;

-- name: ShiftSteps
-- Of open rolls: an attempt that failed in the future would back off until then.
UPDATE roll_steps SET at = clock_timestamp() FROM rolls
WHERE roll_steps.roll_id = rolls.roll_id AND roll_steps.at > clock_timestamp();

-- name: ShiftInstances
-- Those that something is under way with, and any whose times lie ahead.
WITH moved AS (SELECT clock_timestamp() AS now, $1::bigint * interval '1 millisecond' AS by,
                      greatest($1::bigint, 0) * interval '1 millisecond' AS forward)
UPDATE actual_lrps
SET since = least(since, now), drain_not_before = drain_not_before + by, drain_until = drain_until + by,
    handed_over_at = CASE WHEN handed_over_at IS NOT NULL THEN least(handed_over_at, now) END,
    routable_since = CASE WHEN routable_since IS NOT NULL THEN least(routable_since + forward, now) END,
    claimed_at = CASE WHEN claimed_at IS NOT NULL THEN least(claimed_at + forward, now) END,
    down_since = CASE WHEN down_since IS NOT NULL THEN least(down_since + forward, now) END,
    retiring_since = CASE WHEN retiring_since IS NOT NULL THEN least(retiring_since + forward, now) END,
    stop_ordered_at = CASE WHEN stop_ordered_at IS NOT NULL THEN least(stop_ordered_at + forward, now) END
FROM moved
WHERE presence <> 'ORDINARY' OR state <> 'RUNNING' OR routable_since IS NULL
   OR process_guid IN (SELECT process_guid FROM rolls) OR greatest(since, routable_since) > now;

-- name: ShiftCells
-- Whoever was there when somebody led last still is, as far as is known.
-- One that is there since a time that lies ahead would be given nothing until then.
UPDATE cells
SET lease_expires_at = lease_expires_at + $1::bigint * interval '1 millisecond',
    present_since = CASE WHEN present_since IS NOT NULL THEN least(present_since, clock_timestamp()) END,
    draining_since = CASE WHEN draining_since IS NOT NULL THEN least(draining_since, clock_timestamp()) END,
    missing_since = CASE WHEN missing_since IS NOT NULL THEN least(missing_since, clock_timestamp()) END;

-- name: ShiftConsumers
-- One that was heard of at a time that lies ahead would count as heard of until then.
UPDATE route_consumers
SET lease_expires_at = lease_expires_at + $1::bigint * interval '1 millisecond',
    registered_at = least(registered_at, clock_timestamp());

-- name: MakeLease
-- The very first leader of a new database.
INSERT INTO leases (name, epoch, holder, address, acquired_at, expires_at)
VALUES ($1, 1, $2, $3, clock_timestamp(), clock_timestamp() + $4 * interval '1 millisecond')
ON CONFLICT DO NOTHING
RETURNING epoch;

-- name: RenewLease
-- One that has ended, or cannot be, is not renewed: the clock was set meanwhile, and whoever takes it begins anew.
UPDATE leases SET expires_at = clock_timestamp() + $3 * interval '1 millisecond'
WHERE name = $1 AND epoch = $2 AND expires_at BETWEEN clock_timestamp() AND clock_timestamp() + interval '2 minutes'
RETURNING epoch;

-- name: ResignLease
-- The row stays: epochs only ever grow.
UPDATE leases SET expires_at = clock_timestamp() - interval '1 microsecond' WHERE name = $1 AND epoch = $2;

-- name: ReadLease
SELECT epoch, holder, address,
       expires_at BETWEEN clock_timestamp() AND clock_timestamp() + interval '2 minutes' AS runs,
       ceil(1000 * extract(epoch FROM expires_at - clock_timestamp()))::bigint AS left_ms
FROM leases WHERE name = $1;

-- name: RaiseEpoch
-- An operator accepts another store: epochs go on beyond what was seen of the one before. Whoever leads with a lower one
-- leads no more, and may be elected above it.
INSERT INTO leases (name, epoch, holder, address, acquired_at, expires_at)
VALUES ($1, $2, '', '', clock_timestamp(), clock_timestamp() - interval '1 microsecond')
ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, expires_at = excluded.expires_at
WHERE leases.epoch < excluded.epoch;
