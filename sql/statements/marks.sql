-- Whose numbers of transactions and whose rows are meant by what somebody remembers. Other statements have these as subqueries.

-- name: ServerMark
-- Transactions are counted anew by another server (a standby that was promoted may have lost some), and from the last
-- flushed one on by one of whose processes one was killed: it forgets its statistics then.
SELECT concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time());

-- name: StoreMark
-- Other databases and other tables hold other rows, too.
SELECT concat_ws(' ', {statement ServerMark}, (SELECT oid FROM pg_database WHERE datname = current_database()),
                 'desired_lrps'::regclass::oid, 'definitions'::regclass::oid, 'actual_lrps'::regclass::oid);
