-- Schema 1.1: what Diego's later levels have as columns. A row says by itself which format it has: NULL is "as in 1.0".

ALTER TABLE legacy.desired_lrps
  ADD COLUMN metric_tags     bytea,                       -- baton.v2.StoredMetricTags; NULL: still in run_info
  ADD COLUMN update_strategy integer NOT NULL DEFAULT 0;  -- baton.v1.DesiredLRP.UpdateStrategy

ALTER TABLE legacy.actual_lrps
  ADD COLUMN internal_routes   bytea,    -- baton.v1.ActualLRP with nothing else in it; NULL: none are known
  ADD COLUMN metric_tags       bytea,    -- baton.v2.StoredMetricTags, static values; NULL: none are known
  ADD COLUMN routable          boolean,  -- NULL: not known, a RUNNING one counts as routable (Diego)
  ADD COLUMN availability_zone text NOT NULL DEFAULT '';

-- What `baton admin adopt` has done so far; no row: nobody adopted anything.
CREATE TABLE legacy.adoption (
  one         boolean PRIMARY KEY DEFAULT true CHECK (one),
  fingerprint text NOT NULL,             -- of the source's rows, when it was begun
  phase       text NOT NULL CHECK (phase IN ('APPS', 'REST', 'DONE')),
  checkpoint  bytea NOT NULL,            -- the last app that was taken over or left out
  apps        bigint NOT NULL,
  instances   bigint NOT NULL,
  domains     bigint NOT NULL,
  tasks       bigint NOT NULL,           -- that were found; Baton runs none
  begun_at    timestamptz NOT NULL,
  finished_at timestamptz
);

-- What was not taken over, and why: by the adoption, or by the step from here to 2.0.
CREATE TABLE legacy.left_out (
  kind       text NOT NULL CHECK (kind IN ('ROW', 'FIELD', 'NOTE')),
  table_name text NOT NULL,
  row_key    text COLLATE "C" NOT NULL,
  field      text NOT NULL,
  reason     text NOT NULL,
  PRIMARY KEY (table_name, row_key, field)
);
