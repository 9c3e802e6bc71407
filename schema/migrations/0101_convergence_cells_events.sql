-- Schema 2.1: what convergence, cells, events, stages and plans need.
-- Between two releases 0100 was changed, when it should not have been: databases of those days have some of this already.

ALTER TABLE definitions
  ADD COLUMN IF NOT EXISTS port_aliases bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(port_aliases) % 2 = 0);
ALTER TABLE actual_lrps ADD COLUMN IF NOT EXISTS retire_asked boolean NOT NULL DEFAULT false;
ALTER TABLE rolls
  ADD COLUMN IF NOT EXISTS strategy   bytea,  -- what it was opened with
  ADD COLUMN IF NOT EXISTS verdict    text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS condemned  text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS waited_ms  bigint NOT NULL DEFAULT 0 CHECK (waited_ms >= 0),
  ADD COLUMN IF NOT EXISTS waits_from timestamptz;
ALTER TABLE roll_history ADD COLUMN IF NOT EXISTS waited_ms bigint NOT NULL DEFAULT 0 CHECK (waited_ms >= 0);

-- Proven definitions before the active one that this app keeps; NULL: as batond is told.
ALTER TABLE desired_lrps ADD COLUMN IF NOT EXISTS definition_history integer CHECK (definition_history BETWEEN 0 AND 100);

-- An instance outlives its app's row: whose it was is asked for orphans and by subscribers (Diego keeps it too).
-- The format is the row's own version: 1 has no domain yet.
ALTER TABLE actual_lrps
  ADD COLUMN IF NOT EXISTS domain text COLLATE "C" NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS format smallint NOT NULL DEFAULT 1 CHECK (format > 0);

-- A cell's lease that has ended does not make it missing: convergence declares it so, within limits.
ALTER TABLE cells
  ADD COLUMN IF NOT EXISTS epoch          bigint NOT NULL DEFAULT 1 CHECK (epoch > 0),  -- +1 with each registration
  ADD COLUMN IF NOT EXISTS present_since  timestamptz,  -- since it was registered or came back
  ADD COLUMN IF NOT EXISTS missing_since  timestamptz,  -- since it was declared missing; NULL: it is not
  ADD COLUMN IF NOT EXISTS losses         integer NOT NULL DEFAULT 0 CHECK (losses >= 0),  -- while it never stayed for an hour
  ADD COLUMN IF NOT EXISTS draining_since timestamptz,
  ADD COLUMN IF NOT EXISTS draining_from  integer NOT NULL DEFAULT 0 CHECK (draining_from >= 0);  -- instances when it began to drain
UPDATE cells SET present_since = first_seen_at WHERE present_since IS NULL;

-- A domain that is fresh for ever (Diego: ttl 0).
ALTER TABLE domains ALTER COLUMN expires_at DROP NOT NULL;

-- @copy Copy0101Domains
-- @copy Copy0101Strategies

-- The count pass and the collector's look read only these two indexes and the key of definitions.
-- @outside actual_lrps_ordinary
CREATE INDEX CONCURRENTLY actual_lrps_ordinary ON actual_lrps (process_guid, incarnation, instance_index)
  WHERE presence = 'ORDINARY';
-- @outside desired_lrps_count
CREATE INDEX CONCURRENTLY desired_lrps_count ON desired_lrps (process_guid)
  INCLUDE (incarnation, instances, active_definition, healthy_definition);

-- @contract
ALTER TABLE actual_lrps ALTER COLUMN format SET DEFAULT 2;
ALTER TABLE rolls ALTER COLUMN strategy SET NOT NULL;
-- A horizon of transaction ids does not keep a reader from missing events: docs/decisions/0012.
ALTER TABLE events DROP COLUMN IF EXISTS xid;

-- @loses SELECT 'domain ' || domain || ' is fresh for ever' FROM domains WHERE expires_at IS NULL ORDER BY domain
-- @loses SELECT 'app ' || process_guid || ' keeps ' || definition_history || ' definitions' FROM desired_lrps WHERE definition_history IS NOT NULL ORDER BY process_guid
-- @loses SELECT 'definition ' || definition_identifier || ' of app ' || process_guid || ' has port aliases' FROM definitions WHERE port_aliases <> '{}' ORDER BY process_guid, definition_identifier
-- @loses SELECT 'an instance of app ' || process_guid || ' is to be retired (baton retire)' FROM actual_lrps WHERE retire_asked ORDER BY process_guid

-- @down-expand
ALTER TABLE events ADD COLUMN IF NOT EXISTS xid xid8 NOT NULL DEFAULT pg_current_xact_id();
ALTER TABLE actual_lrps ALTER COLUMN format SET DEFAULT 1;
ALTER TABLE rolls ALTER COLUMN strategy DROP NOT NULL;

-- @down-contract
ALTER TABLE domains ALTER COLUMN expires_at SET NOT NULL;
ALTER TABLE cells DROP COLUMN epoch, DROP COLUMN present_since, DROP COLUMN missing_since, DROP COLUMN losses,
  DROP COLUMN draining_since, DROP COLUMN draining_from;
ALTER TABLE actual_lrps DROP COLUMN domain, DROP COLUMN format, DROP COLUMN retire_asked;
ALTER TABLE desired_lrps DROP COLUMN definition_history;
DROP INDEX IF EXISTS actual_lrps_ordinary;
DROP INDEX IF EXISTS desired_lrps_count;
ALTER TABLE roll_history DROP COLUMN waited_ms;
ALTER TABLE rolls DROP COLUMN strategy, DROP COLUMN verdict, DROP COLUMN condemned, DROP COLUMN waited_ms,
  DROP COLUMN waits_from;
ALTER TABLE definitions DROP COLUMN port_aliases;
