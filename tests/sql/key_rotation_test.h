// A database with rows in every table that has encrypted columns, and a key store that leads over it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "orchestrator/app/apps/update.h"
#include "sql/keys/key_labels.h"
#include "sql/keys/pg_key_store.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/silent_log.h"
#include "tests/fakes/standing_lease.h"
#include "tests/fakes/test_call.h"

namespace baton::testing {

class KeyRotationTest : public ::testing::Test {
 protected:
  // By "table.column key": what the blob says when it is opened; where it does not open: why.
  using Blobs = std::map<std::string, std::string>;

  explicit KeyRotationTest(std::string url = MigratedDatabase()) : url_(std::move(url)) {
    char path[] = "/tmp/baton-rotation-XXXXXX";
    EXPECT_NE(mkdtemp(path), nullptr);
    dir_ = path;
    file_ = dir_ + "/keys";
    lease_.emplace(url_);
  }
  ~KeyRotationTest() override {
    Session::SetHook(nullptr);
    std::filesystem::remove_all(dir_);
  }

  // "a,b": the file has these keys, and the first is active; "-a": `active none`.
  void WriteKeys(std::string labels) const {
    static const std::map<char, std::string> kKeys = {{'a', "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="},
                                                      {'b', "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="},
                                                      {'c', "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8="}};
    std::string text;
    if (labels[0] == '-') labels = labels.substr(1), text = "active none\n";
    else text = std::string("active ") + labels[0] + "\n";
    for (const char label : labels) {
      if (kKeys.contains(label)) text += std::string("key ") + label + " " + kKeys.at(label) + "\n";
    }
    std::ofstream(file_) << text;
    chmod(file_.c_str(), 0600);
  }
  std::shared_ptr<const KeyRing> Ring(const std::string& labels) const {
    WriteKeys(labels);
    auto ring = KeyRing::Load(file_);
    EXPECT_TRUE(ring) << ring.error().message;
    return *std::move(ring);
  }

  void Sql(const std::string& script) const {
    const SessionError error = OpenSession(url_)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      s.RunScript(script);
      return true;
    });
    ASSERT_TRUE(error.ok()) << error.detail;
  }
  bool Is(const std::string& condition) const { return Exists(url_, "(SELECT 1) one WHERE " + condition); }

  // Plain blobs, as batond without keys has written them: `rows` of each table.
  void Seed(int rows) const {
    const auto blob = [](const std::string& what) {
      return "'\\x42540100'::bytea || convert_to('canary " + what + " ' || n, 'UTF8')";
    };
    const std::string range = " FROM generate_series(1, " + std::to_string(rows) + ") AS n;";
    Sql("SET LOCAL session_replication_role = replica;"
        "INSERT INTO definitions SELECT 'app-' || n, 1, 'v1', repeat('0', 64), 0, 0, 0, '', '{}', '{}', '{}', 0, " +
        blob("run info") + ", now()" + range + "INSERT INTO desired_lrps SELECT 'app-' || n, 1, 'd', '', 1, " +
        blob("routes") + ", " + blob("annotation") + ", '\\x42540100', " + blob("credentials") + ", " + blob("strategy") +
        ", 'v1', 'v1', now(), 'e', 0" + range +
        "INSERT INTO actual_lrps (actual_id, process_guid, incarnation, instance_index, presence, definition_identifier, "
        "roll_id, state, instance_guid, cell_id, net_info, zone, since, crash_count, crash_reason, placement_error, "
        "applied_by, drained_by, awaits_drain, modification_tag_epoch, modification_tag_index) SELECT 'id-' || n, "
        "'app-' || n, 1, 0, 'ORDINARY', 'v1', '', 'CRASHED', '', '', " +
        blob("net info") + ", '', now(), 0, " + blob("crash") + ", '', '{}', '{}', false, 'e', 0" + range +
        "INSERT INTO rolls SELECT 'app-' || n, 1, 'roll-' || n, NULL, 'v1', 'ROLLING', " + blob("reason") +
        ", 0, now(), now(), NULL, NULL, NULL, NULL, 0, false, '', false, NULL, 0, " + blob("roll strategy") + range +
        "INSERT INTO roll_history SELECT 'old-' || n, 'app-' || n, 1, NULL, 'v1', 'COMPLETED', " + blob("past") +
        ", 0, now(), now(), false, ''" + range + "INSERT INTO roll_steps SELECT 'old-' || n, n, now(), 'k', 0, '', '', " +
        blob("step") + ", '', 0, 0" + range +
        "INSERT INTO events (at, kind, process_guid, incarnation, payload) SELECT now(), 'k', 'app-' || n, 1, " +
        blob("event") + range + "INSERT INTO idempotency_keys SELECT 'key-' || n, 'm', '', " + blob("answer") +
        ", now()" + range);
  }

  // Until the backends of a process that was killed have noticed: their locks are held until then, and Read skips
  // locked rows.
  void AwaitStillness() const {
    Sql("DO $$ BEGIN WHILE EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND state <> 'idle') "
        "LOOP PERFORM pg_sleep(0.005); PERFORM pg_stat_clear_snapshot(); END LOOP; END $$");
  }
  // What is there, opened with these keys; those without a payload are left out.
  Blobs Read(const std::string& labels) const {
    const Cipher cipher(Ring(labels));
    // They are opened after the transaction: on a busy machine that takes longer than PostgreSQL lets one be idle.
    struct Sealed {
      std::string_view table;
      std::string_view column;
      std::string bound;
      std::string row;
      std::string blob;
    };
    std::vector<Sealed> sealed;
    const SessionError error = OpenSession(url_)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      for (const EncryptedTable& table : EncryptedTables()) {
        std::vector<Param> params = {"1000000", "1000000000"};
        for (const auto& key : table.key) params.push_back(key.number ? "-9223372036854775808" : "");
        for (const auto row : s.Run("ScanBlobs." + std::string(table.table), params)) {
          for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const std::size_t at = table.key.size() + 2 + i;
            if (!row.CellAt(at).data()) continue;
            sealed.push_back({table.table, table.columns[i], row.Text("bound"), std::string(row.CellAt(0)),
                              ParseBytes(row.CellAt(at))});
          }
        }
      }
      return true;
    });
    EXPECT_TRUE(error.ok()) << error.detail;
    Blobs blobs;
    for (const Sealed& one : sealed) {
      const auto opened = cipher.Open({one.table, one.column, one.bound}, one.blob);
      blobs[std::string(one.table) + "." + std::string(one.column) + " " + one.bound + " " + one.row] =
          opened ? *opened : opened.error().message;
    }
    return blobs;
  }
  // By a look that knows nothing of the lists: how many blobs of all bytea columns are not of this label.
  void ExpectAllSealedWith(const std::string& label) const {
    char hex[8];
    std::snprintf(hex, sizeof hex, label.empty() ? "01" : "0201%02x", label.empty() ? 0 : label[0]);
    Sql(std::string("DO $$ DECLARE c record; n bigint; BEGIN FOR c IN SELECT table_name AS t, column_name AS name FROM "
                    "information_schema.columns WHERE table_schema = 'public' AND data_type = 'bytea' AND column_name <> "
                    "'check_value' LOOP EXECUTE format('SELECT count(*) FROM %I WHERE octet_length(%I) > 4 AND "
                    "position(''\\x4254") + hex + "''::bytea IN %I) <> 1', c.t, c.name, c.name) INTO n; "
        "IF n > 0 THEN RAISE '% blobs of %.% are of another key', n, c.t, c.name; END IF; END LOOP; END $$");
  }

  // A process that has just been elected. Null where its keys are refused; `refused` then has the sentence.
  struct Process {
    Cipher cipher;
    std::unique_ptr<PgKeyStore> store;
  };
  std::unique_ptr<Process> Lead(const std::string& labels, std::string* refused = nullptr) {
    auto process = std::make_unique<Process>();
    process->cipher.Use(Ring(labels), 0);
    process->store = std::make_unique<PgKeyStore>(url_, file_, process->cipher, log_);
    const Status leads = process->store->Lead({"leader", 1});
    if (leads) return process;
    EXPECT_TRUE(refused) << leads.error().message;
    if (refused) *refused = leads.error().message;
    return nullptr;
  }
  // Steps until it says something else than that it works. `stepped` is called after each.
  RotationState Finish(
      PgKeyStore& store, int rows = 3, const std::function<void()>& stepped = [] {}) {
    for (int step = 0; step < 10'000; ++step) {
      const auto progress = store.Step(rows);
      stepped();
      EXPECT_TRUE(progress) << progress.error().message;
      if (!progress) return RotationState::kStuck;
      if (progress->state != RotationState::kWorking) return progress->state;
    }
    ADD_FAILURE() << "it does not end";
    return RotationState::kWorking;
  }
  RotationState Rotate(const std::string& labels) {
    const auto process = Lead(labels);
    return process ? Finish(*process->store) : RotationState::kStuck;
  }

  static TestCall Desire(const std::string& guid) {
    TestCall call{{.name = "desire", .guid = ProcessGuid(guid), .actor = "test"}};
    call.decide = [](AppEdit& edit) {
      DesireRequest request;
      request.desired.domain = "test";
      request.desired.annotation = "0";
      request.definition.definition.id = DefinitionId("v1");
      request.definition.definition.content_hash = std::string(64, 'a');
      request.definition.definition.root_fs = "host:";
      return DecideDesire(edit, request);
    };
    return call;
  }

  const std::string url_;
  std::optional<StandingLease> lease_;
  SilentLog log_;
  std::string dir_;
  std::string file_;
};

}  // namespace baton::testing
