-- Keys of encryption at rest, and bringing all blobs to one of them. A statement `each` is written out once for every table
-- of orchestrator/crypto/encrypted_columns.cc, as NAME.table; sql/keys/blob_statements.cc says what stands for the words in braces.

-- name: ReadKeyLabels
SELECT label, active, encryptions, check_value, retired_at IS NOT NULL AS retired FROM key_labels ORDER BY label

-- name: LockKeyLabels extends ReadKeyLabels
FOR UPDATE;

-- name: UseKeyLabel
-- Before the first blob is sealed with it. Its check value is of its first use, for good.
INSERT INTO key_labels (label, active, check_value) VALUES ($1, false, $2::bytea)
ON CONFLICT (label) DO UPDATE SET retired_at = NULL, check_value = coalesce(key_labels.check_value, EXCLUDED.check_value);

-- name: AddEncryptions
-- Ahead of their use: what a crash leaves unused stays counted.
UPDATE key_labels SET encryptions = encryptions + $2::bigint WHERE label = $1;

-- name: AwaitWriters
-- Waits for every transaction that began under the fence, as an election does: those that come later seal with the keys
-- that are in use now.
SELECT 1 FROM leases WHERE name = $1 AND epoch = $2 FOR UPDATE;

-- name: ReadRotation
SELECT table_name, target, checkpoint, rows_total, rows_done, faults, done, began_at FROM key_rotation;

-- name: ForgetRotation
DELETE FROM key_rotation;

-- name: BeginRotation
INSERT INTO key_rotation (table_name, target, rows_total, began_at)
SELECT t, $1, n, clock_timestamp() FROM unnest($2::text[], $3::bigint[]) AS u (t, n);

-- name: BeginRotationAgain
-- From the first row on: what is as it should be is only passed over.
UPDATE key_rotation SET checkpoint = array[]::text[], rows_done = 0, faults = 0, done = false;

-- name: KeepCheckpoint
UPDATE key_rotation
SET checkpoint = $2::text[], rows_done = rows_done + $3::bigint, faults = faults + $4::bigint, done = $5::boolean
WHERE table_name = $1;

-- name: ClearQuarantine
DELETE FROM key_quarantine;

-- name: Quarantine
-- Names; the blobs stay where they are. At most $5 of them are kept.
INSERT INTO key_quarantine (table_name, column_name, row_key, reason, found_at)
SELECT $1, c, k, r, clock_timestamp() FROM unnest($2::text[], $3::text[], $4::text[]) AS u (c, k, r)
WHERE (SELECT count(*) FROM key_quarantine) < $5::int
ON CONFLICT (table_name, column_name, row_key) DO UPDATE SET reason = EXCLUDED.reason;

-- name: ReadQuarantine
SELECT table_name, column_name, row_key, reason, found_at FROM key_quarantine
ORDER BY table_name, column_name, row_key
LIMIT $1::int;

-- name: RetireOtherKeys
-- Every blob is of this label (empty: plain): the others can be taken out of the key file.
UPDATE key_labels SET active = false, retired_at = CASE WHEN label = $1 THEN NULL ELSE coalesce(retired_at, clock_timestamp()) END
WHERE active OR (label <> $1 AND retired_at IS NULL);

-- name: SetStoredKey
UPDATE key_labels SET active = true WHERE label = $1;

-- name: CountRows each
SELECT count(*) FROM {table};

-- name: CountBlobs each
-- By column and label: empty for plain ones, '?' for what is no envelope. Those without a payload are the same under
-- every key, and are not counted.
SELECT b.name, CASE
         WHEN substr(b.blob, 1, 3) = '\x425401' THEN ''
         WHEN substr(b.blob, 1, 3) = '\x425402' AND octet_length(b.blob) > 4
           THEN encode(substr(b.blob, 5, get_byte(b.blob, 3)), 'escape')
         ELSE '?' END AS label, count(*) AS blobs
FROM {table} t, LATERAL (VALUES {named_blobs}) AS b (name, blob)
WHERE b.blob <> '' AND b.blob <> '\x42540100'
GROUP BY 1, 2;

-- name: CountOthers each
-- $1 what begins every blob that is as it should be, $2 rows at most, then the key to begin behind: the page's last key, and
-- how many of its blobs are others.
WITH page AS (SELECT {keys}, {others} AS others FROM {table} WHERE ({keys}) > ({after}) ORDER BY {keys} LIMIT $2::int)
SELECT {keys}, sum(others) OVER () AS others FROM page ORDER BY {keys_down} LIMIT 1;

-- name: CommitWithoutWaiting
-- Of a page: one that a crash of PostgreSQL takes back is done again, with its checkpoint. What ends a rotation is waited for,
-- and with it all that was committed before.
SELECT set_config('synchronous_commit', 'off', true);

-- name: ScanBlobs each
-- A page, locked until it is rewritten; rows that somebody holds are left for the next pass: waiting for them while others are
-- held could be waiting for each other. $1 rows and $2 bytes at most, then the key to begin behind. Blobs without a payload
-- come as NULL.
SELECT {keys}, bound, place, {blobs}
FROM (SELECT page.*, sum({bytes}) OVER (ORDER BY {keys} ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (SELECT {keys}, {bound} AS bound, ctid AS place, {payloads} FROM {table}
            WHERE ({keys}) > ({after}) ORDER BY {keys} LIMIT $1::int
            FOR NO KEY UPDATE SKIP LOCKED) page) paged
WHERE bytes - {bytes} < $2::bigint
ORDER BY {keys};

-- name: RewriteBlobs each
-- In the transaction that locked the rows, by their places. NULL: the blob stays.
UPDATE {table} t SET {sets}
FROM unnest($1::tid[], {arrays}) AS w (place, {new_names})
WHERE t.ctid = w.place;
