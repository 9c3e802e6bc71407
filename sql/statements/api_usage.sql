-- name: ApiUsageTableExists
-- Data of schema 2.2 has none.
SELECT to_regclass('api_usage') IS NOT NULL;

-- name: AddApiUsage
-- When each was called for the first and for the last time arrives as ages in milliseconds: the clock is this one. A time
-- that lies ahead, of a clock that was put back since, does not stay. A count that a hand wrote may be too large to add to, and
-- must not keep the others from being counted.
INSERT INTO api_usage AS u (api_version, method, caller, calls, first_at, last_at)
SELECT given.api_version, given.method, given.caller, given.calls,
       now() - given.first_ago_ms * interval '1 millisecond', now() - given.last_ago_ms * interval '1 millisecond'
FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
  AS given (api_version, method, caller, calls, first_ago_ms, last_ago_ms)
ON CONFLICT (api_version, method, caller) DO UPDATE
SET calls = least(u.calls, 4611686018427387904) + excluded.calls, first_at = least(u.first_at, excluded.first_at),
    last_at = greatest(excluded.last_at, least(u.last_at, now()));

-- name: FoldApiUsage
-- Of the callers, the $1 that called last keep their names; what the others called is counted as 'other'.
WITH folded AS (
  DELETE FROM api_usage WHERE caller IN (
    SELECT caller FROM api_usage WHERE caller <> 'other' GROUP BY caller ORDER BY max(last_at) DESC, caller OFFSET $1::bigint)
  RETURNING api_version, method, calls, first_at, last_at)
INSERT INTO api_usage AS u (api_version, method, caller, calls, first_at, last_at)
SELECT api_version, method, 'other', least(sum(calls), 4611686018427387904)::bigint, min(first_at), max(last_at)
FROM folded GROUP BY api_version, method
ON CONFLICT (api_version, method, caller) DO UPDATE
SET calls = least(u.calls, 4611686018427387903) + excluded.calls, first_at = least(u.first_at, excluded.first_at),
    last_at = greatest(u.last_at, excluded.last_at);

-- name: ReadApiUsage
SELECT api_version, method, caller, calls, first_at, last_at FROM api_usage ORDER BY api_version, method, caller;
