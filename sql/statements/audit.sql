-- name: InsertRefusals
-- When each was refused arrives as its age in microseconds: the clock is this one, and one reading of it for all of them, as
-- their order is to be told.
INSERT INTO audit (at, actor, method, process_guid, request_id, outcome)
SELECT statement_timestamp() - given.ago_us * interval '1 microsecond', given.actor, given.method, given.guid, given.request,
       given.outcome
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
  AS given (actor, method, guid, request, outcome, ago_us);

-- name: ListAudit
-- Newest first, from before ($1, $2) back to $3. However few are asked for, so many rows are looked at and no more: the last
-- of them is given whether it is asked for or not, as the next look begins there. The index is on "at" alone, and rows of
-- one instant are few.
WITH looked AS (
  SELECT sequence, at, actor, method, process_guid, request_id, outcome
  FROM audit
  WHERE (at, sequence) < (to_timestamp($1::bigint / 1e6), $2::bigint) AND at >= to_timestamp($3::bigint / 1e6)
  ORDER BY at DESC, sequence DESC
  LIMIT $6::int),
judged AS (
  SELECT *, ($4 = '' OR process_guid = $4) AND
         -- "cell/cell-7 (said: ann)" is of both (orchestrator/model/calls/actor.h).
         -- "web/page+operator/alice (said: ann)" of all three.
         ($5 = '' OR actor = $5 OR starts_with(actor, $5 || ' (said: ') OR right(actor, length($5) + 9) = ' (said: ' || $5 || ')' OR
          starts_with(actor, $5 || '+') OR right(split_part(actor, ' (said: ', 1), length($5) + 1) = '+' || $5) AS asked,
         row_number() OVER (ORDER BY at, sequence) AS ordinal,
         count(*) OVER () AS looked
  FROM looked)
SELECT sequence, at, actor, method, process_guid, request_id, outcome, asked, looked
FROM judged
WHERE asked OR ordinal = 1
ORDER BY at DESC, sequence DESC;

-- name: DeleteOldAudit
-- The oldest of those beyond so many seconds, $2 at most: what is read or written meanwhile does not wait for long. now(), and
-- an array: so that neither index is read from end to end where nothing is old, nor the table where much is.
WITH old AS (
  DELETE FROM audit
  WHERE sequence = ANY (ARRAY (SELECT sequence FROM audit WHERE at < now() - $1::bigint * interval '1 second'
                               ORDER BY at LIMIT $2::int))
  RETURNING 1)
SELECT count(*) FROM old;
