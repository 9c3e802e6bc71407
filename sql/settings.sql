-- name: SetSession
-- Times are printed in UTC and parsed so; what is answered is durable.
SELECT set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false),
       set_config('bytea_output', 'hex', false), set_config('synchronous_commit', 'on', false);
