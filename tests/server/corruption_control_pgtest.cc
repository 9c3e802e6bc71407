// Rows by which batond knows what the data is, who leads and which keys it takes, broken in each way: it serves, or says why it
// does not, and goes on when they are put right.
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "tests/server/corruption_tables.h"
#include "tests/server/key_file.h"

namespace baton {
namespace {

class BrokenControl : public Corruption {
 protected:
  using Corruption::Corruption;
  void KeepTable(const std::string& name) { Sql("CREATE TABLE kept_" + name + " AS SELECT * FROM " + name); }
  void PutTableBack(const std::string& name) {
    Sql("DELETE FROM " + name + "; INSERT INTO " + name + " SELECT * FROM kept_" + name);
  }
  bool BreakAll(const Column& column, const Damage& way) {
    return Try("UPDATE " + column.table + " SET " + column.name + " = " + With(way.sql, column.name));
  }
  static v2::StatusResponse StatusOf(RunningService& of) {
    v2::StatusResponse status;
    const grpc::Status answered = of.admin->Status(Context().get(), {}, &status);
    EXPECT_TRUE(answered.ok()) << answered.error_message();
    return status;
  }
  // What batond says of itself, "" where it serves.
  static std::string WhyNot(RunningService& of) { return StatusOf(of).why(); }
  // It serves, or says why not. A lease that was changed by hand is another's for as long as it says: then it stands by, and names who
  // leads.
  static bool Settles(RunningService& next) {
    if (Eventually([&] { return next.Serving() || !WhyNot(next).empty(); }, std::chrono::seconds(10))) return true;
    const v2::StatusResponse status = StatusOf(next);
    return status.state() == "STANDBY" && !status.leader().empty();
  }
};

TEST_F(BrokenControl, ABatondServesOrSaysWhyNot) {
  service.Stop();
  int serves = 0, says = 0;
  for (const ControlTable& table : kControlTables) {
    const std::string name = table.name;
    if (name.starts_with("key_") || name == "idempotency_keys" || name == "upgrade") continue;  // below
    if (*table.row) Sql("INSERT INTO " + name + " " + table.row);
    KeepTable(name);
    for (const Column& column : ColumnsWhere("c.table_name = '" + name + "'")) {
      const auto ways = WaysOf().find(column.type);
      ASSERT_NE(ways, WaysOf().end()) << name << "." << column.name << " is a " << column.type;
      for (const Damage& way : ways->second) {
        SCOPED_TRACE(name + "." + column.name + ": " + way.name);
        if (!BreakAll(column, way)) continue;
        RunningService next(service.url());
        EXPECT_TRUE(Settles(next)) << "it does not serve, and does not say why: " << StatusOf(next).ShortDebugString();
        ++(next.Serving() ? serves : says);
        v2::VersionsResponse versions;
        ExpectAnswer("Versions", next.admin->Versions(Context().get(), {}, &versions));
        next.Stop();
        PutTableBack(name);
      }
    }
    if (*table.row) Sql("DELETE FROM " + name);  // what an epoch that was lost says is that nobody may serve
    RunningService next(service.url());
    ASSERT_TRUE(Eventually([&] { return next.Serving(); })) << name << " is as it was: " << WhyNot(next);
  }
  std::cout << "control tables: over " << serves << " it serves, of " << says << " it says why it does not" << std::endl;
  EXPECT_GE(serves, 10);
  EXPECT_GE(says, 10);
}

class BrokenKeys : public BrokenControl {
 protected:
  BrokenKeys() : BrokenControl(WithKeys()) {}
  static std::string KeyFile() { return "/tmp/baton-broken-keys-" + std::to_string(getpid()); }
  static batond::ServiceOptions WithKeys() {
    WriteKeyFile(KeyFile());
    batond::ServiceOptions options;
    options.keys = KeyFile();
    return options;
  }
  ~BrokenKeys() override { std::filesystem::remove(KeyFile()); }
  std::string RotationState() {
    v2::KeysResponse keys;
    const grpc::Status status = service.admin->Keys(Context().get(), {}, &keys);
    return status.ok() ? keys.rotation().state() : status.error_message();
  }
};

TEST_F(BrokenKeys, ARotationGoesOnOrSaysWhyNot) {
  ASSERT_TRUE(Eventually([&] { return RotationState() == "done"; })) << RotationState();
  for (const std::string name : {"key_labels", "key_rotation"}) {
    KeepTable(name);
    for (const Column& column : ColumnsWhere("c.table_name = '" + name + "'")) {
      for (const Damage& way : WaysOf().at(column.type)) {
        SCOPED_TRACE(name + "." + column.name + ": " + way.name);
        if (name == "key_rotation") Sql("UPDATE key_labels SET active = false");  // it is under way
        if (!BreakAll(column, way)) continue;
        v2::KeysResponse keys;
        const grpc::Status rotated = service.admin->RotateKeys(Context().get(), {}, &keys);
        EXPECT_TRUE(rotated.ok() || rotated.error_code() == grpc::StatusCode::FAILED_PRECONDITION) << rotated.error_message();
        v2::KeysRequest count;
        count.set_count(true);
        ExpectAnswer("Keys", service.admin->Keys(Context().get(), count, &keys));
        PutTableBack(name);
      }
    }
    v2::KeysResponse keys;
    const grpc::Status rotated = service.admin->RotateKeys(Context().get(), {}, &keys);
    EXPECT_TRUE(rotated.ok()) << rotated.error_message();
    EXPECT_TRUE(Eventually([&] { return RotationState() == "done"; })) << name << ": " << RotationState();
  }
}

// What was asked again was answered with what could be made of the bytes, as if all of it were there, or done once more.
TEST_F(BrokenControl, AnAnswerThatCannotBeReadIsNotGivenForOneAndTheCallNotDoneAgain) {
  v2::UpdateDesiredLRPRequest request;
  request.set_process_guid("a");
  request.mutable_update()->set_annotation("first");
  request.set_idempotency_key("once");
  v2::UpdateDesiredLRPResponse first;
  ASSERT_TRUE(service.Update(request, &first).ok());
  v2::UpdateDesiredLRPRequest later;
  later.set_process_guid("a");
  later.mutable_update()->set_annotation("second");
  ASSERT_TRUE(service.Update(later).ok());
  KeepTable("idempotency_keys");
  int lost = 0;
  for (const Column& column : ColumnsWhere("c.table_name = 'idempotency_keys'")) {
    if (column.name == "idempotency_key") continue;  // nobody knows of that call then
    for (const Damage& way : WaysOf().at(column.type)) {
      SCOPED_TRACE(column.name + ": " + way.name);
      if (!BreakAll(column, way)) continue;
      v2::UpdateDesiredLRPResponse again;
      const grpc::Status status = service.Update(request, &again);
      const auto code = status.error_code();
      EXPECT_TRUE(code == grpc::StatusCode::OK || code == grpc::StatusCode::DATA_LOSS || code == grpc::StatusCode::ABORTED)
          << status.error_message();
      lost += code == grpc::StatusCode::DATA_LOSS ? 1 : 0;
      v2::GetDesiredLRPRequest get;
      get.set_process_guid("a");
      get.set_reveal_secrets(true);
      v2::GetDesiredLRPResponse stored;
      ASSERT_TRUE(service.apps->GetDesiredLRP(Context().get(), get, &stored).ok());
      EXPECT_EQ(stored.desired_lrp().annotation(), "second") << "it was done again";
      PutTableBack("idempotency_keys");
    }
  }
  EXPECT_GE(lost, 6);
}

// Of an upgrade to this schema that is not finished.
TEST_F(BrokenControl, ARecordOfAnUpgradeIsReadOrRefused) {
  const std::string semver = Ask("SELECT current_semver FROM versions")[0];
  const std::string current = Ask("SELECT current FROM versions")[0];
  service.Stop();
  Sql("INSERT INTO upgrade (source, source_semver, target, target_semver, state, shards) SELECT " + current + " - 1, '2.3.0', " +
      current + ", '" + semver + "', 'SWITCHED', 2");
  KeepTable("upgrade");
  Sql("ALTER TABLE upgrade DROP CONSTRAINT upgrade_shards_check, DROP CONSTRAINT upgrade_state_check");
  for (const Column& column : ColumnsWhere("c.table_name = 'upgrade'")) {
    for (const Damage& way : WaysOf().at(column.type)) {
      SCOPED_TRACE(column.name + ": " + way.name);
      if (!BreakAll(column, way)) continue;
      RunningService next(service.url());
      EXPECT_TRUE(Settles(next)) << "it does not serve, and does not say why: " << StatusOf(next).ShortDebugString();
      next.Stop();
      PutTableBack("upgrade");
    }
  }
}

}  // namespace
}  // namespace baton
