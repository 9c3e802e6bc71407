-- Making the tables of 2.x beside those of 1.x (schema/layouts.h).

-- name: TargetShapeExists
SELECT to_regclass('definitions') IS NOT NULL;

-- name: CreateScratchSchema
CREATE SCHEMA baton_scratch;

-- name: ReadSearchPath
SELECT current_setting('search_path');

-- name: SetSearchPath
-- Until the end of the transaction.
SELECT set_config('search_path', $1, true);

-- name: DropScratchControlTables
-- They are there already, with what they hold.
DROP TABLE baton_scratch.leases, baton_scratch.versions, baton_scratch.migrations;

-- name: MoveScratchTables
-- Indexes, constraints and the sequences of identity columns go with their tables; other sequences are named here.
DO $$
DECLARE
  relation record;
BEGIN
  FOR relation IN
    SELECT c.relname, c.relkind FROM pg_class c
    WHERE c.relnamespace = 'baton_scratch'::regnamespace AND c.relkind IN ('r', 'S')
      AND NOT EXISTS (SELECT FROM pg_depend d
                      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')
                        AND d.refclassid = 'pg_class'::regclass)
  LOOP
    EXECUTE format('ALTER %s baton_scratch.%I SET SCHEMA %I',
                   CASE relation.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, relation.relname, current_schema());
  END LOOP;
END $$;

-- name: DropScratchSchema
-- Without CASCADE: what was forgotten in it is a fault that must show.
DROP SCHEMA baton_scratch;

-- name: DropLegacyTables
DO $$
BEGIN
  DROP TABLE legacy.desired_lrps, legacy.actual_lrps, legacy.domains;
  DROP TABLE IF EXISTS legacy.changes, legacy.tracking;
  DROP FUNCTION IF EXISTS legacy.track_changes();
  IF NOT EXISTS (SELECT FROM legacy.adoption) AND NOT EXISTS (SELECT FROM legacy.left_out) THEN
    DROP TABLE legacy.adoption, legacy.left_out;
    DROP SCHEMA legacy;
  END IF;
END $$;
