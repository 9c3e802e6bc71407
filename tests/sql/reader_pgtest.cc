// Reads: what the database refuses is UNAVAILABLE for the caller, and in the log in full.
#include "sql/keys/pg_key_store.h"
#include "sql/read/pg_reader.h"
#include "sql/read/pg_reads.h"
#include "sql/store/pg_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <mutex>

#include "tests/fakes/pg_fixture.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

class KeptLog final : public Log {
 public:
  void Write(LogLevel, std::string_view event, std::initializer_list<LogField> fields) override {
    const std::lock_guard lock(mutex_);
    text_ += std::string(event);
    for (const LogField& field : fields) {
      if (const auto* value = std::get_if<std::string_view>(&field.value)) text_ += " " + std::string(*value);
    }
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

TEST(Reads, AFailedReadIsUnavailableAndLoggedInFull) {
  const std::string url = MigratedDatabase();
  KeptLog log;
  PgReads reads(url, 1, log);
  const auto read = [&] {
    std::promise<Error> answer;
    reads.Run([&](Result<Reader*> reader) {
      const auto cells = reader ? (*reader)->ListCells() : Result<std::vector<CellRecord>>(reader.error());
      answer.set_value(cells ? Error{} : cells.error());
    });
    return answer.get_future().get();
  };
  EXPECT_EQ(read().message, "");
  EXPECT_EQ(log.text(), "");
  (void)OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [](Session& session) {
    session.RunScript("ALTER TABLE cells RENAME TO cells_elsewhere");
    return true;
  });
  const Error refused = read();
  EXPECT_EQ(refused.kind, ErrorKind::kUnavailable);
  EXPECT_THAT(refused.message, ::testing::Not(HasSubstr("cells")));
  EXPECT_THAT(log.text(), HasSubstr("read_failed 42P01 "));
  EXPECT_THAT(log.text(), HasSubstr("\"cells\" does not exist"));
}

// Somebody dropped the foreign keys, and the row: the app is said to be broken. One that is told it is gone desires it anew.
TEST(Reads, AnAppWhoseDefinitionIsNotThereIsNotSaidToBeGone) {
  const std::string url = MigratedDatabase();
  const SessionError made = OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [](Session& session) {
    session.RunScript(
        "SET LOCAL session_replication_role = replica; INSERT INTO desired_lrps (process_guid, incarnation, domain, log_guid, "
        "instances, routes, annotation, metric_tags, credentials, strategy, active_definition, created_at, "
        "modification_tag_epoch, modification_tag_index) VALUES ('app', 1, 'd', '', 1, '\\x42540100', '\\x42540100', '\\x42540100', '\\x42540100', "
        "'\\x42540100', 'v1', now(), '', 0)");
    return true;
  });
  ASSERT_TRUE(made.ok()) << made.detail;
  KeptLog log;
  PgReads reads(url, 1, log);
  const auto get = [&](const char* guid) {
    std::promise<Error> answer;
    reads.Get(ProcessGuid(guid), [&](const Result<DesiredRead>& read) { answer.set_value(read ? Error{} : read.error()); });
    return answer.get_future().get();
  };
  const Error broken = get("app");
  EXPECT_EQ(broken.kind, ErrorKind::kDataLoss);
  EXPECT_THAT(broken.message, HasSubstr("its definition v1 is not there"));
  EXPECT_EQ(get("another").kind, ErrorKind::kNotFound);
}

TEST(Reads, TheLatestRollIsTheAppsOwn) {
  const std::string url = MigratedDatabase();
  const SessionError made = OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [](Session& session) {
    session.RunScript(
        "INSERT INTO roll_history (process_guid, incarnation, roll_id, target_definition, state, reason, revision, opened_at, "
        "finished_at, refused, actor, waited_ms) SELECT g, 1, g || '-roll', 'v1', 'COMPLETED', '\\x42540100', 1, now(), "
        "now() + s * interval '1 second', false, '', 0 FROM (VALUES ('a', 1), ('b', 2)) AS of (g, s)");
    return true;
  });
  ASSERT_TRUE(made.ok()) << made.detail;
  KeptLog log;
  PgReads reads(url, 1, log);
  for (const std::string guid : {"a", "b"}) {
    std::promise<std::string> answer;
    reads.Run([&](Result<Reader*> reader) {
      const auto roll = reader ? (*reader)->ReadLatestRoll(ProcessGuid(guid)) : Result<RollRead>(reader.error());
      answer.set_value(roll ? roll->roll.id.str() : roll.error().message);
    });
    EXPECT_EQ(answer.get_future().get(), guid + "-roll");
  }
}

// What is older goes, the oldest first and no more at once than is asked for.
TEST(AuditRetention, DeletesTheOldestInBatches) {
  const std::string url = MigratedDatabase();
  const SessionError made = OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [](Session& session) {
    session.RunScript(
        "INSERT INTO audit (at, actor, method, process_guid, request_id, outcome) SELECT clock_timestamp() - d * "
        "interval "
        "'1 day', 'a', 'm', d::text, 'r', 'OK' FROM generate_series(86, 95) AS of (d); "
        "INSERT INTO leases VALUES ('batond', 1, 'a', '', now(), now() + interval '110 seconds')");
    return true;
  });
  ASSERT_TRUE(made.ok()) << made.detail;
  KeptLog log;
  PgCollector collector(url, log);
  collector.Lead({"batond", 1});
  const auto delete_some = [&] {
    const auto deleted = collector.DeleteAudit(std::chrono::hours(24 * 90), 4);
    return deleted ? *deleted : -1;
  };
  EXPECT_EQ(delete_some(), 4) << log.text();
  EXPECT_FALSE(Exists(url, "audit WHERE process_guid = '95'"));
  EXPECT_EQ(delete_some(), 2);
  EXPECT_EQ(delete_some(), 0);
  EXPECT_TRUE(Exists(url, "audit WHERE process_guid = '89'"));
  EXPECT_FALSE(Exists(url, "audit WHERE process_guid = '90'"));
}

// Whoever has a connection of his own says so where there is none.
TEST(NoDatabase, TheCollectorAndTheKeyStoreAreRefused) {
  const std::string nobody = "postgresql://127.0.0.1:1/baton";
  KeptLog log;
  PgCollector collector(nobody, log);
  const Status deleted = collector.DeleteOld();
  ASSERT_FALSE(deleted);
  EXPECT_EQ(deleted.error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(deleted.error().message, HasSubstr("the database does not answer"));
  Cipher cipher;
  const Status may_lead = PgKeyStore(nobody, "", cipher, log).MayLead();
  ASSERT_FALSE(may_lead);
  EXPECT_EQ(may_lead.error().kind, ErrorKind::kUnavailable);
}

}  // namespace
}  // namespace baton
