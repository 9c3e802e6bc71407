-- name: SetSession
-- Times are printed in UTC and parsed so; what is answered is durable; compiling a statement (jit) takes longer than any
-- of ours runs, parallel workers take the cores from those who answer, and pages are cached or on an SSD: with the
-- defaults the collector's look at 250,000 apps is a parallel hash join that spills (150 ms), else it reads two indexes
-- in step (80 ms).
SELECT set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false),
       set_config('bytea_output', 'hex', false), set_config('standard_conforming_strings', 'on', false), set_config('synchronous_commit', 'on', false),
       set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false),
       set_config('random_page_cost', '1.1', false);

-- name: PlanPoints
-- For connections that look up rows by their keys: each statement is planned once, for good, and not by how many rows there
-- were when it came first. Without it a plan of an empty table reads all of the full one until somebody analyzes it, and
-- a list of keys is planned anew each time.
SELECT set_config('enable_seqscan', 'off', false), set_config('plan_cache_mode', 'force_generic_plan', false);

-- name: PlanLists
-- For this transaction: it reads much, or filters by what is asked for.
SELECT set_config('enable_seqscan', 'on', true), set_config('plan_cache_mode', 'auto', true);
