-- Roles for a Baton that may do to its database what its work takes, and no more. Run it as a superuser, connected to Baton's
-- database, before batond first starts or at any time after, and again after an upgrade that brings tables:
--
--   psql -v ON_ERROR_STOP=1 -d baton -f roles.sql
--
-- baton_owner     owns everything; nobody logs in as it
-- baton_migrator  becomes baton_owner: for the one start of batond that makes or migrates the database
-- baton_service   what batond is otherwise: rows, no tables, no TRUNCATE, and of the book of migrations only to read
-- baton_reader    reads everything; what is sealed it reads sealed
-- baton_lister    reads what is in the clear by design (schema/encrypted_columns.cc): enough to list
--
-- None of them gets a password here: \password, or certificates in pg_hba.conf.
BEGIN;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY array['baton_owner', 'baton_migrator', 'baton_service', 'baton_reader', 'baton_lister'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      EXECUTE format('CREATE ROLE %I', name);
    END IF;
    EXECUTE format('ALTER ROLE %I %s NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', name,
                   CASE name WHEN 'baton_owner' THEN 'NOLOGIN' ELSE 'LOGIN' END);
  END LOOP;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO baton_migrator, baton_service, baton_reader, baton_lister', current_database());
  EXECUTE format('GRANT CREATE ON DATABASE %I TO baton_owner', current_database());
  -- What it makes is the owner's.
  EXECUTE format('ALTER ROLE baton_migrator IN DATABASE %I SET role = ''baton_owner''', current_database());
END $$;

GRANT baton_owner TO baton_migrator;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
ALTER SCHEMA public OWNER TO baton_owner;
GRANT USAGE ON SCHEMA public TO baton_service, baton_reader, baton_lister;

-- Tables of an upgrade to come: the service works at once, the rest is told by running this again.
ALTER DEFAULT PRIVILEGES FOR ROLE baton_owner IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO baton_service;
ALTER DEFAULT PRIVILEGES FOR ROLE baton_owner IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO baton_service;
ALTER DEFAULT PRIVILEGES FOR ROLE baton_owner IN SCHEMA public GRANT SELECT ON TABLES TO baton_reader;

DO $$
DECLARE
  thing record;
BEGIN
  FOR thing IN SELECT c.relname, c.relkind FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'S')
                 -- An identity's sequence goes with its table.
                 AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'i')
  LOOP
    EXECUTE format('ALTER %s public.%I OWNER TO baton_owner', CASE thing.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
                   thing.relname);
  END LOOP;
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, baton_service, baton_reader, baton_lister;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO baton_service;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO baton_service;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO baton_reader;

DO $$
DECLARE
  kept text;
  thing record;
BEGIN
  -- Which schema this is, and by which migrations it came to be, is the owner's word.
  FOREACH kept IN ARRAY array['versions', 'migrations', 'migration_steps'] LOOP
    IF to_regclass('public.' || kept) IS NOT NULL THEN
      EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON public.%I FROM baton_service', kept);
    END IF;
  END LOOP;
  -- Which store this is, and how often each key was used, is never taken back.
  FOREACH kept IN ARRAY array['store', 'accepted_stores', 'key_labels'] LOOP
    IF to_regclass('public.' || kept) IS NOT NULL THEN
      EXECUTE format('REVOKE DELETE ON public.%I FROM baton_service', kept);
    END IF;
  END LOOP;
  -- What is in the audit stays as it is. Entries go when they are old (--audit-days is one day at least), never before.
  IF to_regclass('public.audit') IS NOT NULL THEN
    REVOKE UPDATE ON public.audit FROM baton_service;
    ALTER TABLE public.audit ENABLE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS everybody_reads ON public.audit;
    DROP POLICY IF EXISTS service_adds ON public.audit;
    DROP POLICY IF EXISTS old_ones_go ON public.audit;
    CREATE POLICY everybody_reads ON public.audit FOR SELECT USING (true);
    CREATE POLICY service_adds ON public.audit FOR INSERT TO baton_service WITH CHECK (true);
    CREATE POLICY old_ones_go ON public.audit FOR DELETE TO baton_service USING (at < clock_timestamp() - interval '23 hours');
  END IF;
  -- Every column but the sealed ones.
  FOR thing IN
    SELECT c.table_name, string_agg(quote_ident(c.column_name), ', ') AS columns
    FROM information_schema.columns c
    LEFT JOIN (VALUES ('definitions', 'run_info'), ('desired_lrps', 'routes'), ('desired_lrps', 'annotation'),
                 ('desired_lrps', 'metric_tags'), ('desired_lrps', 'credentials'), ('desired_lrps', 'strategy'),
                 ('actual_lrps', 'net_info'), ('actual_lrps', 'crash_reason'), ('actual_lrps', 'placement_error'),
                 ('rolls', 'reason'), ('rolls', 'verdict'), ('rolls', 'condemned'), ('rolls', 'strategy'),
                 ('roll_history', 'reason'), ('roll_steps', 'text'), ('events', 'payload'), ('idempotency_keys', 'answer'))
      AS sealed (table_name, column_name)
      ON sealed.table_name = c.table_name AND sealed.column_name = c.column_name
    WHERE c.table_schema = 'public' AND sealed.column_name IS NULL
    GROUP BY c.table_name
  LOOP
    EXECUTE format('GRANT SELECT (%s) ON public.%I TO baton_lister', thing.columns, thing.table_name);
  END LOOP;
END $$;

COMMIT;
