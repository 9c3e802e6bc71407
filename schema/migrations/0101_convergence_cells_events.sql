-- Schema 2.1: what convergence, cells and events need.

-- Proven definitions before the active one that this app keeps; NULL: as batond is told.
ALTER TABLE desired_lrps ADD COLUMN definition_history integer CHECK (definition_history BETWEEN 0 AND 100);

-- An instance outlives its app's row: whose it was is asked for orphans and by subscribers (Diego keeps it too).
ALTER TABLE actual_lrps ADD COLUMN domain text COLLATE "C" NOT NULL DEFAULT '';
UPDATE actual_lrps a SET domain = d.domain FROM desired_lrps d WHERE d.process_guid = a.process_guid;

-- The count pass and the collector's look read only these two indexes and the key of definitions.
CREATE INDEX actual_lrps_ordinary ON actual_lrps (process_guid, incarnation, instance_index)
  WHERE presence = 'ORDINARY';
CREATE INDEX desired_lrps_count ON desired_lrps (process_guid) INCLUDE (incarnation, instances, active_definition, healthy_definition);

-- A cell's lease that has ended does not make it missing: convergence declares it so, within limits.
ALTER TABLE cells
  ADD COLUMN epoch          bigint NOT NULL DEFAULT 1 CHECK (epoch > 0),  -- +1 with each registration
  ADD COLUMN present_since  timestamptz,  -- since it was registered or came back
  ADD COLUMN missing_since  timestamptz,  -- since it was declared missing; NULL: it is not
  ADD COLUMN losses         integer NOT NULL DEFAULT 0 CHECK (losses >= 0),  -- while it never stayed for an hour
  ADD COLUMN draining_since timestamptz,
  ADD COLUMN draining_from  integer NOT NULL DEFAULT 0 CHECK (draining_from >= 0);  -- instances when it began to drain
UPDATE cells SET present_since = first_seen_at;

-- A domain that is fresh for ever (Diego: ttl 0).
ALTER TABLE domains ALTER COLUMN expires_at DROP NOT NULL;

-- A horizon of transaction ids does not keep a reader from missing events: docs/decisions/0012.
ALTER TABLE events DROP COLUMN xid;
