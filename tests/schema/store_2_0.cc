#include "tests/schema/store_2_0.h"

#include <gtest/gtest.h>

#include "schema/migrator/shipped.h"
#include "tests/fakes/pg_fixture.h"

namespace baton {
namespace {

// In an envelope: magic, plain, no label.
constexpr char kApps[] = R"sql(
INSERT INTO versions (current, target, current_semver) VALUES (100, 100, '2.0.0');
INSERT INTO leases VALUES ('batond', 7, 'h', '127.0.0.1:1', '2026-01-01Z', '2026-01-01Z');
INSERT INTO definitions (process_guid, incarnation, definition_identifier, content_hash, memory_mb, disk_mb, max_pids,
  root_fs, ports, placement_tags, needs, start_timeout_ms, run_info, created_at, proven_at)
SELECT 'app-' || i, i, d, repeat('0', 64), 64, 64, 10, 'preloaded:x', '{8080}', '{}', '{}', 1000, '\x42540100'::bytea,
  '2026-01-01Z', '2026-01-01Z'
FROM generate_series(1, APPS) i, unnest('{v1,v2}'::text[]) d;
INSERT INTO desired_lrps (process_guid, incarnation, domain, log_guid, instances, routes, annotation, metric_tags,
  credentials, strategy, active_definition, healthy_definition, created_at, modification_tag_epoch, modification_tag_index)
SELECT 'app-' || i, i, 'domain-' || i % 3, '', 3, '\x42540100', '\x42540100', '\x42540100', '\x42540100',
  '\x42540100'::bytea || int4send(i), 'v2', 'v1', '2026-01-01Z', 'e' || i, 0
FROM generate_series(1, APPS) i;
INSERT INTO actual_lrps (actual_id, process_guid, incarnation, instance_index, presence, definition_identifier, roll_id,
  state, instance_guid, cell_id, net_info, zone, since, routable_since, crash_count, crash_reason, placement_error,
  applied_by, drained_by, awaits_drain, modification_tag_epoch, modification_tag_index)
SELECT 'a-' || i || '-' || n, 'app-' || i, i, n, 'ORDINARY', 'v1', '', 'RUNNING', 'g', 'cell-' || n % 2, '\x42540100', '',
  '2026-01-01Z', '2026-01-01Z', 0, '\x42540100', '\x42540100', '{}', '{}', false, 'e', n
FROM generate_series(1, APPS) i, generate_series(0, 2) n;
INSERT INTO rolls (process_guid, incarnation, roll_id, source_definition, target_definition, state, reason, revision,
  opened_at, deadline, counted_from, refused, actor)
SELECT 'app-' || i, i, 'roll-' || i, 'v1', 'v2', 'ROLLING', '', 1, '2026-01-01Z', '2036-01-01Z', 0, false, 'x'
FROM generate_series(1, APPS, 10) i;
INSERT INTO cells
SELECT 'cell-' || n, '', '', 1000, 1000, 1000, 100, '{}', '{}', '{}', '{}', '0.1.0', false, '2026-01-01Z', '2026-01-01Z'
FROM generate_series(0, 1) n;
INSERT INTO domains VALUES ('domain-0', '2036-01-01Z');
INSERT INTO events (at, kind, process_guid, incarnation, payload)
SELECT '2026-01-01Z', 'desired_created', 'app-' || i, i, '\x42540100' FROM generate_series(1, APPS) i;
)sql";

std::string With(std::string text, int apps) {
  for (std::size_t at = text.find("APPS"); at != std::string::npos; at = text.find("APPS")) {
    text.replace(at, 4, std::to_string(apps));
  }
  return text;
}

}  // namespace

std::string Store20(int apps) {
  const std::string url = FreshDatabase();
  MakeStore20(url, apps);
  return url;
}

void MakeStore20(const std::string& url, int apps) {
  const Migration& first = ShippedMigrations().front();
  const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    for (const MigrationStep& step : first.steps) s.RunScript(step.sql);
    s.Run("WriteMigration", {std::to_string(first.version), first.file, first.checksum});
    s.RunScript(With(kApps, apps));
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
}

}  // namespace baton
