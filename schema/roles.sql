-- Roles for a Baton that may do to its database what its work takes, and no more. Run it as a superuser, connected to Baton's
-- database, before batond first starts or at any time after, and again after an upgrade that brings tables:
--
--   psql -v ON_ERROR_STOP=1 -d baton -f roles.sql
--
-- baton_owner     owns everything; nobody logs in as it
-- baton_migrator  becomes baton_owner: for the one start of batond that makes or migrates the database
-- baton_service   what batond is otherwise: rows, no tables, no TRUNCATE, and of the book of migrations only to read
-- baton_reader    reads everything; what is sealed it reads sealed
-- baton_lister    reads what is in the clear by design (orchestrator/crypto/encrypted_columns.cc): enough to list
--
-- Where all is as it should be it takes no lock of a table: batond and readers work on meanwhile.
--
-- None of them gets a password here: \password, or certificates in pg_hba.conf.
BEGIN;
SET LOCAL client_min_messages = warning;  -- what is there already is no news

DO $$
DECLARE
  name text;
  setting text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('baton roles.sql'));  -- one after the other
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
  -- A client that died or was paused in mid-transaction must not hold the fence or a row for long. batond sets the same on its
  -- own role; on this one it cannot, for it works as another.
  FOREACH setting IN ARRAY array['idle_in_transaction_session_timeout = ''1500ms''', 'lock_timeout = ''10s''', 'tcp_keepalives_idle = 3',
                                 'tcp_keepalives_interval = 1', 'tcp_keepalives_count = 3'] LOOP
    EXECUTE format('ALTER ROLE baton_migrator IN DATABASE %I SET %s', current_database(), setting);
  END LOOP;
END $$;

GRANT baton_owner TO baton_migrator;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
ALTER SCHEMA public OWNER TO baton_owner;
GRANT USAGE ON SCHEMA public TO baton_service, baton_reader, baton_lister;

-- Tables of an upgrade to come, in whatever schema they are made: the service works at once, the rest is told by running this again.
ALTER DEFAULT PRIVILEGES FOR ROLE baton_owner GRANT USAGE ON SCHEMAS TO baton_service, baton_reader;
ALTER DEFAULT PRIVILEGES FOR ROLE baton_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO baton_service;
ALTER DEFAULT PRIVILEGES FOR ROLE baton_owner GRANT USAGE, SELECT ON SEQUENCES TO baton_service;
ALTER DEFAULT PRIVILEGES FOR ROLE baton_owner GRANT SELECT ON TABLES TO baton_reader;

DO $$
DECLARE
  thing record;
BEGIN
  -- Of an adopted Diego database, until its upgrade is over.
  IF to_regnamespace('legacy') IS NOT NULL THEN
    ALTER SCHEMA legacy OWNER TO baton_owner;
    GRANT USAGE ON SCHEMA legacy TO baton_service, baton_reader;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA legacy TO baton_service;
    GRANT SELECT ON ALL TABLES IN SCHEMA legacy TO baton_reader;
  END IF;
  FOR thing IN SELECT n.nspname, c.relname, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname IN ('public', 'legacy') AND c.relkind IN ('r', 'S') AND c.relowner <> 'baton_owner'::regrole
                 -- An identity's sequence goes with its table.
                 AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'i')
  LOOP
    EXECUTE format('ALTER %s %I.%I OWNER TO baton_owner', CASE thing.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
                   thing.nspname, thing.relname);
  END LOOP;
  FOR thing IN SELECT p.oid::regprocedure AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
               WHERE n.nspname = 'legacy' AND p.proowner <> 'baton_owner'::regrole
  LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO baton_owner', thing.name);
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
    IF (SELECT array_agg(concat_ws(' ', policyname, roles, cmd, qual, with_check) ORDER BY policyname)
        FROM pg_policies JOIN pg_class c ON c.oid = 'public.audit'::regclass AND c.relrowsecurity
        WHERE schemaname = 'public' AND tablename = 'audit')
       IS DISTINCT FROM array['everybody_reads {public} SELECT true',
                              'old_ones_go {baton_service} DELETE (at < (clock_timestamp() - ''23:00:00''::interval))',
                              'service_adds {baton_service} INSERT true'] THEN
      ALTER TABLE public.audit ENABLE ROW LEVEL SECURITY;
      DROP POLICY IF EXISTS everybody_reads ON public.audit;
      DROP POLICY IF EXISTS service_adds ON public.audit;
      DROP POLICY IF EXISTS old_ones_go ON public.audit;
      CREATE POLICY everybody_reads ON public.audit FOR SELECT USING (true);
      CREATE POLICY service_adds ON public.audit FOR INSERT TO baton_service WITH CHECK (true);
      CREATE POLICY old_ones_go ON public.audit FOR DELETE TO baton_service USING (at < clock_timestamp() - interval '23 hours');
    END IF;
  END IF;
  -- Every column but the sealed ones.
  FOR thing IN
    SELECT c.relname AS table_name, string_agg(quote_ident(a.attname), ', ') AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN (VALUES ('definitions', 'run_info'), ('desired_lrps', 'routes'), ('desired_lrps', 'annotation'),
                 ('desired_lrps', 'metric_tags'), ('desired_lrps', 'credentials'), ('desired_lrps', 'strategy'),
                 ('actual_lrps', 'net_info'), ('actual_lrps', 'crash_reason'), ('actual_lrps', 'placement_error'),
                 ('rolls', 'reason'), ('rolls', 'verdict'), ('rolls', 'condemned'), ('rolls', 'strategy'),
                 ('roll_history', 'reason'), ('roll_steps', 'text'), ('events', 'payload'), ('idempotency_keys', 'answer'))
      AS sealed (table_name, column_name)
      ON sealed.table_name = c.relname AND sealed.column_name = a.attname
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND sealed.column_name IS NULL
    GROUP BY c.relname
  LOOP
    EXECUTE format('GRANT SELECT (%s) ON public.%I TO baton_lister', thing.columns, thing.table_name);
  END LOOP;
END $$;

COMMIT;
