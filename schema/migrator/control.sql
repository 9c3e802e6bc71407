-- What the migrator itself keeps; beside the numbered migrations, because it is needed before the first of them ends.
-- Run at the begin of each: it makes what is missing.

-- Which store this is, and what a way back has come to; one row.
CREATE TABLE IF NOT EXISTS store (
  one           boolean PRIMARY KEY DEFAULT true CHECK (one),
  store_id      uuid NOT NULL DEFAULT gen_random_uuid(),  -- a database that was wiped and made anew has another
  rollback_from bigint,  -- NULL: none was begun
  rollback_done boolean NOT NULL DEFAULT false
);
INSERT INTO store DEFAULT VALUES ON CONFLICT DO NOTHING;

-- Stores in whose place an operator has accepted this one: who knows them may go on with it.
CREATE TABLE IF NOT EXISTS accepted_stores (
  store_id    uuid PRIMARY KEY,
  accepted_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Cells have obeyed leaders of this store up to this epoch, and the database knows of none: it was restored from a backup.
-- Nobody serves it until an operator has accepted that.
CREATE TABLE IF NOT EXISTS lost_epochs (
  epoch    bigint PRIMARY KEY,
  found_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What each migration has done; where it goes on after it was killed.
CREATE TABLE IF NOT EXISTS migration_steps (
  version    bigint NOT NULL,
  kind       text COLLATE "C" NOT NULL,
  name       text COLLATE "C" NOT NULL,
  done       boolean NOT NULL,
  checkpoint text COLLATE "C" NOT NULL DEFAULT '',  -- of a copy: the last row that was read
  rows_done  bigint NOT NULL DEFAULT 0 CHECK (rows_done >= 0),
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (version, kind, name)
);

-- Every batond that is there, of whatever version, leading or not: for people; nothing is decided by it.
CREATE TABLE IF NOT EXISTS members (
  id          text COLLATE "C" PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 255),
  address     text NOT NULL,
  schema      bigint NOT NULL,  -- that it is built for
  semver      text NOT NULL,
  app_version text NOT NULL,
  state       text NOT NULL,
  why         text NOT NULL,
  started_at  timestamptz NOT NULL,
  seen_at     timestamptz NOT NULL
);

-- The online upgrade that somebody may begin, is under way or is not finished; no row: there is none.
CREATE TABLE IF NOT EXISTS upgrade (
  one           boolean PRIMARY KEY DEFAULT true CHECK (one),
  source        bigint NOT NULL,  -- migrations' numbers
  source_semver text NOT NULL,
  target        bigint NOT NULL,
  target_semver text NOT NULL,
  state         text COLLATE "C" NOT NULL
                CHECK (state IN ('WAITING', 'SYNCING', 'SWITCHING', 'SWITCHED', 'SYNCING_BACK', 'SWITCHING_BACK')),
  shards        integer NOT NULL DEFAULT 0 CHECK (shards BETWEEN 0 AND 1024),
  keep_old      boolean NOT NULL DEFAULT false,
  changed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  write_stop_ms bigint NOT NULL DEFAULT 0 CHECK (write_stop_ms >= 0)
);
