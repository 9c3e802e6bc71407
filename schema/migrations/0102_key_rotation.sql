-- Schema 2.2: encryption at rest.

-- A key is known again by a text that it sealed when it was first used. Retired: no blob is sealed with it any more, by
-- two counts; its row stays, because its uses count for ever and its label is never given to another key.
ALTER TABLE key_labels
  ADD COLUMN check_value bytea,
  ADD COLUMN retired_at  timestamptz,
  ADD CONSTRAINT key_labels_active_in_use CHECK (NOT active OR retired_at IS NULL);

-- How far all blobs were brought to one key: a row for each table that has some, for the rotation that runs or ran last.
CREATE TABLE key_rotation (
  table_name text COLLATE "C" PRIMARY KEY,
  target     text COLLATE "C" NOT NULL CHECK (target ~ '^[A-Za-z0-9]{0,127}$'),  -- empty: back to plain
  checkpoint text[] NOT NULL DEFAULT '{}',  -- the key of the last row that was looked at
  rows_total bigint NOT NULL CHECK (rows_total >= 0),  -- when it began
  rows_done  bigint NOT NULL DEFAULT 0 CHECK (rows_done >= 0),
  faults     bigint NOT NULL DEFAULT 0 CHECK (faults >= 0),
  done       boolean NOT NULL DEFAULT false,
  began_at   timestamptz NOT NULL
);

-- Blobs that do not open, by name: left as they are, and no rotation is done while there are any.
CREATE TABLE key_quarantine (
  table_name  text COLLATE "C" NOT NULL,
  column_name text COLLATE "C" NOT NULL,
  row_key     text COLLATE "C" NOT NULL,
  reason      text NOT NULL,
  found_at    timestamptz NOT NULL,
  PRIMARY KEY (table_name, column_name, row_key)
);

-- @contract
-- What a crashed process said last, and what somebody outside answered, is repeated in these: they become envelopes.
ALTER TABLE rolls ALTER COLUMN verdict DROP DEFAULT, ALTER COLUMN condemned DROP DEFAULT;
ALTER TABLE rolls
  ALTER COLUMN reason TYPE bytea USING '\x42540100'::bytea || convert_to(reason, 'UTF8'),
  ALTER COLUMN verdict TYPE bytea USING '\x42540100'::bytea || convert_to(verdict, 'UTF8'),
  ALTER COLUMN condemned TYPE bytea USING '\x42540100'::bytea || convert_to(condemned, 'UTF8');
ALTER TABLE rolls ALTER COLUMN verdict SET DEFAULT '\x42540100', ALTER COLUMN condemned SET DEFAULT '\x42540100';
ALTER TABLE roll_history
  ALTER COLUMN reason TYPE bytea USING '\x42540100'::bytea || convert_to(reason, 'UTF8');
ALTER TABLE roll_steps
  ALTER COLUMN text TYPE bytea USING '\x42540100'::bytea || convert_to(text, 'UTF8');

-- @loses SELECT 'blobs are sealed with key ' || label || ': go back to plain ones first (docs/keys.md)' FROM key_labels WHERE retired_at IS NULL ORDER BY label

-- @down-contract
ALTER TABLE rolls ALTER COLUMN verdict DROP DEFAULT, ALTER COLUMN condemned DROP DEFAULT;
ALTER TABLE rolls
  ALTER COLUMN reason TYPE text USING convert_from(substr(reason, 5), 'UTF8'),
  ALTER COLUMN verdict TYPE text USING convert_from(substr(verdict, 5), 'UTF8'),
  ALTER COLUMN condemned TYPE text USING convert_from(substr(condemned, 5), 'UTF8');
ALTER TABLE rolls ALTER COLUMN verdict SET DEFAULT '', ALTER COLUMN condemned SET DEFAULT '';
ALTER TABLE roll_history ALTER COLUMN reason TYPE text USING convert_from(substr(reason, 5), 'UTF8');
ALTER TABLE roll_steps ALTER COLUMN text TYPE text USING convert_from(substr(text, 5), 'UTF8');
ALTER TABLE key_labels DROP COLUMN check_value, DROP COLUMN retired_at;
DROP TABLE key_rotation;
DROP TABLE key_quarantine;
