-- name: Fence
-- First statement of every writing transaction: no row, and this process leads no more. KEY SHARE does not wait for a
-- renewal, and makes an election wait for us.
SELECT clock_timestamp() FROM leases WHERE name = $1 AND epoch = $2 FOR KEY SHARE;

-- name: TakeLease
-- An expired lease goes to whoever asks first, with the next epoch; so does one that ends in more than two minutes, which
-- none is given: the database's clock was put back since.
UPDATE leases
SET epoch = epoch + 1, holder = $2, address = $3, acquired_at = clock_timestamp(),
    expires_at = clock_timestamp() + $4 * interval '1 millisecond'
WHERE name = $1 AND expires_at NOT BETWEEN clock_timestamp() AND clock_timestamp() + interval '2 minutes'
RETURNING epoch;

-- name: MakeLease
-- The very first leader of a new database.
INSERT INTO leases (name, epoch, holder, address, acquired_at, expires_at)
VALUES ($1, 1, $2, $3, clock_timestamp(), clock_timestamp() + $4 * interval '1 millisecond')
ON CONFLICT DO NOTHING
RETURNING epoch;

-- name: RenewLease
UPDATE leases SET expires_at = clock_timestamp() + $3 * interval '1 millisecond'
WHERE name = $1 AND epoch = $2
RETURNING epoch;

-- name: ResignLease
-- The row stays: epochs only ever grow.
UPDATE leases SET expires_at = clock_timestamp() - interval '1 microsecond' WHERE name = $1 AND epoch = $2;

-- name: ReadLease
SELECT epoch, holder, address,
       expires_at BETWEEN clock_timestamp() AND clock_timestamp() + interval '2 minutes',
       ceil(1000 * extract(epoch FROM expires_at - clock_timestamp()))::bigint
FROM leases WHERE name = $1;

-- name: RaiseEpoch
-- An operator accepts another store: epochs go on beyond what was seen of the one before. Whoever leads with a lower one
-- leads no more, and may be elected above it.
INSERT INTO leases (name, epoch, holder, address, acquired_at, expires_at)
VALUES ($1, $2, '', '', clock_timestamp(), clock_timestamp() - interval '1 microsecond')
ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, expires_at = excluded.expires_at
WHERE leases.epoch < excluded.epoch;
