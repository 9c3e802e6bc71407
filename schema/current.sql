-- What the migrations make of an empty database, in pg_dump's words. For reading: nothing applies it.
-- Refreshed by: BATON_UPDATE_SCHEMA=1 ctest --test-dir BUILD -R CurrentSchema
CREATE TABLE public.accepted_stores (
    store_id uuid NOT NULL,
    accepted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.actual_lrps (
    actual_id text NOT NULL COLLATE pg_catalog."C",
    process_guid text NOT NULL COLLATE pg_catalog."C",
    incarnation bigint NOT NULL,
    instance_index integer NOT NULL,
    presence text NOT NULL COLLATE pg_catalog."C",
    definition_identifier text NOT NULL COLLATE pg_catalog."C",
    roll_id text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    instance_guid text NOT NULL COLLATE pg_catalog."C",
    cell_id text NOT NULL COLLATE pg_catalog."C",
    net_info bytea NOT NULL,
    zone text NOT NULL,
    since timestamp with time zone NOT NULL,
    routable_since timestamp with time zone,
    claimed_at timestamp with time zone,
    handed_over_at timestamp with time zone,
    down_since timestamp with time zone,
    crash_count integer NOT NULL,
    crash_reason bytea NOT NULL,
    placement_error bytea NOT NULL,
    applied_by text[] NOT NULL,
    drained_by text[] NOT NULL,
    retiring_since timestamp with time zone,
    awaits_drain boolean NOT NULL,
    drain_not_before timestamp with time zone,
    drain_until timestamp with time zone,
    stop_ordered_at timestamp with time zone,
    modification_tag_epoch text NOT NULL,
    modification_tag_index bigint NOT NULL,
    retire_asked boolean DEFAULT false NOT NULL,
    domain text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    format smallint DEFAULT 2 NOT NULL,
    CONSTRAINT actual_lrps_cell_while_it_may_run CHECK (((state = ANY (ARRAY['CLAIMED'::text, 'RUNNING'::text])) = (cell_id <> ''::text))),
    CONSTRAINT actual_lrps_crash_count_check CHECK ((crash_count >= 0)),
    CONSTRAINT actual_lrps_drain_times CHECK (((presence <> 'RETIRING'::text) OR ((drain_not_before IS NOT NULL) AND (drain_until IS NOT NULL)))),
    CONSTRAINT actual_lrps_format_check CHECK ((format > 0)),
    CONSTRAINT actual_lrps_guid_while_it_may_run CHECK (((state = ANY (ARRAY['CLAIMED'::text, 'RUNNING'::text])) = (instance_guid <> ''::text))),
    CONSTRAINT actual_lrps_instance_index_check CHECK ((instance_index >= 0)),
    CONSTRAINT actual_lrps_modification_tag_index_check CHECK ((modification_tag_index >= 0)),
    CONSTRAINT actual_lrps_only_retiring_stops CHECK (((stop_ordered_at IS NULL) OR (presence = 'RETIRING'::text))),
    CONSTRAINT actual_lrps_others_may_run CHECK (((presence <> ALL (ARRAY['SUSPECT'::text, 'EVACUATING'::text, 'RETIRING'::text])) OR (state = ANY (ARRAY['CLAIMED'::text, 'RUNNING'::text])))),
    CONSTRAINT actual_lrps_presence_check CHECK ((presence = ANY (ARRAY['ORDINARY'::text, 'SURGE'::text, 'SUSPECT'::text, 'EVACUATING'::text, 'RETIRING'::text]))),
    CONSTRAINT actual_lrps_retiring_since CHECK (((presence = 'RETIRING'::text) = (retiring_since IS NOT NULL))),
    CONSTRAINT actual_lrps_routable_runs CHECK (((state = 'RUNNING'::text) OR (routable_since IS NULL))),
    CONSTRAINT actual_lrps_state_check CHECK ((state = ANY (ARRAY['UNCLAIMED'::text, 'CLAIMED'::text, 'RUNNING'::text, 'CRASHED'::text])))
)
WITH (fillfactor='80');
CREATE TABLE public.api_usage (
    api_version text NOT NULL COLLATE pg_catalog."C",
    method text NOT NULL COLLATE pg_catalog."C",
    caller text NOT NULL COLLATE pg_catalog."C",
    calls bigint NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    CONSTRAINT api_usage_api_version_check CHECK ((api_version ~ '^v[0-9]{1,3}$'::text)),
    CONSTRAINT api_usage_caller_check CHECK ((caller ~ '^[ -~]{1,100}$'::text)),
    CONSTRAINT api_usage_calls_check CHECK ((calls > 0)),
    CONSTRAINT api_usage_first_before_last CHECK ((first_at <= last_at)),
    CONSTRAINT api_usage_method_check CHECK ((method ~ '^[A-Za-z]{1,100}[.][A-Za-z]{1,100}$'::text))
);
CREATE TABLE public.audit (
    sequence bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    method text NOT NULL,
    process_guid text NOT NULL COLLATE pg_catalog."C",
    request_id text NOT NULL,
    outcome text NOT NULL
);
ALTER TABLE public.audit ALTER COLUMN sequence ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.cells (
    cell_id text NOT NULL COLLATE pg_catalog."C",
    zone text NOT NULL,
    address text NOT NULL,
    memory_mb bigint NOT NULL,
    disk_mb bigint NOT NULL,
    pids bigint NOT NULL,
    containers bigint NOT NULL,
    stacks text[] NOT NULL,
    placement_tags text[] NOT NULL,
    abilities text[] NOT NULL,
    enforces text[] NOT NULL,
    version text NOT NULL,
    draining boolean DEFAULT false NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    lease_expires_at timestamp with time zone NOT NULL,
    epoch bigint DEFAULT 1 NOT NULL,
    present_since timestamp with time zone,
    missing_since timestamp with time zone,
    losses integer DEFAULT 0 NOT NULL,
    draining_since timestamp with time zone,
    draining_from integer DEFAULT 0 NOT NULL,
    CONSTRAINT cells_cell_id_check CHECK (((length(cell_id) >= 1) AND (length(cell_id) <= 255))),
    CONSTRAINT cells_containers_check CHECK ((containers >= 0)),
    CONSTRAINT cells_disk_mb_check CHECK ((disk_mb >= 0)),
    CONSTRAINT cells_draining_from_check CHECK ((draining_from >= 0)),
    CONSTRAINT cells_epoch_check CHECK ((epoch > 0)),
    CONSTRAINT cells_losses_check CHECK ((losses >= 0)),
    CONSTRAINT cells_memory_mb_check CHECK ((memory_mb >= 0)),
    CONSTRAINT cells_pids_check CHECK ((pids >= 0))
);
CREATE TABLE public.definitions (
    process_guid text NOT NULL COLLATE pg_catalog."C",
    incarnation bigint NOT NULL,
    definition_identifier text NOT NULL COLLATE pg_catalog."C",
    content_hash text NOT NULL COLLATE pg_catalog."C",
    memory_mb bigint NOT NULL,
    disk_mb bigint NOT NULL,
    max_pids bigint NOT NULL,
    root_fs text NOT NULL,
    ports bigint[] NOT NULL,
    placement_tags text[] NOT NULL,
    needs text[] NOT NULL,
    start_timeout_ms bigint NOT NULL,
    run_info bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    proven_at timestamp with time zone,
    pinned boolean DEFAULT false NOT NULL,
    port_aliases bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    CONSTRAINT definitions_content_hash_check CHECK ((content_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT definitions_definition_identifier_check CHECK (((length(definition_identifier) >= 1) AND (length(definition_identifier) <= 255))),
    CONSTRAINT definitions_disk_mb_check CHECK ((disk_mb >= 0)),
    CONSTRAINT definitions_max_pids_check CHECK ((max_pids >= 0)),
    CONSTRAINT definitions_memory_mb_check CHECK ((memory_mb >= 0)),
    CONSTRAINT definitions_port_aliases_check CHECK (((cardinality(port_aliases) % 2) = 0)),
    CONSTRAINT definitions_process_guid_check CHECK (((length(process_guid) >= 1) AND (length(process_guid) <= 255))),
    CONSTRAINT definitions_start_timeout_ms_check CHECK ((start_timeout_ms >= 0))
);
CREATE TABLE public.desired_lrps (
    process_guid text NOT NULL COLLATE pg_catalog."C",
    incarnation bigint NOT NULL,
    domain text NOT NULL COLLATE pg_catalog."C",
    log_guid text NOT NULL,
    instances integer NOT NULL,
    routes bytea NOT NULL,
    annotation bytea NOT NULL,
    metric_tags bytea NOT NULL,
    credentials bytea NOT NULL,
    strategy bytea NOT NULL,
    active_definition text NOT NULL COLLATE pg_catalog."C",
    healthy_definition text COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    modification_tag_epoch text NOT NULL,
    modification_tag_index bigint NOT NULL,
    definition_history integer,
    CONSTRAINT desired_lrps_definition_history_check CHECK (((definition_history >= 0) AND (definition_history <= 100))),
    CONSTRAINT desired_lrps_domain_check CHECK (((length(domain) >= 1) AND (length(domain) <= 255))),
    CONSTRAINT desired_lrps_instances_check CHECK (((instances >= 0) AND (instances <= 100000))),
    CONSTRAINT desired_lrps_modification_tag_index_check CHECK ((modification_tag_index >= 0)),
    CONSTRAINT desired_lrps_process_guid_check CHECK (((length(process_guid) >= 1) AND (length(process_guid) <= 255)))
);
CREATE TABLE public.domain_egress (
    domain text NOT NULL COLLATE pg_catalog."C",
    unenforced text NOT NULL,
    CONSTRAINT domain_egress_domain_check CHECK (((length(domain) >= 1) AND (length(domain) <= 255))),
    CONSTRAINT domain_egress_unenforced_check CHECK ((unenforced = ANY (ARRAY['refuse'::text, 'warn'::text])))
);
CREATE TABLE public.domains (
    domain text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone
);
CREATE TABLE public.events (
    sequence bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    process_guid text NOT NULL COLLATE pg_catalog."C",
    incarnation bigint NOT NULL,
    payload bytea NOT NULL
);
ALTER TABLE public.events ALTER COLUMN sequence ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.idempotency_keys (
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    method text NOT NULL,
    request_hash text NOT NULL,
    answer bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotency_keys_idempotency_key_check CHECK (((length(idempotency_key) >= 1) AND (length(idempotency_key) <= 255)))
);
CREATE SEQUENCE public.incarnations
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.key_labels (
    label text NOT NULL COLLATE pg_catalog."C",
    active boolean NOT NULL,
    encryptions bigint DEFAULT 0 NOT NULL,
    check_value bytea,
    retired_at timestamp with time zone,
    CONSTRAINT key_labels_active_in_use CHECK (((NOT active) OR (retired_at IS NULL))),
    CONSTRAINT key_labels_encryptions_check CHECK ((encryptions >= 0)),
    CONSTRAINT key_labels_label_check CHECK ((label ~ '^[A-Za-z0-9]{1,127}$'::text))
);
CREATE TABLE public.key_quarantine (
    table_name text NOT NULL COLLATE pg_catalog."C",
    column_name text NOT NULL COLLATE pg_catalog."C",
    row_key text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL,
    found_at timestamp with time zone NOT NULL
);
CREATE TABLE public.key_rotation (
    table_name text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    checkpoint text[] DEFAULT '{}'::text[] NOT NULL,
    rows_total bigint NOT NULL,
    rows_done bigint DEFAULT 0 NOT NULL,
    faults bigint DEFAULT 0 NOT NULL,
    done boolean DEFAULT false NOT NULL,
    began_at timestamp with time zone NOT NULL,
    CONSTRAINT key_rotation_faults_check CHECK ((faults >= 0)),
    CONSTRAINT key_rotation_rows_done_check CHECK ((rows_done >= 0)),
    CONSTRAINT key_rotation_rows_total_check CHECK ((rows_total >= 0)),
    CONSTRAINT key_rotation_target_check CHECK ((target ~ '^[A-Za-z0-9]{0,127}$'::text))
);
CREATE TABLE public.leases (
    name text NOT NULL COLLATE pg_catalog."C",
    epoch bigint NOT NULL,
    holder text NOT NULL,
    address text NOT NULL,
    acquired_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT leases_epoch_check CHECK ((epoch > 0))
);
CREATE TABLE public.lost_epochs (
    epoch bigint NOT NULL,
    found_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.members (
    id text NOT NULL COLLATE pg_catalog."C",
    address text NOT NULL,
    schema bigint NOT NULL,
    semver text NOT NULL,
    app_version text NOT NULL,
    state text NOT NULL,
    why text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT members_id_check CHECK (((length(id) >= 1) AND (length(id) <= 255)))
);
CREATE TABLE public.migration_steps (
    version bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    done boolean NOT NULL,
    checkpoint text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    rows_done bigint DEFAULT 0 NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT migration_steps_rows_done_check CHECK ((rows_done >= 0))
);
CREATE TABLE public.migrations (
    version bigint NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT migrations_checksum_check CHECK ((length(checksum) = 64))
);
CREATE TABLE public.roll_history (
    roll_id text NOT NULL COLLATE pg_catalog."C",
    process_guid text NOT NULL COLLATE pg_catalog."C",
    incarnation bigint NOT NULL,
    source_definition text COLLATE pg_catalog."C",
    target_definition text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    reason bytea NOT NULL,
    revision bigint NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone NOT NULL,
    refused boolean NOT NULL,
    actor text NOT NULL,
    waited_ms bigint DEFAULT 0 NOT NULL,
    CONSTRAINT roll_history_state_check CHECK ((state = ANY (ARRAY['COMPLETED'::text, 'COMPLETED_WITH_GAPS'::text, 'ROLLED_BACK'::text, 'SUPERSEDED'::text, 'YIELDED'::text]))),
    CONSTRAINT roll_history_waited_ms_check CHECK ((waited_ms >= 0))
);
CREATE TABLE public.roll_steps (
    roll_id text NOT NULL COLLATE pg_catalog."C",
    sequence bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    instance_index integer NOT NULL,
    actual_id text NOT NULL COLLATE pg_catalog."C",
    definition_identifier text NOT NULL COLLATE pg_catalog."C",
    text bytea NOT NULL,
    actor text NOT NULL,
    start_ms bigint NOT NULL,
    stop_ms bigint NOT NULL
);
CREATE TABLE public.rolls (
    process_guid text NOT NULL COLLATE pg_catalog."C",
    incarnation bigint NOT NULL,
    roll_id text NOT NULL COLLATE pg_catalog."C",
    source_definition text COLLATE pg_catalog."C",
    target_definition text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    reason bytea NOT NULL,
    revision bigint NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    deadline timestamp with time zone NOT NULL,
    clock_stopped_at timestamp with time zone,
    waiting_since timestamp with time zone,
    proved_at timestamp with time zone,
    last_hand_over_at timestamp with time zone,
    counted_from bigint NOT NULL,
    refused boolean NOT NULL,
    actor text NOT NULL,
    paused_by_hand boolean DEFAULT false NOT NULL,
    stage_since timestamp with time zone,
    stages_done integer DEFAULT 0 NOT NULL,
    strategy bytea NOT NULL,
    verdict bytea DEFAULT '\x42540100'::bytea NOT NULL,
    condemned bytea DEFAULT '\x42540100'::bytea NOT NULL,
    waited_ms bigint DEFAULT 0 NOT NULL,
    waits_from timestamp with time zone,
    CONSTRAINT rolls_back_to_something CHECK (((state <> 'ROLLING_BACK'::text) OR (source_definition IS NOT NULL))),
    CONSTRAINT rolls_paused_for_a_reason CHECK (((state = 'PAUSED'::text) = (paused_by_hand OR (stage_since IS NOT NULL)))),
    CONSTRAINT rolls_revision_check CHECK ((revision >= 0)),
    CONSTRAINT rolls_stages_done_check CHECK ((stages_done >= 0)),
    CONSTRAINT rolls_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'ROLLING'::text, 'PAUSED'::text, 'HELD'::text, 'ROLLING_BACK'::text]))),
    CONSTRAINT rolls_waited_ms_check CHECK ((waited_ms >= 0))
);
CREATE TABLE public.route_consumers (
    consumer_id text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    lease_expires_at timestamp with time zone NOT NULL,
    CONSTRAINT route_consumers_consumer_id_check CHECK (((length(consumer_id) >= 1) AND (length(consumer_id) <= 255)))
);
CREATE TABLE public.store (
    one boolean DEFAULT true NOT NULL,
    store_id uuid DEFAULT gen_random_uuid() NOT NULL,
    rollback_from bigint,
    rollback_done boolean DEFAULT false NOT NULL,
    CONSTRAINT store_one_check CHECK (one)
);
CREATE TABLE public.upgrade (
    one boolean DEFAULT true NOT NULL,
    source bigint NOT NULL,
    source_semver text NOT NULL,
    target bigint NOT NULL,
    target_semver text NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    shards integer DEFAULT 0 NOT NULL,
    keep_old boolean DEFAULT false NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    write_stop_ms bigint DEFAULT 0 NOT NULL,
    CONSTRAINT upgrade_one_check CHECK (one),
    CONSTRAINT upgrade_shards_check CHECK (((shards >= 0) AND (shards <= 1024))),
    CONSTRAINT upgrade_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'SYNCING'::text, 'SWITCHING'::text, 'SWITCHED'::text, 'SYNCING_BACK'::text, 'SWITCHING_BACK'::text]))),
    CONSTRAINT upgrade_write_stop_ms_check CHECK ((write_stop_ms >= 0))
);
CREATE TABLE public.upgrade_shards (
    target bigint NOT NULL,
    shard integer NOT NULL,
    state text NOT NULL,
    phase text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    rows_left bigint NOT NULL,
    CONSTRAINT upgrade_shards_phase_check CHECK ((phase = ANY (ARRAY['SYNCING'::text, 'SWITCHING'::text]))),
    CONSTRAINT upgrade_shards_shard_check CHECK ((shard >= 0)),
    CONSTRAINT upgrade_shards_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'READY'::text, 'FAILED'::text])))
);
CREATE TABLE public.versions (
    one boolean DEFAULT true NOT NULL,
    current bigint NOT NULL,
    target bigint NOT NULL,
    current_semver text NOT NULL,
    CONSTRAINT versions_one_check CHECK (one)
);
ALTER TABLE ONLY public.accepted_stores
    ADD CONSTRAINT accepted_stores_pkey PRIMARY KEY (store_id);
ALTER TABLE ONLY public.actual_lrps
    ADD CONSTRAINT actual_lrps_one_of_each EXCLUDE USING btree (process_guid WITH =, incarnation WITH =, instance_index WITH =, presence WITH =) WHERE ((presence <> 'RETIRING'::text)) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.actual_lrps
    ADD CONSTRAINT actual_lrps_pkey PRIMARY KEY (actual_id);
ALTER TABLE ONLY public.api_usage
    ADD CONSTRAINT api_usage_pkey PRIMARY KEY (api_version, method, caller);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY public.cells
    ADD CONSTRAINT cells_pkey PRIMARY KEY (cell_id);
ALTER TABLE ONLY public.definitions
    ADD CONSTRAINT definitions_pkey PRIMARY KEY (process_guid, incarnation, definition_identifier);
ALTER TABLE ONLY public.desired_lrps
    ADD CONSTRAINT desired_lrps_pkey PRIMARY KEY (process_guid);
ALTER TABLE ONLY public.domain_egress
    ADD CONSTRAINT domain_egress_pkey PRIMARY KEY (domain);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (domain);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (idempotency_key);
ALTER TABLE ONLY public.key_labels
    ADD CONSTRAINT key_labels_pkey PRIMARY KEY (label);
ALTER TABLE ONLY public.key_quarantine
    ADD CONSTRAINT key_quarantine_pkey PRIMARY KEY (table_name, column_name, row_key);
ALTER TABLE ONLY public.key_rotation
    ADD CONSTRAINT key_rotation_pkey PRIMARY KEY (table_name);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_name_key UNIQUE (name);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name, epoch);
ALTER TABLE ONLY public.lost_epochs
    ADD CONSTRAINT lost_epochs_pkey PRIMARY KEY (epoch);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.migration_steps
    ADD CONSTRAINT migration_steps_pkey PRIMARY KEY (version, kind, name);
ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.roll_history
    ADD CONSTRAINT roll_history_pkey PRIMARY KEY (roll_id);
ALTER TABLE ONLY public.roll_steps
    ADD CONSTRAINT roll_steps_pkey PRIMARY KEY (roll_id, sequence);
ALTER TABLE ONLY public.rolls
    ADD CONSTRAINT rolls_one_an_app UNIQUE (process_guid);
ALTER TABLE ONLY public.rolls
    ADD CONSTRAINT rolls_pkey PRIMARY KEY (process_guid, incarnation);
ALTER TABLE ONLY public.rolls
    ADD CONSTRAINT rolls_roll_id_key UNIQUE (roll_id);
ALTER TABLE ONLY public.route_consumers
    ADD CONSTRAINT route_consumers_pkey PRIMARY KEY (consumer_id);
ALTER TABLE ONLY public.store
    ADD CONSTRAINT store_pkey PRIMARY KEY (one);
ALTER TABLE ONLY public.upgrade
    ADD CONSTRAINT upgrade_pkey PRIMARY KEY (one);
ALTER TABLE ONLY public.upgrade_shards
    ADD CONSTRAINT upgrade_shards_pkey PRIMARY KEY (target, shard);
ALTER TABLE ONLY public.versions
    ADD CONSTRAINT versions_pkey PRIMARY KEY (one);
CREATE INDEX actual_lrps_app ON public.actual_lrps USING btree (process_guid, incarnation, definition_identifier);
CREATE INDEX actual_lrps_cell ON public.actual_lrps USING btree (cell_id) WHERE (cell_id <> ''::text);
CREATE INDEX actual_lrps_ordinary ON public.actual_lrps USING btree (process_guid, incarnation, instance_index) WHERE (presence = 'ORDINARY'::text);
CREATE INDEX actual_lrps_unsettled ON public.actual_lrps USING btree (process_guid) WHERE ((presence <> 'ORDINARY'::text) OR (state <> 'RUNNING'::text) OR (routable_since IS NULL));
CREATE INDEX audit_at ON public.audit USING btree (at);
CREATE INDEX desired_lrps_count ON public.desired_lrps USING btree (process_guid) INCLUDE (incarnation, instances, active_definition, healthy_definition);
CREATE INDEX desired_lrps_domain ON public.desired_lrps USING btree (domain, process_guid);
CREATE INDEX domains_expires ON public.domains USING btree (expires_at);
CREATE INDEX events_at ON public.events USING btree (at);
CREATE INDEX idempotency_keys_created ON public.idempotency_keys USING btree (created_at);
CREATE UNIQUE INDEX key_labels_one_active ON public.key_labels USING btree (active) WHERE active;
CREATE INDEX roll_history_app ON public.roll_history USING btree (process_guid, incarnation, finished_at DESC);
CREATE INDEX roll_history_finished ON public.roll_history USING btree (finished_at);
ALTER TABLE ONLY public.actual_lrps
    ADD CONSTRAINT actual_lrps_definition FOREIGN KEY (process_guid, incarnation, definition_identifier) REFERENCES public.definitions(process_guid, incarnation, definition_identifier) ON DELETE RESTRICT;
ALTER TABLE ONLY public.desired_lrps
    ADD CONSTRAINT desired_lrps_active FOREIGN KEY (process_guid, incarnation, active_definition) REFERENCES public.definitions(process_guid, incarnation, definition_identifier) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.desired_lrps
    ADD CONSTRAINT desired_lrps_healthy FOREIGN KEY (process_guid, incarnation, healthy_definition) REFERENCES public.definitions(process_guid, incarnation, definition_identifier) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.rolls
    ADD CONSTRAINT rolls_source FOREIGN KEY (process_guid, incarnation, source_definition) REFERENCES public.definitions(process_guid, incarnation, definition_identifier) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.rolls
    ADD CONSTRAINT rolls_target FOREIGN KEY (process_guid, incarnation, target_definition) REFERENCES public.definitions(process_guid, incarnation, definition_identifier) DEFERRABLE INITIALLY DEFERRED;
