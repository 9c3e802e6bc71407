-- name: SetSession
-- Times are printed in UTC and parsed so; what is answered is durable; compiling a statement (jit) takes longer than any
-- of ours runs, parallel workers take the cores from those who answer, and pages are cached or on an SSD: with the
-- defaults the collector's look at 250,000 apps is a parallel hash join that spills (150 ms), else it reads two indexes
-- in step (80 ms).
SELECT set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false),
       set_config('bytea_output', 'hex', false), set_config('synchronous_commit', 'on', false),
       set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false),
       set_config('random_page_cost', '1.1', false);
