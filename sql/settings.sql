-- name: SetSession
-- Times are printed in UTC and parsed so; what is answered is durable; compiling a statement (jit) takes longer than any
-- of ours runs (measured: 60 ms of the collector's 150).
SELECT set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false),
       set_config('bytea_output', 'hex', false), set_config('synchronous_commit', 'on', false),
       set_config('jit', 'off', false);
