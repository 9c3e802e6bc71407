// One row that is broken harms nobody else. Whoever reads a list gets all other apps, and is told of the one that is left
// out: who is not told would take it for one that is gone.
#pragma once

#include <gmock/gmock.h>

#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "tests/server/convergence_fixture.h"
#include "tests/server/list_paths.h"
#include "tools/definitions/run.h"

namespace baton {

class Corruption : public ConvergencePass {
 protected:
  static constexpr const char* kBroken = "broken";

  explicit Corruption(batond::ServiceOptions options = {}) : ConvergencePass(std::move(options)) {}
  void SetUp() override {
    ConvergencePass::SetUp();
    session_ = OpenSession(service.url());
    for (const std::string guid : {"a", kBroken, "z"}) {
      auto app = RunningService::SmallApp(guid);
      app.mutable_desired_lrp()->set_annotation("note");
      app.mutable_desired_lrp()->set_image_username("me");
      app.mutable_desired_lrp()->set_image_password("secret");
      // There is no cell: its first roll stays open, and its instance has a placement error.
      const grpc::Status desired = service.Desire(app);
      ASSERT_TRUE(desired.ok()) << desired.error_message();
      ASSERT_TRUE(Eventually([&] { return Placed(guid); }));
      UpdateTo(guid, "v2");  // of the first roll there is a finished row from here on
    }
  }
  bool Placed(const std::string& guid) {
    const auto all = service.Instances(guid);
    return all.size() == 1 && !all[0].placement_error().empty();
  }

  // Rows of one column each; false where the schema refuses it.
  bool Try(const std::string& script, std::vector<std::string>* first_column = nullptr) {
    const SessionError error = session_->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      const Rows rows = s.RunScript(script);
      for (const auto row : rows) {
        if (first_column) first_column->push_back(row.Text());
      }
      return true;
    });
    return error.ok();
  }
  std::vector<std::string> Ask(const std::string& sql) {
    std::vector<std::string> rows;
    EXPECT_TRUE(Try(sql, &rows)) << sql;
    return rows;
  }
  struct Column {
    std::string table;
    std::string name;
    std::string type;
  };
  // Of tables with rows of an app, but the keys that say whose they are.
  std::vector<Column> Columns() {
    return ColumnsWhere("c.column_name NOT IN ('process_guid', 'roll_id') AND c.table_name = ANY (string_to_array('" +
                        std::string(kTables) + "', ' '))");
  }
  // As the catalogue has them: one that is new is among them by itself.
  std::vector<Column> ColumnsWhere(const std::string& condition) {
    std::vector<Column> columns;
    for (const std::string& row :
         Ask("SELECT c.table_name || ' ' || c.column_name || ' ' || replace(c.data_type, ' ', '_') || ' ' || c.udt_name "
             "FROM information_schema.columns c WHERE c.table_schema = 'public' AND " + condition + " ORDER BY 1")) {
      std::istringstream words(row);
      Column column;
      std::string udt;
      words >> column.table >> column.name >> column.type >> udt;
      if (column.type == "ARRAY") column.type = udt;
      columns.push_back(column);
    }
    return columns;
  }
  static constexpr char kTables[] = "definitions desired_lrps rolls roll_history roll_steps actual_lrps events";
  static std::vector<std::string> Tables() {
    std::istringstream words(kTables);
    return {std::istream_iterator<std::string>(words), {}};
  }
  static std::string OfIt(const std::string& table) {
    const std::string guid = " = '" + std::string(kBroken) + "'";
    if (table != "roll_steps") return " WHERE process_guid" + guid;
    return " WHERE roll_id IN (SELECT roll_id FROM kept_rolls UNION SELECT roll_id FROM kept_roll_history)";
  }
  // All rows of the app, as they are now.
  void Keep() {
    for (const char* table :
         {"rolls", "roll_history", "definitions", "desired_lrps", "actual_lrps", "events", "roll_steps"}) {
      Sql("CREATE TABLE kept_" + std::string(table) + " AS SELECT * FROM " + table + OfIt(table));
    }
  }
  // The foreign keys are not asked meanwhile; the planner may come in between.
  void PutBack() {
    std::string script = "SET LOCAL session_replication_role = replica;";
    for (const std::string& table : Tables()) {
      script += "DELETE FROM " + table + OfIt(table) + "; INSERT INTO " + table +
                " OVERRIDING SYSTEM VALUE SELECT * FROM kept_" + table + ";";
    }
    ASSERT_TRUE(Eventually([&] { return Try(script); })) << script;
  }
  bool Break(const Column& column, const std::string& value) {
    return Try("SET LOCAL session_replication_role = replica; UPDATE " + column.table + " SET " + column.name +
               " = " + value + OfIt(column.table));
  }

  std::map<std::string, Seen> ReadAll() {
    std::map<std::string, Seen> all;
    ReadListsOfV2(service, all);
    ReadListsOfV1(service, {"a", kBroken, "z"}, all);
    v2::SubscribeRequest snapshot, resumed;
    snapshot.set_snapshot(true);
    resumed.set_after_sequence(0);
    all["Subscribe, a snapshot"] = Follow(snapshot);
    all["Subscribe, resumed"] = Follow(resumed);
    return all;
  }
  // Until all that there was has been told.
  Seen Follow(const v2::SubscribeRequest& request) {
    Seen seen;
    const auto context = Context();
    const auto reader = service.events->Subscribe(context.get(), request);
    for (v2::SubscribeResponse page; reader->Read(&page);) {
      for (const auto& one : page.snapshot().desired_lrps()) seen.listed.insert(one.process_guid());
      for (const auto& event : page.events()) seen.listed.insert(event.process_guid());
      TakeNamed(page.snapshot(), seen);
      if (!(request.snapshot() ? page.snapshot_complete() : page.caught_up())) continue;
      context->TryCancel();
      (void)reader->Finish();
      return seen;
    }
    seen.status = reader->Finish();
    return seen;
  }
  // Those of another app alone.
  std::map<std::string, grpc::Status> AskOfAnother() {
    std::map<std::string, grpc::Status> all;
    v2::GetDesiredLRPRequest get;
    get.set_process_guid("a");
    v2::GetDesiredLRPResponse desired;
    all["GetDesiredLRP"] = service.apps->GetDesiredLRP(Context().get(), get, &desired);
    v2::GetRollRequest roll;
    roll.set_process_guid("a");
    roll.set_with_steps(true);
    v2::GetRollResponse got;
    all["GetRoll"] = service.rolls->GetRoll(Context().get(), roll, &got);
    v2::ExplainRollRequest explain;
    explain.set_process_guid("a");
    v2::ExplainRollResponse explained;
    all["ExplainRoll"] = service.rolls->ExplainRoll(Context().get(), explain, &explained);
    v2::UpdateDesiredLRPRequest update;
    update.set_process_guid("a");
    update.mutable_update()->set_annotation("another " + std::to_string(++updates_));
    all["UpdateDesiredLRP"] = service.Update(update);
    v2::ConvergenceRequest run;
    run.set_run(true);
    v2::ConvergenceResponse report;
    all["Convergence"] = service.admin->Convergence(Context().get(), run, &report);
    if (report.failed() > 0) all["Convergence"] = {grpc::StatusCode::INTERNAL, report.last_failure()};
    return all;
  }
  // Those of the broken one: an answer, whichever.
  void AskOfIt() {
    v2::GetDesiredLRPRequest get;
    get.set_process_guid(kBroken);
    v2::GetDesiredLRPResponse desired;
    ExpectAnswer("GetDesiredLRP", service.apps->GetDesiredLRP(Context().get(), get, &desired));
    v2::GetRollRequest roll;
    roll.set_process_guid(kBroken);
    roll.set_with_steps(true);
    v2::GetRollResponse got;
    ExpectAnswer("GetRoll", service.rolls->GetRoll(Context().get(), roll, &got));
    v2::ExplainRollRequest explain;
    explain.set_process_guid(kBroken);
    v2::ExplainRollResponse explained;
    ExpectAnswer("ExplainRoll", service.rolls->ExplainRoll(Context().get(), explain, &explained));
  }
  static void ExpectAnswer(const std::string& path, const grpc::Status& status) {
    EXPECT_NE(status.error_code(), grpc::StatusCode::UNAVAILABLE) << path << ": " << status.error_message();
    EXPECT_NE(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED) << path;
    EXPECT_NE(status.error_code(), grpc::StatusCode::UNKNOWN) << path << ": " << status.error_message();
  }
  // What baton-definitions prints of the whole database. Not as a program of its own: its start takes 60 ms of CPU, and there are
  // two for each damage (tests/tools/definitions has the program).
  struct Dump {
    int code;
    std::string out;
  };
  Dump Dumped(bool check) {
    definitions::DefinitionsOptions options;
    options.database = service.url();
    options.keys = keys_;
    options.output = "json";
    options.check = check;
    std::ostringstream out;
    const int code = definitions::RunDefinitions(options, {out, out});
    return {code, out.str()};
  }
  // Every path, with this row as it is: none of the others is lost, and each says what it leaves out.
  void ExpectOthersUnharmed() {
    bool named = false;
    for (const auto& [path, seen] : ReadAll()) {
      ++reads_;
      EXPECT_TRUE(seen.status.ok()) << path << ": " << seen.status.error_message();
      for (const char* other : {"a", "z"}) EXPECT_TRUE(seen.listed.contains(other)) << path << " lost " << other;
      const bool named_here = seen.named.find(kBroken) != std::string::npos;
      EXPECT_TRUE(seen.listed.contains(kBroken) || named_here) << path << " says nothing of it: " << seen.named;
      named = named || named_here;
    }
    for (const auto& [path, status] : AskOfAnother()) {
      ++reads_;
      EXPECT_TRUE(status.ok()) << path << " of another: " << status.error_message();
    }
    AskOfIt();
    const Dump list = Dumped(/*check=*/false);
    for (const char* other : {"a", "z"}) {
      const std::string its = "\"process_guid\":\"" + std::string(other) + "\"";
      EXPECT_NE(list.out.find(its), list.out.npos) << "the dump lost " << other << list.out;
    }
    const Dump check = Dumped(/*check=*/true);
    EXPECT_LE(check.code, 1) << check.out;
    EXPECT_TRUE(!named || check.code == 1) << "--check finds nothing: " << check.out;
    // What an event cannot show is told in its place, by whom it is of; no list has events.
    const bool of_events = check.out.find("events.payload") != check.out.npos;
    const bool unreadable = !of_events && (check.out.find(" parse") != check.out.npos || check.out.find("is no run info") != check.out.npos);
    EXPECT_TRUE(named || !unreadable) << "no list names what --check cannot read: " << check.out;
    reads_ += 5;
  }

  std::unique_ptr<Session> session_;
  std::string keys_;  // file of the service's
  int updates_ = 0;
  int reads_ = 0;
};

// A way to break a column: SQL, with % for it.
struct Damage {
  const char* name;
  const char* sql;
};

// Envelopes are "BT", format, kind, payload (orchestrator/crypto/envelope.h).
inline constexpr Damage kWaysOfBlobs[] = {
    {"cut by a byte", "substr(%, 1, greatest(length(%) - 1, 0))"},
    {"a byte more", "% || '\\xff'"},
    {"its last byte turned",
     "CASE WHEN length(%) > 4 THEN set_byte(%, length(%) - 1, 255 - get_byte(%, length(%) - 1)) ELSE % END"},
    {"its first byte turned", "CASE WHEN length(%) > 4 THEN set_byte(%, 4, 255 - get_byte(%, 4)) ELSE % END"},
    {"its middle no UTF-8", "CASE WHEN length(%) > 8 THEN set_byte(%, length(%) - 3, 255) ELSE % END"},
    {"no UTF-8 at all", "'\\x42540100fffefd'"},
    {"no envelope", "'\\x00'"},
    {"nothing", "''"},
    {"sealed by a key that nobody has",
     "'\\x42540201610102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'"},
};

// By the type of a column.
inline const std::map<std::string, std::vector<Damage>>& WaysOf() {
  static const std::map<std::string, std::vector<Damage>> kWays = {
      {"bytea", {std::begin(kWaysOfBlobs), std::end(kWaysOfBlobs)}},
      {"text", {{"empty", "''"}, {"long", "repeat('x', 100000)"}, {"odd", "E'\\x01\\x7f\\n\"'"}, {"NULL", "NULL"}}},
      {"integer", {{"0", "0"}, {"negative", "-1"}, {"large", "2147483647"}, {"NULL", "NULL"}}},
      {"uuid",
       {{"another", "gen_random_uuid()"}, {"none", "'00000000-0000-0000-0000-000000000000'"}, {"NULL", "NULL"}}},
      {"smallint", {{"0", "0"}, {"negative", "-1"}, {"large", "32767"}}},
      {"bigint", {{"0", "0"}, {"negative", "-1"}, {"large", "9223372036854775807"}, {"NULL", "NULL"}}},
      {"boolean", {{"the other", "NOT %"}}},
      {"timestamp_with_time_zone",
       {{"never", "'infinity'"},
        {"always", "'-infinity'"},
        {"far", "'294000-01-01'"},
        {"long ago", "'4000-01-01 BC'"},
        {"NULL", "NULL"}}},
      {"_text",
       {{"empty", "'{}'"}, {"holes", "'{NULL,\"\",x}'"}, {"square", "'{{a,b},{c,d}}'"}, {"from 5", "'[5:5]={x}'"}}},
      {"_int8",
       {{"empty", "'{}'"},
        {"holes", "'{NULL,8080}'"},
        {"square", "'{{1,2},{3,4}}'"},
        {"from 5", "'[5:5]={7}'"},
        {"odd", "'{-1,9223372036854775807}'"}}},
  };
  return kWays;
}

inline std::string With(std::string sql, const std::string& column) {
  for (std::size_t at = 0; (at = sql.find('%', at)) != sql.npos; at += column.size()) sql.replace(at, 1, column);
  return sql;
}

}  // namespace baton
