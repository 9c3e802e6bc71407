-- The columns of the tables that decisions write, with their types, in the order in which sql/store/app_writer.cc gives them.
-- Statements name a table's columns by its list, sql/session/column_lists.h: a new column is read and written by standing here.
-- `key`: names the row. `fixed`: never changed by an update. `large`: read only where a statement names it.
-- `guard`: PostgreSQL's own, which says whether the row is still the one that was read; read where a statement names it.

-- columns: definitions
process_guid text key
incarnation bigint key
definition_identifier text key
content_hash text fixed
memory_mb bigint fixed
disk_mb bigint fixed
max_pids bigint fixed
root_fs text fixed
ports bigint[] fixed
placement_tags text[] fixed
needs text[] fixed
start_timeout_ms bigint fixed
run_info bytea fixed large
created_at timestamptz fixed
proven_at timestamptz
pinned boolean
port_aliases bigint[]

-- columns: desired_lrps
process_guid text key
incarnation bigint
domain text
log_guid text
instances int
routes bytea
annotation bytea
metric_tags bytea
credentials bytea
strategy bytea
active_definition text
healthy_definition text
created_at timestamptz
modification_tag_epoch text
modification_tag_index bigint
definition_history int

-- columns: rolls
process_guid text key
incarnation bigint
roll_id text
source_definition text
target_definition text
state text
reason bytea
revision bigint
opened_at timestamptz
deadline timestamptz
clock_stopped_at timestamptz
waiting_since timestamptz
proved_at timestamptz
last_hand_over_at timestamptz
counted_from bigint
refused boolean
actor text
paused_by_hand boolean
stage_since timestamptz
stages_done int
verdict bytea
condemned bytea
waited_ms bigint
waits_from timestamptz
strategy bytea

-- columns: roll_history
roll_id text key
process_guid text fixed
incarnation bigint fixed
source_definition text fixed
target_definition text fixed
state text fixed
reason bytea fixed
revision bigint fixed
opened_at timestamptz fixed
finished_at timestamptz fixed
refused boolean fixed
actor text fixed
waited_ms bigint fixed

-- columns: roll_steps
roll_id text key
sequence bigint key
at timestamptz fixed
kind text fixed
instance_index int fixed
actual_id text fixed
definition_identifier text fixed
text bytea fixed
actor text fixed
start_ms bigint fixed
stop_ms bigint fixed

-- columns: actual_lrps
actual_id text key
xmin xid guard
process_guid text fixed
incarnation bigint fixed
instance_index int fixed
presence text
definition_identifier text fixed
roll_id text
state text
instance_guid text
cell_id text
net_info bytea
zone text
since timestamptz
routable_since timestamptz
claimed_at timestamptz
handed_over_at timestamptz
down_since timestamptz
crash_count int
crash_reason bytea
placement_error bytea
applied_by text[]
drained_by text[]
retiring_since timestamptz
awaits_drain boolean
drain_not_before timestamptz
drain_until timestamptz
stop_ordered_at timestamptz
retire_asked boolean
modification_tag_epoch text
modification_tag_index bigint
domain text fixed
