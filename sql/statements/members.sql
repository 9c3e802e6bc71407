-- name: MembersTableExists
-- A database that an older program made, and that nobody has migrated yet, has none.
SELECT to_regclass('members') IS NOT NULL;

-- name: AnnounceMember
INSERT INTO members (id, address, schema, semver, app_version, state, why, started_at, seen_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), clock_timestamp())
ON CONFLICT (id) DO UPDATE
SET address = excluded.address, schema = excluded.schema, semver = excluded.semver, app_version = excluded.app_version,
    state = excluded.state, why = excluded.why, seen_at = excluded.seen_at;

-- name: ForgetMembers
-- Who has been silent for an hour is not coming back under that name.
DELETE FROM members WHERE seen_at < clock_timestamp() - interval '1 hour';

-- name: ForgetMember
DELETE FROM members WHERE id = $1;

-- name: ReadMembers
-- Silent for some seconds: it is gone, or cannot reach the database.
SELECT id, address, schema, semver, app_version, state, why, started_at, seen_at,
       seen_at > clock_timestamp() - interval '8 seconds' AS alive
FROM members ORDER BY id;
