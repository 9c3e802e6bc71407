// Each constraint refuses a bad row, by its name. A constraint without a case here fails the last test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

// A row of each table: app "a" with two definitions, an instance each of a roll's two sides.
constexpr char kGoodRows[] = R"sql(
INSERT INTO leases VALUES ('leader', 1, 'h', '', now(), now());
INSERT INTO definitions
SELECT 'a', 1, d, repeat('0', 64), 0, 0, 0, '', '{}', '{}', '{}', 0, '', now() FROM unnest('{v1,v2}'::text[]) d;
INSERT INTO desired_lrps VALUES ('a', 1, 'd', '', 1, '', '', '', '', '', 'v2', 'v1', now(), 'e', 0);
INSERT INTO actual_lrps (actual_id, process_guid, incarnation, instance_index, presence, definition_identifier, roll_id,
  state, instance_guid, cell_id, net_info, zone, since, routable_since, crash_count, crash_reason, placement_error,
  applied_by, drained_by, awaits_drain, modification_tag_epoch, modification_tag_index)
VALUES
  ('old', 'a', 1, 0, 'ORDINARY', 'v1', '', 'RUNNING', 'g1', 'c', '', '', now(), now(), 0, '', '', '{}', '{}', false, 'e', 0),
  ('new', 'a', 1, 0, 'SURGE', 'v2', 'r', 'CLAIMED', 'g2', 'c', '', '', now(), NULL, 0, '', '', '{}', '{}', false, 'e', 0);
INSERT INTO rolls (process_guid, incarnation, roll_id, source_definition, target_definition, state, reason, revision,
  opened_at, deadline, counted_from, refused, actor, strategy)
VALUES ('a', 1, 'r', 'v1', 'v2', 'ROLLING', '', 0, now(), now(), 0, false, '', '');
INSERT INTO migration_steps VALUES (101, 'copy', 'c', false);
INSERT INTO accepted_stores VALUES (gen_random_uuid());
INSERT INTO lost_epochs VALUES (1);
INSERT INTO members VALUES ('m', '', 1, '', '', '', '', now(), now());
INSERT INTO roll_history VALUES ('h', 'a', 1, NULL, 'v1', 'COMPLETED', '', 0, now(), now(), false, '');
INSERT INTO roll_steps VALUES ('r', 1, now(), 'opened', -1, '', '', '', '', 0, 0);
INSERT INTO events (at, kind, process_guid, incarnation, payload) VALUES (now(), 'k', 'a', 1, '');
INSERT INTO cells VALUES ('c', '', '', 0, 0, 0, 0, '{}', '{}', '{}', '{}', '', false, now(), now());
INSERT INTO route_consumers VALUES ('r', '', now(), now());
INSERT INTO domains VALUES ('d', now());
INSERT INTO idempotency_keys VALUES ('k', '', '', '', now());
INSERT INTO upgrade_shards VALUES (101, 0, 'PENDING', 'SYNCING', '', 0);
INSERT INTO key_labels VALUES ('one', true, 0), ('two', false, 0);
INSERT INTO key_rotation VALUES ('definitions', 'two', '{}', 0, 0, 0, false, now());
INSERT INTO key_quarantine VALUES ('definitions', 'run_info', 'a/1/v1', '', now());
INSERT INTO upgrade VALUES (true, 2, '1.1.0', 104, '2.4.0', 'WAITING');
INSERT INTO api_usage VALUES ('v1', 'Ping.Ping', 'capi', 1, now(), now());
INSERT INTO domain_egress VALUES ('*', 'warn');
INSERT INTO audit (at, actor, method, process_guid, request_id, outcome) VALUES (now(), '', '', '', '', '');
)sql";

struct Case {
  std::string constraint;
  std::string bad;
};

#define TWICE(table) \
  { table "_pkey", "INSERT INTO " table " OVERRIDING SYSTEM VALUE SELECT * FROM " table }

const Case kCases[] = {
    {"leases_epoch_check", "UPDATE leases SET epoch = 0"},
    {"leases_name_key", "INSERT INTO leases VALUES ('leader', 2, 'h', '', now(), now())"},
    {"versions_one_check", "INSERT INTO versions VALUES (false, 100, 100, '')"},
    {"store_one_check", "INSERT INTO store (one) VALUES (false)"},
    {"members_id_check", "UPDATE members SET id = ''"},
    {"migration_steps_rows_done_check", "UPDATE migration_steps SET rows_done = -1"},
    {"actual_lrps_format_check", "UPDATE actual_lrps SET format = 0"},
    {"migrations_checksum_check", "UPDATE migrations SET checksum = 'short'"},
    {"definitions_process_guid_check", "UPDATE definitions SET process_guid = ''"},
    {"definitions_definition_identifier_check", "UPDATE definitions SET definition_identifier = repeat('x', 256)"},
    {"definitions_content_hash_check", "UPDATE definitions SET content_hash = repeat('A', 64)"},
    {"definitions_memory_mb_check", "UPDATE definitions SET memory_mb = -1"},
    {"definitions_disk_mb_check", "UPDATE definitions SET disk_mb = -1"},
    {"definitions_max_pids_check", "UPDATE definitions SET max_pids = -1"},
    {"definitions_start_timeout_ms_check", "UPDATE definitions SET start_timeout_ms = -1"},
    {"desired_lrps_process_guid_check", "UPDATE desired_lrps SET process_guid = ''"},
    {"desired_lrps_domain_check", "UPDATE desired_lrps SET domain = ''"},
    {"desired_lrps_instances_check", "UPDATE desired_lrps SET instances = -1"},
    {"desired_lrps_instances_check", "UPDATE desired_lrps SET instances = 100001"},
    {"desired_lrps_modification_tag_index_check", "UPDATE desired_lrps SET modification_tag_index = -1"},
    {"desired_lrps_active", "UPDATE desired_lrps SET active_definition = 'v9'"},
    {"desired_lrps_active", "UPDATE desired_lrps SET incarnation = 2, healthy_definition = NULL"},
    {"desired_lrps_healthy", "UPDATE desired_lrps SET healthy_definition = 'v9'"},
    {"actual_lrps_instance_index_check", "UPDATE actual_lrps SET instance_index = -1"},
    {"actual_lrps_presence_check", "UPDATE actual_lrps SET presence = 'LOST' WHERE actual_id = 'old'"},
    {"actual_lrps_state_check",
     "UPDATE actual_lrps SET state = 'GONE', cell_id = '', instance_guid = '', routable_since = NULL"},
    {"actual_lrps_crash_count_check", "UPDATE actual_lrps SET crash_count = -1"},
    {"actual_lrps_modification_tag_index_check", "UPDATE actual_lrps SET modification_tag_index = -1"},
    {"actual_lrps_one_of_each", "UPDATE actual_lrps SET presence = 'ORDINARY'"},
    {"actual_lrps_definition", "UPDATE actual_lrps SET definition_identifier = 'v9'"},
    {"actual_lrps_definition", "DELETE FROM definitions WHERE definition_identifier = 'v1'"},
    {"actual_lrps_cell_while_it_may_run", "UPDATE actual_lrps SET cell_id = ''"},
    {"actual_lrps_cell_while_it_may_run",
     "UPDATE actual_lrps SET state = 'CRASHED', instance_guid = '', routable_since = NULL"},
    {"actual_lrps_guid_while_it_may_run", "UPDATE actual_lrps SET instance_guid = ''"},
    {"actual_lrps_routable_runs", "UPDATE actual_lrps SET state = 'CLAIMED' WHERE actual_id = 'old'"},
    {"actual_lrps_retiring_since",
     "UPDATE actual_lrps SET presence = 'RETIRING', drain_not_before = now(), drain_until = now()"},
    {"actual_lrps_retiring_since", "UPDATE actual_lrps SET retiring_since = now()"},
    {"actual_lrps_only_retiring_stops", "UPDATE actual_lrps SET stop_ordered_at = now()"},
    {"actual_lrps_drain_times",
     "UPDATE actual_lrps SET presence = 'RETIRING', retiring_since = now(), drain_until = now()"},
    {"actual_lrps_others_may_run",
     "UPDATE actual_lrps SET presence = 'SUSPECT', state = 'CRASHED', cell_id = '', instance_guid = '' WHERE actual_id "
     "= 'new'"},
    {"rolls_state_check", "UPDATE rolls SET state = 'COMPLETED'"},
    {"rolls_revision_check", "UPDATE rolls SET revision = -1"},
    {"rolls_back_to_something", "UPDATE rolls SET state = 'ROLLING_BACK', source_definition = NULL"},
    {"rolls_paused_for_a_reason", "UPDATE rolls SET state = 'PAUSED'"},
    {"rolls_stages_done_check", "UPDATE rolls SET stages_done = -1"},
    {"rolls_waited_ms_check", "UPDATE rolls SET waited_ms = -1"},
    {"roll_history_waited_ms_check", "UPDATE roll_history SET waited_ms = -1"},
    {"definitions_port_aliases_check", "UPDATE definitions SET port_aliases = '{8080}'"},
    {"rolls_source", "UPDATE rolls SET source_definition = 'v9'"},
    {"rolls_target", "UPDATE rolls SET target_definition = 'v9'"},
    {"rolls_roll_id_key",
     "INSERT INTO rolls SELECT 'b', 1, roll_id, NULL, 'v1', 'ROLLING', '', 0, now(), now(), NULL, NULL, NULL, NULL, 0, "
     "false, '', false, NULL, 0, '' FROM rolls"},
    {"rolls_one_an_app",
     "INSERT INTO rolls SELECT 'a', 2, 'other', NULL, 'v1', 'ROLLING', '', 0, now(), now(), NULL, NULL, NULL, NULL, 0, "
     "false, '', false, NULL, 0, ''"},
    {"roll_history_state_check", "UPDATE roll_history SET state = 'ROLLING'"},
    {"cells_cell_id_check", "UPDATE cells SET cell_id = ''"},
    {"cells_memory_mb_check", "UPDATE cells SET memory_mb = -1"},
    {"cells_disk_mb_check", "UPDATE cells SET disk_mb = -1"},
    {"cells_pids_check", "UPDATE cells SET pids = -1"},
    {"cells_containers_check", "UPDATE cells SET containers = -1"},
    {"cells_epoch_check", "UPDATE cells SET epoch = 0"},
    {"cells_losses_check", "UPDATE cells SET losses = -1"},
    {"cells_draining_from_check", "UPDATE cells SET draining_from = -1"},
    {"desired_lrps_definition_history_check", "UPDATE desired_lrps SET definition_history = 101"},
    {"route_consumers_consumer_id_check", "UPDATE route_consumers SET consumer_id = ''"},
    {"idempotency_keys_idempotency_key_check", "UPDATE idempotency_keys SET idempotency_key = repeat('x', 256)"},
    {"upgrade_shards_shard_check", "UPDATE upgrade_shards SET shard = -1"},
    {"upgrade_shards_state_check", "UPDATE upgrade_shards SET state = 'DONE'"},
    {"upgrade_shards_phase_check", "UPDATE upgrade_shards SET phase = 'WAITING'"},
    {"key_labels_label_check", "UPDATE key_labels SET label = 'a-b' WHERE label = 'one'"},
    {"key_labels_encryptions_check", "UPDATE key_labels SET encryptions = -1"},
    {"key_labels_one_active", "UPDATE key_labels SET active = true"},
    {"key_labels_active_in_use", "UPDATE key_labels SET retired_at = now() WHERE active"},
    {"key_rotation_target_check", "UPDATE key_rotation SET target = 'a-b'"},
    {"key_rotation_rows_total_check", "UPDATE key_rotation SET rows_total = -1"},
    {"key_rotation_rows_done_check", "UPDATE key_rotation SET rows_done = -1"},
    {"key_rotation_faults_check", "UPDATE key_rotation SET faults = -1"},
    {"upgrade_one_check", "UPDATE upgrade SET one = false"},
    {"upgrade_state_check", "UPDATE upgrade SET state = 'DONE'"},
    {"upgrade_shards_check", "UPDATE upgrade SET shards = 1025"},
    {"upgrade_write_stop_ms_check", "UPDATE upgrade SET write_stop_ms = -1"},
    {"api_usage_api_version_check", "UPDATE api_usage SET api_version = '1'"},
    {"api_usage_method_check", "UPDATE api_usage SET method = 'Ping'"},
    {"api_usage_caller_check", "UPDATE api_usage SET caller = ''"},
    {"api_usage_calls_check", "UPDATE api_usage SET calls = 0"},
    {"api_usage_first_before_last", "UPDATE api_usage SET first_at = last_at + interval '1 second'"},
    {"domain_egress_domain_check", "UPDATE domain_egress SET domain = ''"},
    {"domain_egress_unenforced_check", "UPDATE domain_egress SET unenforced = ''"},
    TWICE("store"),
    TWICE("upgrade"),
    TWICE("migration_steps"),
    TWICE("accepted_stores"),
    TWICE("lost_epochs"),
    TWICE("members"),
    TWICE("leases"),
    TWICE("versions"),
    TWICE("migrations"),
    TWICE("definitions"),
    TWICE("desired_lrps"),
    TWICE("actual_lrps"),
    TWICE("rolls"),
    TWICE("roll_history"),
    TWICE("roll_steps"),
    TWICE("events"),
    TWICE("cells"),
    TWICE("route_consumers"),
    TWICE("domains"),
    TWICE("idempotency_keys"),
    TWICE("upgrade_shards"),
    TWICE("key_labels"),
    TWICE("key_rotation"),
    TWICE("key_quarantine"),
    TWICE("api_usage"),
    TWICE("domain_egress"),
    TWICE("audit"),
};

#undef TWICE

SessionError Try(Session& session, const std::string& sql, bool commit) {
  return session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript(sql);
    return commit;
  });
}

class Constraints : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    url_ = MigratedDatabase();
    const SessionError error = Try(*OpenSession(url_), kGoodRows, true);
    ASSERT_TRUE(error.ok()) << error.detail;
  }
  static inline std::string url_;
};

TEST_F(Constraints, EachRefusesItsBadRowByName) {
  const auto session = OpenSession(url_);
  for (const Case& one : kCases) {
    // Committed: what is deferred speaks only then.
    const SessionError error = Try(*session, one.bad, true);
    EXPECT_EQ(error.fault, Fault::kConstraint) << one.bad << ": " << error.detail;
    EXPECT_EQ(error.constraint, one.constraint) << one.bad << ": " << error.detail;
  }
}

// The other side: what a roll does with its rows is let through.
TEST_F(Constraints, AHandOverSwapsTwoRowsInOneStatement) {
  const SessionError error = Try(*OpenSession(url_), R"sql(
    UPDATE actual_lrps SET state = 'RUNNING' WHERE actual_id = 'new';
    UPDATE actual_lrps SET presence = CASE actual_id WHEN 'new' THEN 'ORDINARY' ELSE 'SURGE' END;
    UPDATE actual_lrps SET presence = 'RETIRING', retiring_since = now(), drain_not_before = now(), drain_until = now()
    WHERE actual_id = 'old';
    SET CONSTRAINTS ALL IMMEDIATE)sql",
                                 false);
  EXPECT_TRUE(error.ok()) << error.detail;
}

TEST_F(Constraints, NoneIsWithoutACase) {
  std::set<std::string> tried;
  for (const Case& one : kCases) tried.insert(one.constraint);
  std::istringstream lines(Psql(url_,
                                "SELECT conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace "
                                "UNION SELECT relname FROM pg_index JOIN pg_class c ON c.oid = indexrelid "
                                "WHERE indisunique AND relnamespace = 'public'::regnamespace"));
  std::set<std::string> there;
  for (std::string name; std::getline(lines, name);) there.insert(name);
  EXPECT_EQ(tried, there);
}

}  // namespace
}  // namespace baton::testing
