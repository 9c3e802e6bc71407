-- Schema 1.0, the legacy layout: an app is one row with its run info inline, its instances name no definition (Diego's
-- layout, docs/adopt.md). It lies in a schema of its own, so that 2.0 can be made beside it. The control tables are
-- those of 0100 from the first version on: tests hold that both are the same. Blobs are envelopes: schema/envelope.h.

CREATE TABLE leases (
  name        text COLLATE "C" NOT NULL UNIQUE,
  epoch       bigint NOT NULL CHECK (epoch > 0),
  holder      text NOT NULL,
  address     text NOT NULL,
  acquired_at timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (name, epoch)
);

CREATE TABLE versions (
  one            boolean PRIMARY KEY DEFAULT true CHECK (one),
  current        bigint NOT NULL,
  target         bigint NOT NULL,
  current_semver text NOT NULL
);

CREATE TABLE migrations (
  version    bigint PRIMARY KEY,
  name       text NOT NULL,
  checksum   text NOT NULL CHECK (length(checksum) = 64),
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE SCHEMA legacy;

CREATE TABLE legacy.desired_lrps (
  process_guid     text COLLATE "C" PRIMARY KEY,
  domain           text NOT NULL,
  log_guid         text NOT NULL,
  annotation       bytea NOT NULL,
  instances        integer NOT NULL,
  memory_mb        integer NOT NULL,
  disk_mb          integer NOT NULL,
  max_pids         integer NOT NULL,
  rootfs           text NOT NULL,
  routes           bytea NOT NULL,  -- baton.v1.ProtoRoutes
  volume_placement bytea NOT NULL,  -- baton.v1.VolumePlacement
  placement_tags   text[] NOT NULL,
  modification_tag_epoch text NOT NULL,
  modification_tag_index bigint NOT NULL,
  run_info         bytea NOT NULL   -- baton.v1.DesiredLRPRunInfo, metric tags and credentials included
);

CREATE TABLE legacy.actual_lrps (
  process_guid     text COLLATE "C" NOT NULL,
  instance_index   integer NOT NULL,
  presence         integer NOT NULL,  -- Diego's numbers: baton.v1.ActualLRP.Presence
  domain           text NOT NULL,
  state            text NOT NULL,
  instance_guid    text NOT NULL,
  cell_id          text NOT NULL,
  placement_error  bytea NOT NULL,
  since            bigint NOT NULL,   -- nanoseconds since 1970
  net_info         bytea NOT NULL,    -- baton.v1.ActualLRPNetInfo
  crash_count      integer NOT NULL,
  crash_reason     bytea NOT NULL,
  modification_tag_epoch text NOT NULL,
  modification_tag_index bigint NOT NULL,
  PRIMARY KEY (process_guid, instance_index, presence)
);

CREATE TABLE legacy.domains (
  domain      text COLLATE "C" PRIMARY KEY,
  expire_time bigint NOT NULL         -- nanoseconds since 1970; the greatest number: never
);
