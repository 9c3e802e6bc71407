-- Schema 2.0: definitions and rolls. Numbers 0001-0099 are kept for the legacy layout 1.x.
-- Names have collation "C": their order is the order of bytes, the same on every machine. Times are this database's
-- clock. Blobs (bytea) are envelopes: schema/envelope.h.

-- Leadership. The epoch is part of the key: a writer's FOR KEY SHARE on (name, epoch) is not in the way of renewals,
-- which touch no key column; an election changes the key and waits for running writers.
CREATE TABLE leases (
  name        text COLLATE "C" NOT NULL UNIQUE,
  epoch       bigint NOT NULL CHECK (epoch > 0),
  holder      text NOT NULL,
  address     text NOT NULL,
  acquired_at timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (name, epoch)
);

-- What version this data is of; one row.
CREATE TABLE versions (
  one            boolean PRIMARY KEY DEFAULT true CHECK (one),
  current        bigint NOT NULL,
  target         bigint NOT NULL,
  current_semver text NOT NULL
);

-- What was applied. A shipped file never changes: its checksum is compared at every start.
CREATE TABLE migrations (
  version    bigint PRIMARY KEY,
  name       text NOT NULL,
  checksum   text NOT NULL CHECK (length(checksum) = 64),
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE SEQUENCE incarnations;

CREATE TABLE definitions (
  process_guid          text COLLATE "C" NOT NULL CHECK (length(process_guid) BETWEEN 1 AND 255),
  incarnation           bigint NOT NULL,
  definition_identifier text COLLATE "C" NOT NULL CHECK (length(definition_identifier) BETWEEN 1 AND 255),
  content_hash          text COLLATE "C" NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
  memory_mb             bigint NOT NULL CHECK (memory_mb >= 0),
  disk_mb               bigint NOT NULL CHECK (disk_mb >= 0),
  max_pids              bigint NOT NULL CHECK (max_pids >= 0),
  root_fs               text NOT NULL,
  ports                 bigint[] NOT NULL,
  placement_tags        text[] NOT NULL,
  needs                 text[] NOT NULL,
  start_timeout_ms      bigint NOT NULL CHECK (start_timeout_ms >= 0),
  run_info              bytea NOT NULL,
  created_at            timestamptz NOT NULL,
  proven_at             timestamptz,
  pinned                boolean NOT NULL DEFAULT false,
  PRIMARY KEY (process_guid, incarnation, definition_identifier)
);

CREATE TABLE desired_lrps (
  process_guid       text COLLATE "C" PRIMARY KEY CHECK (length(process_guid) BETWEEN 1 AND 255),
  incarnation        bigint NOT NULL,
  domain             text COLLATE "C" NOT NULL CHECK (length(domain) BETWEEN 1 AND 255),
  log_guid           text NOT NULL,
  instances          integer NOT NULL CHECK (instances BETWEEN 0 AND 100000),
  routes             bytea NOT NULL,
  annotation         bytea NOT NULL,
  metric_tags        bytea NOT NULL,
  credentials        bytea NOT NULL,
  strategy           bytea NOT NULL,
  active_definition  text COLLATE "C" NOT NULL,
  healthy_definition text COLLATE "C",
  created_at         timestamptz NOT NULL,
  modification_tag_epoch text NOT NULL,
  modification_tag_index bigint NOT NULL CHECK (modification_tag_index >= 0),
  CONSTRAINT desired_lrps_active FOREIGN KEY (process_guid, incarnation, active_definition)
    REFERENCES definitions DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT desired_lrps_healthy FOREIGN KEY (process_guid, incarnation, healthy_definition)
    REFERENCES definitions DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX desired_lrps_domain ON desired_lrps (domain, process_guid);

CREATE TABLE actual_lrps (
  actual_id        text COLLATE "C" PRIMARY KEY,
  process_guid     text COLLATE "C" NOT NULL,
  incarnation      bigint NOT NULL,
  instance_index   integer NOT NULL CHECK (instance_index >= 0),
  presence         text COLLATE "C" NOT NULL
                   CHECK (presence IN ('ORDINARY', 'SURGE', 'SUSPECT', 'EVACUATING', 'RETIRING')),
  definition_identifier text COLLATE "C" NOT NULL,
  roll_id          text COLLATE "C" NOT NULL,
  state            text COLLATE "C" NOT NULL CHECK (state IN ('UNCLAIMED', 'CLAIMED', 'RUNNING', 'CRASHED')),
  instance_guid    text COLLATE "C" NOT NULL,
  cell_id          text COLLATE "C" NOT NULL,
  net_info         bytea NOT NULL,
  zone             text NOT NULL,
  since            timestamptz NOT NULL,
  routable_since   timestamptz,
  claimed_at       timestamptz,
  handed_over_at   timestamptz,
  down_since       timestamptz,
  crash_count      integer NOT NULL CHECK (crash_count >= 0),
  crash_reason     bytea NOT NULL,
  placement_error  bytea NOT NULL,
  applied_by       text[] NOT NULL,
  drained_by       text[] NOT NULL,
  retiring_since   timestamptz,
  awaits_drain     boolean NOT NULL,
  drain_not_before timestamptz,
  drain_until      timestamptz,
  stop_ordered_at  timestamptz,
  modification_tag_epoch text NOT NULL,
  modification_tag_index bigint NOT NULL CHECK (modification_tag_index >= 0),
  -- At most one of each a slot, RETIRING excepted. Deferred, because a hand-over swaps two rows in one statement, and a
  -- plain unique index looks at them one by one.
  CONSTRAINT actual_lrps_one_of_each EXCLUDE USING btree
    (process_guid WITH =, incarnation WITH =, instance_index WITH =, presence WITH =)
    WHERE (presence <> 'RETIRING') DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT actual_lrps_definition FOREIGN KEY (process_guid, incarnation, definition_identifier)
    REFERENCES definitions ON DELETE RESTRICT,
  -- A process may exist only where a cell has it (Diego's validation of stored records).
  CONSTRAINT actual_lrps_cell_while_it_may_run CHECK ((state IN ('CLAIMED', 'RUNNING')) = (cell_id <> '')),
  CONSTRAINT actual_lrps_guid_while_it_may_run CHECK ((state IN ('CLAIMED', 'RUNNING')) = (instance_guid <> '')),
  CONSTRAINT actual_lrps_routable_runs CHECK (state = 'RUNNING' OR routable_since IS NULL),
  CONSTRAINT actual_lrps_retiring_since CHECK ((presence = 'RETIRING') = (retiring_since IS NOT NULL)),
  CONSTRAINT actual_lrps_only_retiring_stops CHECK (stop_ordered_at IS NULL OR presence = 'RETIRING'),
  CONSTRAINT actual_lrps_drain_times
    CHECK (presence <> 'RETIRING' OR (drain_not_before IS NOT NULL AND drain_until IS NOT NULL)),
  CONSTRAINT actual_lrps_others_may_run
    CHECK (presence NOT IN ('SUSPECT', 'EVACUATING', 'RETIRING') OR state IN ('CLAIMED', 'RUNNING'))
) WITH (fillfactor = 80);
CREATE INDEX actual_lrps_app ON actual_lrps (process_guid, incarnation, definition_identifier);
CREATE INDEX actual_lrps_cell ON actual_lrps (cell_id) WHERE cell_id <> '';
-- What somebody has to drive: everything that does not simply run.
CREATE INDEX actual_lrps_unsettled ON actual_lrps (process_guid)
  WHERE presence <> 'ORDINARY' OR state <> 'RUNNING' OR routable_since IS NULL;

CREATE TABLE rolls (
  process_guid      text COLLATE "C" NOT NULL,
  incarnation       bigint NOT NULL,
  roll_id           text COLLATE "C" NOT NULL UNIQUE,
  source_definition text COLLATE "C",
  target_definition text COLLATE "C" NOT NULL,
  state             text COLLATE "C" NOT NULL
                    CHECK (state IN ('QUEUED', 'ROLLING', 'PAUSED', 'HELD', 'ROLLING_BACK')),
  reason            text NOT NULL,
  revision          bigint NOT NULL CHECK (revision >= 0),
  opened_at         timestamptz NOT NULL,
  deadline          timestamptz NOT NULL,
  clock_stopped_at  timestamptz,
  waiting_since     timestamptz,
  proved_at         timestamptz,
  last_hand_over_at timestamptz,
  counted_from      bigint NOT NULL,
  refused           boolean NOT NULL,
  actor             text NOT NULL,
  paused_by_hand    boolean NOT NULL DEFAULT false,
  stage_since       timestamptz,
  stages_done       int NOT NULL DEFAULT 0 CHECK (stages_done >= 0),
  PRIMARY KEY (process_guid, incarnation),
  CONSTRAINT rolls_paused_for_a_reason CHECK ((state = 'PAUSED') = (paused_by_hand OR stage_since IS NOT NULL)),
  CONSTRAINT rolls_one_an_app UNIQUE (process_guid),
  CONSTRAINT rolls_source FOREIGN KEY (process_guid, incarnation, source_definition)
    REFERENCES definitions DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT rolls_target FOREIGN KEY (process_guid, incarnation, target_definition)
    REFERENCES definitions DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT rolls_back_to_something CHECK (state <> 'ROLLING_BACK' OR source_definition IS NOT NULL)
);

-- Finished rolls. No reference to definitions: history outlives them.
CREATE TABLE roll_history (
  roll_id           text COLLATE "C" PRIMARY KEY,
  process_guid      text COLLATE "C" NOT NULL,
  incarnation       bigint NOT NULL,
  source_definition text COLLATE "C",
  target_definition text COLLATE "C" NOT NULL,
  state             text COLLATE "C" NOT NULL
                    CHECK (state IN ('COMPLETED', 'COMPLETED_WITH_GAPS', 'ROLLED_BACK', 'SUPERSEDED', 'YIELDED')),
  reason            text NOT NULL,
  revision          bigint NOT NULL,
  opened_at         timestamptz NOT NULL,
  finished_at       timestamptz NOT NULL,
  refused           boolean NOT NULL,
  actor             text NOT NULL
);
CREATE INDEX roll_history_app ON roll_history (process_guid, incarnation, finished_at DESC);
CREATE INDEX roll_history_finished ON roll_history (finished_at);

CREATE TABLE roll_steps (
  roll_id        text COLLATE "C" NOT NULL,
  sequence       bigint NOT NULL,
  at             timestamptz NOT NULL,
  kind           text COLLATE "C" NOT NULL,
  instance_index integer NOT NULL,
  actual_id      text COLLATE "C" NOT NULL,
  definition_identifier text COLLATE "C" NOT NULL,
  text           text NOT NULL,
  actor          text NOT NULL,
  start_ms       bigint NOT NULL,
  stop_ms        bigint NOT NULL,
  PRIMARY KEY (roll_id, sequence)
);

-- The outbox: written in the commit that it tells of. A reader never passes a transaction that may still commit:
-- WHERE xid < pg_snapshot_xmin(pg_current_snapshot()).
CREATE TABLE events (
  sequence     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid          xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at           timestamptz NOT NULL,
  kind         text COLLATE "C" NOT NULL,
  process_guid text COLLATE "C" NOT NULL,
  incarnation  bigint NOT NULL,
  payload      bytea NOT NULL
);
CREATE INDEX events_at ON events (at);

CREATE TABLE cells (
  cell_id        text COLLATE "C" PRIMARY KEY CHECK (length(cell_id) BETWEEN 1 AND 255),
  zone           text NOT NULL,
  address        text NOT NULL,
  memory_mb      bigint NOT NULL CHECK (memory_mb >= 0),
  disk_mb        bigint NOT NULL CHECK (disk_mb >= 0),
  pids           bigint NOT NULL CHECK (pids >= 0),
  containers     bigint NOT NULL CHECK (containers >= 0),
  stacks         text[] NOT NULL,
  placement_tags text[] NOT NULL,
  abilities      text[] NOT NULL,
  enforces       text[] NOT NULL,
  version        text NOT NULL,
  draining       boolean NOT NULL DEFAULT false,
  first_seen_at  timestamptz NOT NULL,
  lease_expires_at timestamptz NOT NULL
);

CREATE TABLE route_consumers (
  consumer_id      text COLLATE "C" PRIMARY KEY CHECK (length(consumer_id) BETWEEN 1 AND 255),
  version          text NOT NULL,
  registered_at    timestamptz NOT NULL,
  lease_expires_at timestamptz NOT NULL
);

-- Freshness of a controller's view: gates only what is destructive (Diego).
CREATE TABLE domains (
  domain     text COLLATE "C" PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX domains_expires ON domains (expires_at);

CREATE TABLE idempotency_keys (
  idempotency_key text COLLATE "C" PRIMARY KEY CHECK (length(idempotency_key) BETWEEN 1 AND 255),
  method          text NOT NULL,
  request_hash    text NOT NULL,
  answer          bytea NOT NULL,
  created_at      timestamptz NOT NULL
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

-- Shards of an online upgrade.
CREATE TABLE upgrade_shards (
  target    bigint NOT NULL,
  shard     integer NOT NULL CHECK (shard >= 0),
  state     text NOT NULL CHECK (state IN ('PENDING', 'READY', 'FAILED')),
  phase     text NOT NULL CHECK (phase IN ('SYNCING', 'SWITCHING')),
  reason    text NOT NULL DEFAULT '',
  rows_left bigint NOT NULL,
  PRIMARY KEY (target, shard)
);

-- Which key all stored blobs were last encrypted with, and how often each key was used.
CREATE TABLE key_labels (
  label       text COLLATE "C" PRIMARY KEY CHECK (label ~ '^[A-Za-z0-9]{1,127}$'),
  active      boolean NOT NULL,
  encryptions bigint NOT NULL DEFAULT 0 CHECK (encryptions >= 0)
);
CREATE UNIQUE INDEX key_labels_one_active ON key_labels (active) WHERE active;

-- Who asked for what: append-only.
CREATE TABLE audit (
  sequence     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at           timestamptz NOT NULL,
  actor        text NOT NULL,
  method       text NOT NULL,
  process_guid text COLLATE "C" NOT NULL,
  request_id   text NOT NULL,
  outcome      text NOT NULL
);
CREATE INDEX audit_at ON audit (at);
