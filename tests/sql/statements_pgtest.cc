// The statements of sql/statements/*.sql as a whole: each fits the schema, each is used.
#include "sql/session/statements.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "embedded_legacy_migrations.h"
#include "schema/migrator/shipped.h"
#include "tests/fakes/pg_fixture.h"

namespace baton {
namespace {

// Beside Baton's newest tables: those of 1.x, and Diego's as far as they have names of their own.
void MakeOtherTables(Session& session) {
  const SessionError error = session.Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    s.RunScript("CREATE SCHEMA scratch");
    s.Run("SetSearchPath", {"scratch"});
    for (const auto& file : legacy_migrations::Files()) s.RunScript(std::string(file.text));
    s.Run("SetSearchPath", {"public"});
    s.Run("MakeLegacyTriggers");
    s.RunScript("CREATE TABLE tasks (guid text); CREATE TABLE configurations (id text, value text)");
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
}

std::size_t Count(const std::string& text, const std::string& words) {
  std::size_t count = 0;
  for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++count;
  return count;
}

TEST(Statements, EachFitsTheSchema) {
  auto session = OpenSession(MigratedDatabase());
  MakeOtherTables(*session);
  const SessionError error = session->PrepareAll();
  EXPECT_TRUE(error.ok()) << error.detail;
  EXPECT_GT(Statements().size(), 80u);
}

// Made on empty tables, as they are where a batond is the first one, a plan that scans would be kept until somebody analyzes.
TEST(Statements, KeyLookupsNeverScan) {
  const auto session = Session::Open(MigratedDatabase(), PlainCipher(), Session::Plans::kPoints);
  ASSERT_TRUE(session);
  const std::map<std::string, std::string> kLookups = {{"LockDesired", "'{a}'"},
                                                       {"LockRolls", "'{a}'"},
                                                       {"ReadSlotLogs", "'{a}', '{r}', '{0}'"},
                                                       {"ReadPastRolls", "'{a}', 20"},
                                                       {"ReadDefinitions", "'{a}'"},
                                                       {"ReadGuardedActuals", "'{a}'"},
                                                       {"ReadWrittenActuals", "'{a}', '{3}', '{s}'"},
                                                       {"LockInstances", "'{i}'"},
                                                       {"DeleteActuals", "'{i}', '{1}'"},
                                                       {"ReadAnswers", "'{k}'"},
                                                       {"GetDesired", "'{a}'"},
                                                       {"FindApp", "'i'"},
                                                       {"DesiredSince", "'a', 'b', '3', ''"},
                                                       {"DesiredThere", "'a', 'b'"},
                                                       {"ActualsSince", "'a', 'i', 'b', 'i', '3', ''"},
                                                       {"ActualsThere", "'a', 'i', 'b', 'i'"},
                                                       {"ReadActualsById", "'{i}'"},
                                                       {"ReadRoutedAppsOf", "'{a}'"},
                                                       {"ReadRoutedDefinitionsOf", "'{a}'"},
                                                       {"ReadRoutedActualsOf", "'{a}'"},
                                                       {"AppsOfEventsAfter", "3"},
                                                       {"ReadSteps", "'r', 0, 10"},
                                                       {"ReadLatestFinishedRoll", "'a'"},
                                                       {"ReadOpenRollOfApp", "'a'"}};
  const SessionError error = (*session)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    for (const auto& [name, parameters] : kLookups) {
      s.RunScript("PREPARE test_" + name + " AS " + Statement(name));
      std::string plan;
      for (const auto row : s.RunScript("EXPLAIN EXECUTE test_" + name + "(" + parameters + ")")) plan += row.Text() + "\n";
      EXPECT_EQ(plan.find("Seq Scan"), plan.npos) << name << "\n" << plan;
      EXPECT_NE(plan.find("Index Cond"), plan.npos) << name << "\n" << plan;
      EXPECT_LE(Count(plan, "Scan using "), Count(plan, "Index Cond")) << name << " reads all of an index\n" << plan;
    }
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
}

TEST(Statements, EachHasATextOfItsOwn) {
  std::map<std::string, std::string> names;
  for (const auto& [name, text] : Statements()) {
    EXPECT_NE(text.find(';'), text.find_first_of(" \n;")) << name << " is empty";
    const auto [first, fresh] = names.emplace(text, name);
    EXPECT_TRUE(fresh) << name << " is the same as " << first->second;
  }
}

TEST(Statements, EachIsUsed) {
  std::string sources;
  std::string statements;  // some are part of others
  for (const auto& entry : std::filesystem::directory_iterator(BATON_SOURCE_DIR "/sql/statements")) {
    std::ifstream file(entry.path());
    statements.append(std::istreambuf_iterator<char>(file), {});
  }
  for (const char* folder : {"sql", "schema", "orchestrator", "convergence", "tools", "tests"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(BATON_SOURCE_DIR) + "/" + folder)) {
      if (entry.path().extension() != ".cc") continue;
      std::ifstream file(entry.path());
      sources.append(std::istreambuf_iterator<char>(file), {});
    }
  }
  // A migration's file names its copies, each of which has a count.
  for (const Migration& migration : ShippedMigrations()) {
    for (const MigrationStep& step : migration.steps) sources += '"' + step.name + "\" \"" + step.name + "Left\"";
  }
  for (const auto& [name, text] : Statements()) {
    const std::string called = name.substr(0, name.find('.'));  // those of each table are called by the part before it
    if (statements.find("{statement " + called + "}") != statements.npos) continue;
    EXPECT_NE(sources.find('"' + called + '"'), std::string::npos) << name << " is run by nothing: delete it";
  }
}

// A write of another program that nobody has compared yet keeps its mark.
TEST(Statements, OfTheAppsThatWereWrittenOnlyThoseThatWereSeenAreForgotten) {
  const auto session = OpenSession(MigratedDatabase());
  MakeOtherTables(*session);
  const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    s.RunScript("INSERT INTO legacy.changes (process_guid, foreign_write) VALUES ('a', true), ('b', true)");
    const std::string mark = s.Run("ListWrittenApps", {"1", "1", "f"})[0].Text("mark");
    s.Run("ForgetWrittenApps", {"{a}", "{" + mark + "}"});
    const Rows left = s.Run("ListWrittenApps", {"10", "1", "f"});
    EXPECT_TRUE(left.size() == 1 && left[0].Text("process_guid") == "b") << left.size();
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
}

}  // namespace
}  // namespace baton
