-- What a role may do to Baton's database: for `baton admin check-database`.

-- name: FindRole
-- $1: its name; empty: who asks. Nothing: there is none. `owned_tables`: itself, or as a member of who owns them.
SELECT r.rolname, r.rolsuper, r.rolcreatedb, r.rolcreaterole, r.rolreplication, r.rolbypassrls,
       has_database_privilege(r.rolname, current_database(), 'CREATE') AS creates_schemas,
       has_schema_privilege(r.rolname, 'public', 'CREATE') AS creates_tables,
       has_schema_privilege(r.rolname, 'public', 'USAGE') AS uses_schema,
       (SELECT count(*) FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
          AND pg_has_role(r.rolname, c.relowner, 'MEMBER')) AS owned_tables,
       current_database() AS database,
       d.datallowconn AND has_database_privilege(r.rolname, current_database(), 'CONNECT') AS may_connect
FROM pg_roles r, pg_database d
WHERE r.rolname = CASE WHEN $1::text = '' THEN current_user ELSE $1::text END AND d.datname = current_database();

-- name: ListMemberships
-- Of roles of PostgreSQL's own that reach beyond the database.
SELECT p.rolname FROM pg_roles p
WHERE p.rolname LIKE 'pg\_%' AND p.rolname NOT IN ('pg_monitor', 'pg_read_all_settings', 'pg_read_all_stats', 'pg_stat_scan_tables')
  AND p.rolname <> 'pg_database_owner' AND pg_has_role($1::name, p.oid, 'MEMBER')
ORDER BY 1;

-- name: ListTablePrivileges
-- Of each table, and whether the role has each; sequences of tables go with them.
SELECT c.relname, p.privilege, has_table_privilege($1::name, c.oid, p.privilege) AS held
FROM pg_class c, unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) WITH ORDINALITY AS p (privilege, place)
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
ORDER BY c.relname, p.place;

-- name: ListSequencePrivileges
SELECT c.relname, p.privilege, has_sequence_privilege($1::name, c.oid, p.privilege) AS held
FROM pg_class c, unnest(array['USAGE', 'SELECT', 'UPDATE']) WITH ORDINALITY AS p (privilege, place)
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S'
ORDER BY c.relname, p.place;
