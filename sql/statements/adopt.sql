-- Adopting a Diego database (tools/adopt). The statements on Diego's tables take whole rows as JSON: its levels differ in
-- columns. Those tables have names that Baton's own have, too; nothing here ever writes to them but DropDiego.

-- name: DiegoColumns
SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema();

-- name: DiegoConfigurations
SELECT id, value FROM configurations WHERE id IN ('version', 'encryption_key_label');

-- name: BeginAdoption
-- This session is silent while what it has read is written elsewhere; and whatever encoding the server has, we read UTF-8; where it has
-- none, what it has, because it would refuse the rows that are to be named.
SELECT set_config('idle_in_transaction_session_timeout', '0', true), set_config('statement_timeout', '0', true),
       set_config('client_encoding',
                  CASE current_setting('server_encoding') WHEN 'SQL_ASCII' THEN 'SQL_ASCII' ELSE 'UTF8' END, true);

-- name: DiegoFingerprint
-- Changes with every change of a row: xmin is the transaction that wrote it.
SELECT (SELECT count(*) || ':' || coalesce(sum(hashtextextended(d.process_guid || '/' || d.xmin::text, 0)::numeric), 0)
        FROM desired_lrps d) || ' ' ||
       (SELECT count(*) || ':' || coalesce(sum(hashtextextended(
          concat_ws('/', a.process_guid, a.instance_index, a.presence, a.xmin::text), 0)::numeric), 0)
        FROM actual_lrps a) || ' ' ||
       (SELECT count(*) || ':' || coalesce(sum(hashtextextended(d.domain || '/' || d.xmin::text, 0)::numeric), 0)
        FROM domains d);

-- name: DiegoApps
SELECT process_guid, to_jsonb(d) AS whole FROM desired_lrps d WHERE process_guid > $1 ORDER BY process_guid LIMIT $2::int;

-- name: DiegoInstances
SELECT process_guid, instance_index, presence::text, to_jsonb(a) AS whole FROM actual_lrps a
WHERE process_guid = ANY ($1::text[])
ORDER BY process_guid, instance_index, presence;

-- name: DiegoSomeInstances
SELECT to_jsonb(a) FROM actual_lrps a LIMIT $1::int;

-- name: DiegoOrphans
-- Instances of apps that are not there, behind the last one read.
SELECT process_guid, instance_index, presence::text FROM actual_lrps a
WHERE (process_guid, instance_index, presence::text) > ($1, $2::int, $3)
  AND NOT EXISTS (SELECT FROM desired_lrps d WHERE d.process_guid = a.process_guid)
ORDER BY process_guid, instance_index, presence::text
LIMIT $4::int;

-- name: DiegoDomains
SELECT to_jsonb(d) FROM domains d ORDER BY domain;

-- name: CountDiegoTasks
SELECT count(*) FROM tasks;

-- name: LockDiego
LOCK TABLE desired_lrps, actual_lrps, domains IN ACCESS EXCLUSIVE MODE;

-- name: DropDiego
-- All at once: half a Diego is of use to nobody. `locks` stays: it is locket's, which may serve others as well.
DROP TABLE desired_lrps, actual_lrps, tasks, domains, configurations;

-- name: DropDiegoHealthCheck
DROP TABLE IF EXISTS bbs_health_check;

-- name: AdoptionTableExists
SELECT to_regclass('legacy.adoption') IS NOT NULL;

-- name: LegacySchemaExists
SELECT to_regnamespace('legacy') IS NOT NULL;

-- name: ReadAdoption
SELECT fingerprint, phase, checkpoint, apps, instances, domains, tasks, begun_at, finished_at FROM legacy.adoption;

-- name: ReadUnfinishedAdoption
-- Until it is done, what is there is not all of it.
SELECT apps FROM legacy.adoption WHERE phase <> 'DONE';

-- name: BeginNewAdoption
INSERT INTO legacy.adoption (fingerprint, phase, checkpoint, apps, instances, domains, tasks, begun_at)
VALUES ($1, 'APPS', '', 0, 0, 0, 0, clock_timestamp());

-- name: AdvanceAdoption
-- Only from where this program knows it to be, and only of the state of the source that it reads: two at the same time
-- would write everything twice, or some of an older state under the name of a newer one.
UPDATE legacy.adoption SET checkpoint = ($2::bytea[])[1], apps = apps + $3::bigint, instances = instances + $4::bigint
WHERE phase = 'APPS' AND checkpoint = ($1::bytea[])[1] AND fingerprint = $5
RETURNING 1;

-- name: EndApps
UPDATE legacy.adoption SET phase = 'REST', domains = $2::bigint, tasks = $3::bigint
WHERE phase = 'APPS' AND checkpoint = ($1::bytea[])[1] AND fingerprint = $4
RETURNING 1;

-- name: FinishAdoption
UPDATE legacy.adoption SET phase = 'DONE', finished_at = clock_timestamp() WHERE phase = 'REST' AND fingerprint = $1
RETURNING 1;

-- name: ForgetAdoption
TRUNCATE legacy.desired_lrps, legacy.actual_lrps, legacy.domains, legacy.adoption, legacy.left_out;

-- name: AnalyzeLegacy
-- They were empty a moment ago, and the next who reads them must not plan for that.
ANALYZE legacy.desired_lrps, legacy.actual_lrps;

-- name: InsertLegacyDomains
INSERT INTO legacy.domains (domain, expire_time) SELECT * FROM unnest($1::text[], $2::bigint[]);

-- name: CountLeftOut
SELECT kind, table_name, field, count(*) AS rows FROM legacy.left_out GROUP BY kind, table_name, field ORDER BY 1, 2, 3;

-- name: ReadLeftOut
SELECT kind, table_name, row_key, field, reason FROM legacy.left_out
WHERE (table_name, row_key, field) > ($1, $2, $3)
ORDER BY table_name, row_key, field
LIMIT $4::int;
