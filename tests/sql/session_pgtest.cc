// libpqxx's traps, each closed: invariants M5-M7, D4, D5.
#include "sql/session/session.h"

#include <gtest/gtest.h>

#include <barrier>
#include <functional>
#include <map>
#include <thread>

#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/test_postgres.h"

namespace baton {
namespace {

// Runs in one transaction and commits; anything that fails, fails the test.
void Commit(Session& session, const std::function<void(Session&)>& body) {
  const SessionError error = session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    body(s);
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
}

// "Could not obtain client encoding: not connected" says neither.
void ExpectStateOrEnd(const SessionError& error) {
  EXPECT_TRUE(error.sqlstate.size() == 5 || error.detail.starts_with("the connection ended: ")) << error.detail;
  EXPECT_NE(error.fault, Fault::kOther) << error.detail;
}

std::string Array(const std::vector<std::string>& texts) {
  ArrayParam array;
  for (const auto& text : texts) array.Text(text);
  return array.str();
}

void AppendUtf8(char32_t c, std::string& text) {
  if (c < 0x80) {
    text += static_cast<char>(c);
    return;
  }
  const unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  constexpr unsigned kLead[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(kLead[more] | (c >> (6 * more)));
  for (unsigned left = more; left-- > 0;) text += static_cast<char>(0x80 | (c >> (6 * left) & 0x3F));
}

// All characters that a text may hold, in pieces: everything but NUL and the surrogates.
std::vector<std::string> EveryCharacter() {
  std::vector<std::string> texts;
  for (char32_t c = 1; c <= 0x10FFFF; ++c) {
    if (c == 1 || c % 0x4000 == 0) texts.emplace_back();
    if (c < 0xD800 || c > 0xDFFF) AppendUtf8(c, texts.back());
  }
  return texts;
}

const std::vector<std::string> kAwkward = {"",
                                           "NULL",
                                           "null",
                                           "{}",
                                           "{a,b}",
                                           "a\\b\"c,d{e}f\ng'h",
                                           "\\",
                                           "\"",
                                           " a ",
                                           "\\x00",
                                           "\\x4254",
                                           "%s$1?",
                                           "';--",
                                           "\t\r\x01\x7f",
                                           "\xc3\xa4",
                                           "\xef\xbb\xbf"
                                           "bom",
                                           "\xe2\x80\xae"
                                           "right to left"};

TEST(Session, EveryByteComesBackAsItWas) {
  auto session = OpenSession(MigratedDatabase());
  std::vector<std::string> blobs = {"", std::string(1, '\0'), std::string(3, '\0'), "\\x00\"{},NULL'"};
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    blobs.emplace_back(1, static_cast<char>(byte));
    all += static_cast<char>(byte);
  }
  for (std::size_t i = 0; i < 256; ++i) blobs.push_back(all + all.substr(i));
  std::vector<std::string> keys;
  ArrayParam bytes;
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    keys.push_back("key-" + std::to_string(i));
    bytes.Bytes(blobs[i]);
  }
  const std::string empty = Array(std::vector<std::string>(blobs.size()));
  Commit(*session, [&](Session& s) { s.Run("InsertAnswers", {Array(keys), empty, empty, bytes.str()}); });
  std::map<std::string, std::string> back;
  Commit(*session, [&](Session& s) {
    for (const auto row : s.Run("ReadAnswers", {Array(keys)})) back[row.Text("idempotency_key")] = row.Bytes("answer");
  });
  ASSERT_EQ(back.size(), blobs.size());
  for (std::size_t i = 0; i < blobs.size(); ++i) EXPECT_EQ(back.at(keys[i]), blobs[i]) << i;
}

TEST(Session, EveryCharacterComesBackAsItWas) {
  auto session = OpenSession(MigratedDatabase());
  std::vector<std::string> texts = EveryCharacter();
  texts.insert(texts.end(), kAwkward.begin(), kAwkward.end());
  std::vector<std::string> keys;
  ArrayParam bytes;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    keys.push_back("key-" + std::to_string(i));
    bytes.Bytes("");
  }
  const std::string empty = Array(std::vector<std::string>(texts.size()));
  std::map<std::string, std::string> back;
  Commit(*session, [&](Session& s) { s.Run("InsertAnswers", {Array(keys), empty, Array(texts), bytes.str()}); });
  Commit(*session, [&](Session& s) {
    for (const auto row : s.Run("ReadAnswers", {Array(keys)})) back[row.Text("idempotency_key")] = row.Text("request_hash");
  });
  ASSERT_EQ(back.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_TRUE(back.at(keys[i]) == texts[i]) << i;
}

// A cell's row has single texts and arrays of texts.
void WriteCell(Session& session, const std::string& id, const std::string& text, const std::vector<std::string>& list) {
  const std::string array = Array(list);
  Commit(session, [&](Session& s) {
    s.Run("UpsertCell", {id, text, text, "1", "2", "3", "4", array, array, "{}", "{}", text, "60000"});
  });
}

TEST(Session, SingleTextsAndArraysOfTextsComeBackAsTheyWere) {
  auto session = OpenSession(MigratedDatabase());
  const std::string most = EveryCharacter().front() + "\xf0\x9f\x9a\x80";
  WriteCell(*session, "cell", most, kAwkward);
  WriteCell(*session, "empty", "", {});
  Commit(*session, [&](Session& s) {
    const Rows rows = s.Run("ListCells");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_TRUE(rows[0].Text("zone") == most);
    EXPECT_EQ(rows[0].Array("stacks"), kAwkward);
    EXPECT_EQ(rows[0].Int("containers"), 4);
    EXPECT_EQ(rows[1].Text("zone"), "");
    EXPECT_TRUE(rows[1].Array("stacks").empty());
  });
}

// libpqxx itself would store what comes before a NUL.
TEST(Session, BytesThatAreNoTextAreRefusedInsteadOfStored) {
  auto session = OpenSession(MigratedDatabase());
  for (const std::string& text :
       {std::string("app\0-evil", 9), std::string(1, '\0'), std::string("\xff"), std::string("\xc0\xaf"),
        std::string("\xed\xa0\x80"), std::string("\xf4\x90\x80\x80"), std::string("\xc3")}) {
    const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      s.Run("UpsertConsumer", {"consumer", text, "1000"});
      return true;
    });
    EXPECT_EQ(error.fault, Fault::kConstraint);
    EXPECT_EQ(error.sqlstate, "22021");
  }
}

TEST(Session, AFailureWithinASavepointLeavesTheRestOfTheTransaction) {
  auto session = OpenSession(MigratedDatabase());
  SessionError inner;
  SessionError nested;
  std::size_t labels = 0;
  const SessionError outer = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.Run("InsertAudit", {"{a}", "{m}", "{g}", "{r}", "{o}"});
    inner = s.Savepoint([&](Session& in) {
      nested = in.Savepoint([](Session& deeper) { deeper.Run("WriteVersions", {"no number", ""}); });
      in.Run("WriteVersions", {"100", "2.0.0"});  // there is one already
    });
    labels = s.Run("DumpKeyLabels").size();
    return true;
  });
  EXPECT_TRUE(outer.ok()) << outer.detail;
  EXPECT_EQ(nested.sqlstate, "22P02");
  EXPECT_EQ(inner.constraint, "versions_pkey");
  EXPECT_EQ(labels, 0u);
}

TEST(Session, ANulInATextIsLoudInsteadOfCuttingItOff) {
  ArrayParam array;
  EXPECT_DEATH(array.Text(std::string_view("app\0-evil", 9)), "CHECK failed");
}

TEST(Session, ABrokenConnectionStaysBrokenInsteadOfReconnectingInSilence) {
  const std::string url = MigratedDatabase();
  auto session = OpenSession(url);
  auto killer = OpenSession(url);
  const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.Run("ReadNow");
    (void)killer->Transact(Session::Isolation::kReadCommitted, [](Session& k) {
      k.RunScript(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
          "AND pid <> pg_backend_pid()");
      return true;
    });
    s.Run("ReadNow");
    return true;
  });
  EXPECT_EQ(error.fault, Fault::kBroken) << error.detail;
  ExpectStateOrEnd(error);
  EXPECT_TRUE(session->broken());
  for (int again = 0; again < 4; ++again) {
    const SessionError later = session->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
      s.Run("ReadNow");
      return true;
    });
    EXPECT_FALSE(later.ok()) << "try " << again;
    ExpectStateOrEnd(later);
  }
}

// What libpq says itself has no SQLSTATE, and was taken for a refusal of the server's: callers were told INTERNAL, and
// a session went on with a connection that was dead.
TEST(Session, AServerThatDiesIsABrokenConnectionAndAtTheCommitADoubt) {
  TestPostgres postgres;
  const std::string url = postgres.NewDatabase();
  const auto write = [&](int n) {
    const auto session = OpenSession(url);
    postgres.DieBefore(n);
    const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
      s.RunScript("CREATE TABLE IF NOT EXISTS written ()");
      s.RunScript("INSERT INTO written DEFAULT VALUES");
      return true;
    });
    EXPECT_TRUE(postgres.StopDying());
    EXPECT_TRUE(session->broken()) << n;
    ExpectStateOrEnd(error);
    return error.fault;
  };
  EXPECT_EQ(write(1), Fault::kBroken);
  EXPECT_EQ(write(2), Fault::kBroken);
  EXPECT_EQ(write(3), Fault::kInDoubt);
}

// The server's own words for it: libpqxx 6 has classes of their own for some of them, which are no sql_error.
TEST(Session, WhatMayPassTheNextTimeIsTriedAgain) {
  const auto session = OpenSession(FreshDatabase());
  for (const char* sqlstate : {"40001", "40P01", "55P03", "57014"}) {
    const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      s.RunScript(std::string("DO $$ BEGIN RAISE SQLSTATE '") + sqlstate + "'; END $$");
      return true;
    });
    EXPECT_EQ(error.fault, Fault::kTryAgain) << sqlstate << ": " << error.detail;
    EXPECT_EQ(error.sqlstate, sqlstate);
  }
}

TEST(Session, ADeadlockIsOneThatIsTriedAgain) {
  const std::string url = FreshDatabase();
  const auto one = OpenSession(url), other = OpenSession(url);
  const auto lock = [](Session& s, int number) {
    s.RunScript("SET LOCAL deadlock_timeout = '20ms'; SELECT pg_advisory_xact_lock(" + std::to_string(number) + ")");
  };
  std::barrier both_hold_one(2);
  const auto cross = [&](Session& session, int first, int second) {
    return session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      lock(s, first);
      both_hold_one.arrive_and_wait();
      lock(s, second);
      return true;
    });
  };
  SessionError theirs;
  std::thread thread([&] { theirs = cross(*other, 2, 1); });
  const SessionError ours = cross(*one, 1, 2);
  thread.join();
  EXPECT_NE(ours.ok(), theirs.ok()) << "one of them is ended, and the other goes on";
  EXPECT_EQ((ours.ok() ? theirs : ours).fault, Fault::kTryAgain);
  EXPECT_EQ((ours.ok() ? theirs : ours).sqlstate, "40P01");
}

TEST(Session, NamesTheConstraintThatWasBroken) {
  auto session = OpenSession(MigratedDatabase());
  const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    s.RunScript(
        "INSERT INTO rolls (process_guid, incarnation, roll_id, target_definition, state, reason, revision, "
        "opened_at, deadline, counted_from, refused, actor, strategy) VALUES ('a', 1, 'r', 'd', 'ROLLING_BACK', '', 0, "
        "now(), now(), 0, false, '', '')");
    return true;
  });
  EXPECT_EQ(error.fault, Fault::kConstraint);
  EXPECT_EQ(error.sqlstate, "23514");
  EXPECT_EQ(error.constraint, "rolls_back_to_something");
}

TEST(Session, TimesComeBackToTheMicrosecond) {
  auto session = OpenSession(MigratedDatabase());
  const std::vector<std::int64_t> times = {0,
                                           1,
                                           -1,
                                           999'999,
                                           1'000'000,
                                           1'795'210'445'123'457,
                                           1'795'210'445'100'000,
                                           1'795'210'445'000'001,
                                           951'868'799'999'999,     // the last of 29 February 2000
                                           4'102'444'799'999'999};  // the last of 2099
  ArrayParam roll;
  ArrayParam sequences;
  ArrayParam at;
  ArrayParam zero;
  for (std::size_t i = 0; i < times.size(); ++i) {
    roll.Text("roll");
    sequences.Int(static_cast<std::int64_t>(i) + 1);
    at.Time(FromMicros(times[i]));
    zero.Int(0);
  }
  const std::string empty = Array(std::vector<std::string>(times.size()));
  Commit(*session, [&](Session& s) {
    s.Run("InsertRollSteps", {roll.str(), sequences.str(), at.str(), empty, zero.str(), empty, empty, empty, empty,
                              zero.str(), zero.str()});
  });
  Commit(*session, [&](Session& s) {
    const Rows rows = s.Run("ReadSteps", {"roll", "0", "100"});
    ASSERT_EQ(rows.size(), times.size());
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(Micros(rows[i].Time("at")), times[i]);
  });
}

TEST(Session, NoTimeComesBackAsNoTime) {
  auto session = OpenSession(MigratedDatabase());
  ArrayParam proven;
  proven.Time(std::optional<TimePoint>());
  proven.Time(std::optional(FromMicros(7)));
  Commit(*session, [&](Session& s) {
    s.RunScript(
        "INSERT INTO definitions SELECT 'app', 1, 'v' || i, repeat('0', 64), 0, 0, 0, '', '{}', '{}', '{}', 0, "
        "'', now(), now() FROM generate_series(1, 2) i");
    s.Run("UpdateDefinitions", {"{app,app}", "{1,1}", "{v1,v2}", proven.str(), "{f,t}", "{\"{}\",\"{8080,9090}\"}"});
  });
  Commit(*session, [&](Session& s) {
    const Rows rows = s.Run("ReadDefinitions", {"{app}"});
    ASSERT_EQ(rows.size(), 2u);
    for (const auto row : rows) {
      const bool first = row.Text("definition_identifier") == "v1";
      EXPECT_EQ(row.OptionalTime("proven_at"), first ? std::nullopt : std::optional(FromMicros(7)));
      EXPECT_EQ(row.Bool("pinned"), !first);
      EXPECT_EQ(row.Array("port_aliases").size(), first ? 0u : 2u);
    }
  });
}

// What the database prints of its own clock is read right, whatever time zone it was set to.
TEST(Session, TheDatabasesClockIsReadInUtc) {
  const std::string url = MigratedDatabase();
  Commit(*OpenSession(url), [](Session& s) {
    s.RunScript(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET TimeZone = %L', current_database(), "
        "'Asia/Kathmandu'); END $$");
  });
  Commit(*OpenSession(url), [](Session& s) {
    const auto here = std::chrono::system_clock::now();
    const auto there = s.Run("ReadNow")[0].Time();
    EXPECT_LT(std::chrono::abs(there - here), std::chrono::minutes(1));
  });
}

}  // namespace
}  // namespace baton
