-- name: LockMigrations
-- One migrator at a time; the lock goes with the transaction, so a pooler or a crash cannot leave it behind.
SELECT pg_advisory_xact_lock(hashtext('baton migrations'));

-- name: LookForTables
-- Whose database this is. A table of the migrator's own may be missing in one that an older program made.
SELECT to_regclass('versions') IS NOT NULL AS has_versions, to_regclass('store') IS NOT NULL AS has_store,
       to_regclass('migration_steps') IS NOT NULL AS has_steps, to_regclass('leases') IS NOT NULL AS has_leases,
       to_regclass('configurations') IS NOT NULL AND to_regclass('tasks') IS NOT NULL
         AND to_regclass('desired_lrps') IS NOT NULL AS has_diego,
       (SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()) AS tables, current_schema() IS NOT NULL AS has_schema,
       pg_is_in_recovery() AS in_recovery, to_regclass('accepted_stores') IS NOT NULL AS has_accepted_stores,
       to_regclass('lost_epochs') IS NOT NULL AS has_lost_epochs;

-- name: ReadBackend
-- Which process of PostgreSQL serves this connection: two connections of ours never share one.
SELECT pg_backend_pid();

-- name: ReadVersions
SELECT current, target, current_semver FROM versions;

-- name: ReadStore
SELECT store_id, coalesce(rollback_from, 0) AS rollback_from, rollback_done FROM store;

-- name: ReadAcceptedStores
SELECT store_id FROM accepted_stores ORDER BY accepted_at, store_id;

-- name: AcceptStore
-- This one stands in the place of $1 from now on.
INSERT INTO accepted_stores (store_id) VALUES ($1::uuid) ON CONFLICT DO NOTHING;

-- name: ReadLostEpoch
SELECT coalesce(max(epoch), 0) FROM lost_epochs;

-- name: WriteLostEpoch
INSERT INTO lost_epochs (epoch) VALUES ($1::bigint) ON CONFLICT DO NOTHING;

-- name: ForgetLostEpochs
DELETE FROM lost_epochs;

-- name: ReadHighestEpoch
SELECT coalesce(max(epoch), 0) FROM leases WHERE name = 'batond';

-- name: ReadMigrations
SELECT version, name, checksum FROM migrations ORDER BY version;

-- name: WriteVersions
INSERT INTO versions (current, target, current_semver) VALUES ($1, $1, $2);

-- name: LockVersions
SELECT current, target FROM versions FOR UPDATE;

-- name: SetTarget
UPDATE versions SET target = $1;

-- name: SetCurrent
UPDATE versions SET current = $1, target = $1, current_semver = $2;

-- name: WriteMigration
INSERT INTO migrations (version, name, checksum) VALUES ($1, $2, $3)
ON CONFLICT (version) DO UPDATE SET name = excluded.name, checksum = excluded.checksum;

-- name: ForgetMigration
DELETE FROM migrations WHERE version = $1;

-- name: ReadMigrationSteps
SELECT version, kind, name, done, checkpoint, rows_done FROM migration_steps;

-- name: WriteMigrationStep
INSERT INTO migration_steps (version, kind, name, done, checkpoint, rows_done) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (version, kind, name)
DO UPDATE SET done = excluded.done, checkpoint = excluded.checkpoint, rows_done = excluded.rows_done,
              updated_at = clock_timestamp();

-- name: ForgetCopiesAfter
-- What a newer program copied before it failed is old by the time that it tries again.
DELETE FROM migration_steps WHERE version > $1 AND kind IN ('copy', 'down-copy');

-- name: ForgetMigrationSteps
DELETE FROM migration_steps WHERE version = $1 AND kind = ANY ($2::text[]);

-- name: ReadIndexState
-- Whether there is such an index, and whether it is whole: one that was interrupted stays behind, invalid.
SELECT i.indisvalid FROM pg_index i WHERE i.indexrelid = to_regclass($1);

-- name: BeginRollback
UPDATE store SET rollback_from = $1, rollback_done = false;

-- name: EndRollback
UPDATE store SET rollback_done = true;

-- name: ForgetRollback
UPDATE store SET rollback_from = NULL, rollback_done = false;

-- name: CountLrps
SELECT (SELECT count(*) FROM desired_lrps) + (SELECT count(*) FROM actual_lrps);

-- name: HasTable
-- In the schema that a table would be made in.
SELECT to_regclass(quote_ident(current_schema()) || '.' || quote_ident($1)) IS NOT NULL;

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
