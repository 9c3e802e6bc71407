-- name: LockMigrations
-- One migrator at a time; the lock goes with the transaction, so a pooler or a crash cannot leave it behind.
SELECT pg_advisory_xact_lock(hashtext('baton migrations'));

-- name: VersionsTableExists
SELECT to_regclass('versions') IS NOT NULL;

-- name: ForeignTables
-- Tables in the schema that we would create ours in: a database of somebody else's is not migrated.
SELECT count(*) FROM pg_tables WHERE schemaname = current_schema();

-- name: ReadVersions
SELECT current, target, current_semver FROM versions;

-- name: ReadMigrations
SELECT version, checksum FROM migrations ORDER BY version;

-- name: WriteVersions
INSERT INTO versions (current, target, current_semver) VALUES ($1, $1, $2);

-- name: WriteMigration
INSERT INTO migrations (version, name, checksum) VALUES ($1, $2, $3);

-- name: SetRoleTimeouts
-- A client that died or was paused in mid-transaction must not hold the fence or a row for long (invariants M2, D2).
-- Set on the role in this database, because the client that has died cannot set anything.
DO $$
BEGIN
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET idle_in_transaction_session_timeout = ''1500ms''', current_user, current_database());
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET lock_timeout = ''10s''', current_user, current_database());
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET tcp_keepalives_idle = 3', current_user, current_database());
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET tcp_keepalives_interval = 1', current_user, current_database());
  EXECUTE format('ALTER ROLE %I IN DATABASE %I SET tcp_keepalives_count = 3', current_user, current_database());
END $$;
