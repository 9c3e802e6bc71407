// What is written goes along with its COMMIT: its faults come there, its order stays, and a connection that goes in
// between leaves a doubt only about what was sent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sql/session/binary_array.h"
#include "sql/session/kept_session.h"
#include "sql/session/session.h"
#include "tests/fakes/commit_cutter.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/test_postgres.h"

namespace baton {
namespace {

using Isolation = Session::Isolation;
using ::testing::UnorderedElementsAre;

std::string Keys(const std::vector<std::string>& keys) {
  BinaryArray array;
  for (const std::string& key : keys) array.Text(key);
  return array.str();
}

// A row of idempotency_keys for each key; the answer is what is given, or "a".
void WriteAnswers(Session& session, const std::vector<std::string>& keys,
                  const std::map<std::string, std::string>& given = {}) {
  BinaryArray methods, hashes, answers;
  for (const std::string& key : keys) {
    methods.TextOrNull("m");
    hashes.Text("h");
    answers.Bytes(given.contains(key) ? given.at(key) : "a");
  }
  session.Write("InsertAnswers", {Keys(keys), methods.str(), hashes.str(), answers.str()}, Format::kBinary);
}

std::map<std::string, std::string> AnswersIn(Session& session) {
  std::map<std::string, std::string> answers;
  (void)session.Transact(Isolation::kReadCommitted, [&](Session& s) {
    for (const auto row : s.RunScript("SELECT idempotency_key, answer FROM idempotency_keys"))
      answers[row.Text("idempotency_key")] = row.Bytes("answer");
    return true;
  });
  return answers;
}

std::vector<std::string> KeysIn(Session& session) {
  std::vector<std::string> keys;
  for (const auto& [key, answer] : AnswersIn(session)) keys.push_back(key);
  return keys;
}

TEST(Pipe, EveryByteThatIsWrittenComesBackAsItWas) {
  const auto session = OpenSession(MigratedDatabase());
  std::map<std::string, std::string> wanted = {{"none", ""}, {"nul", std::string(3, '\0')}};
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    all += static_cast<char>(byte);
    wanted["up to " + std::to_string(byte)] = all;
  }
  wanted["quotes \" ' \\ {a,b} NULL"] = "\\x00\"{},NULL'";
  std::vector<std::string> keys;
  for (const auto& [key, answer] : wanted) keys.push_back(key);
  const SessionError error = session->Transact(Isolation::kReadCommitted, [&](Session& s) {
    WriteAnswers(s, keys, wanted);
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
  EXPECT_EQ(AnswersIn(*session), wanted);
}

TEST(Pipe, WhatIsReadSeesWhatWasWrittenBefore) {
  const auto session = OpenSession(MigratedDatabase());
  const SessionError error = session->Transact(Isolation::kReadCommitted, [](Session& s) {
    WriteAnswers(s, {"one"});
    EXPECT_EQ(s.Run("ReadAnswers", {"{one,two}"}).size(), 1u);
    WriteAnswers(s, {"two"});
    EXPECT_EQ(s.RunScript("SELECT * FROM idempotency_keys").size(), 2u);
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
  EXPECT_THAT(KeysIn(*session), UnorderedElementsAre("one", "two"));
}

TEST(Pipe, AWriteThatIsRefusedTakesAllOfItsTransactionAndIsNamed) {
  const auto session = OpenSession(MigratedDatabase());
  bool ran = false;
  const SessionError error = session->Transact(Isolation::kReadCommitted, [&](Session& s) {
    WriteAnswers(s, {"one"});
    WriteAnswers(s, {"one"});
    WriteAnswers(s, {"two"});
    return ran = true;
  });
  EXPECT_TRUE(ran);  // nothing was sent before
  EXPECT_EQ(error.fault, Fault::kConstraint);
  EXPECT_EQ(error.sqlstate, "23505");
  EXPECT_EQ(error.constraint, "idempotency_keys_pkey");
  EXPECT_FALSE(session->broken());
  EXPECT_THAT(KeysIn(*session), ::testing::IsEmpty());
}

TEST(Pipe, WhatWaitsIsForgottenWithItsTransaction) {
  const auto session = OpenSession(MigratedDatabase());
  const SessionError error = session->Transact(Isolation::kReadCommitted, [](Session& s) {
    WriteAnswers(s, {"one"});
    return false;
  });
  EXPECT_TRUE(error.ok());
  const SessionError next = session->Transact(Isolation::kReadCommitted, [](Session& s) {
    WriteAnswers(s, {"two"});
    return true;
  });
  EXPECT_TRUE(next.ok()) << next.detail;
  EXPECT_THAT(KeysIn(*session), UnorderedElementsAre("two"));
}

TEST(Pipe, WhatASavepointHoldsFailsWithinIt) {
  const auto session = OpenSession(MigratedDatabase());
  SessionError inner;
  const SessionError outer = session->Transact(Isolation::kReadCommitted, [&](Session& s) {
    WriteAnswers(s, {"before"});
    inner = s.Savepoint([](Session& part) {
      WriteAnswers(part, {"within"});
      WriteAnswers(part, {"before"});
    });
    WriteAnswers(s, {"behind"});
    return true;
  });
  EXPECT_EQ(inner.sqlstate, "23505");
  EXPECT_TRUE(outer.ok()) << outer.detail;
  EXPECT_THAT(KeysIn(*session), UnorderedElementsAre("before", "behind"));
}

TEST(Pipe, EachAloneIsWrittenAtOnce) {
  const auto session = OpenSession(MigratedDatabase());
  const SessionError error = session->Transact(Isolation::kEachAlone, [](Session& s) {
    WriteAnswers(s, {"one"});
    WriteAnswers(s, {"one"});
    return true;
  });
  EXPECT_EQ(error.sqlstate, "23505");
  EXPECT_THAT(KeysIn(*session), UnorderedElementsAre("one"));
}

// A text among what is bound as an array of another type: PostgreSQL would read anything out of it.
TEST(Pipe, AnArrayOfAnotherTypeIsRefused) {
  const auto session = OpenSession(MigratedDatabase());
  const SessionError error = session->Transact(Isolation::kReadCommitted, [](Session& s) {
    BinaryArray numbers;
    numbers.Int(1);
    s.Write("InsertAnswers", {numbers.str(), Keys({"m"}), Keys({"h"}), Keys({"a"})}, Format::kBinary);
    return true;
  });
  EXPECT_EQ(error.sqlstate, "42804") << error.detail;
}

// It was sent with the COMMIT, but had not been sent at all when the server went.
TEST(Pipe, WhatWasNeverSentIsNotInDoubt) {
  TestPostgres postgres;
  const std::string url = postgres.NewDatabase();
  const auto session = OpenSession(url);
  (void)session->Transact(Isolation::kReadCommitted, [](Session& s) {
    s.RunScript(
        "CREATE TABLE audit (at timestamptz, actor text, method text, process_guid text, request_id text, outcome "
        "text)");
    return true;
  });
  postgres.DieBefore(2);  // the COMMIT
  const SessionError error = session->Transact(Isolation::kReadCommitted, [](Session& s) {
    s.Write("InsertAudit", {"{a}", "{m}", "{g}", "{r}", "{o}"});
    return true;
  });
  EXPECT_TRUE(postgres.StopDying());
  EXPECT_EQ(error.fault, Fault::kBroken) << error.detail;
  EXPECT_TRUE(session->broken());
}

// Whoever used it first after that was told that the database is away, although it was there.
TEST(Pipe, AConnectionThatTheServerClosedWhileNobodyUsedItIsOpenedAnew) {
  const std::string url = MigratedDatabase();
  KeptSession kept(url, PlainCipher());
  const auto backend = [&] {
    std::string pid;
    const SessionError error = (*kept.Get())->Transact(Isolation::kEachAlone, [&](Session& s) {
      pid = s.RunScript("SELECT pg_backend_pid()")[0].Text();
      return true;
    });
    EXPECT_TRUE(error.ok()) << error.detail;
    return pid;
  };
  const std::string first = backend();
  EXPECT_EQ(backend(), first);
  const auto other = OpenSession(url);
  const SessionError error = other->Transact(Isolation::kEachAlone, [&](Session& s) {
    // Waits until it is gone.
    return s.RunScript("SELECT pg_terminate_backend(" + first + ", 10000)")[0].Bool();
  });
  EXPECT_TRUE(error.ok()) << error.detail;
  EXPECT_NE(backend(), first);
}

// A warning, or a parameter that was set anew, is not the end.
TEST(Pipe, AConnectionOnWhichTheServerSaysSomethingStays) {
  const std::string url = MigratedDatabase();
  const auto session = OpenSession(url);
  const SessionError listens =
      session->Transact(Isolation::kEachAlone, [](Session& s) { return s.RunScript("LISTEN word"), true; });
  EXPECT_TRUE(listens.ok()) << listens.detail;
  (void)OpenSession(url)->Transact(Isolation::kEachAlone, [](Session& s) { return s.RunScript("NOTIFY word"), true; });
  EXPECT_FALSE(session->Ended());
  const SessionError error = session->Transact(Isolation::kReadCommitted, [](Session& s) {
    WriteAnswers(s, {"one"});
    return true;
  });
  EXPECT_TRUE(error.ok()) << error.detail;
  EXPECT_THAT(KeysIn(*session), UnorderedElementsAre("one"));
}

// Of what the server answers to a batch and its COMMIT, any number of bytes arrives, and then the connection goes.
// Whatever they were, it is in doubt or known to be done, and it was.
TEST(Pipe, AnAnswerThatIsCutAnywhereIsNeverAFailure) {
  const std::string url = MigratedDatabase();
  CommitCutter cutter(url, "InsertAnswers");
  const auto reader = OpenSession(url);
  std::size_t known = 0;
  int bytes = 0;
  for (bool whole = false; !whole; bytes += 3) {
    const std::string key = "after " + std::to_string(bytes);
    const auto session = OpenSession(cutter.url());
    cutter.CutNext(CommitCutter::Cut::kAfter, bytes);
    const SessionError error = session->Transact(Isolation::kReadCommitted, [&](Session& s) {
      WriteAnswers(s, {key});
      WriteAnswers(s, {key + " again"});
      return true;
    });
    ASSERT_TRUE(cutter.cut());
    EXPECT_TRUE(error.ok() || error.fault == Fault::kInDoubt) << bytes << ": " << error.detail;
    EXPECT_TRUE(session->broken() || error.ok());
    EXPECT_EQ(AnswersIn(*reader).count(key), 1u) << bytes;
    if (error.ok()) ++known;
    whole = cutter.passed_all();
    ASSERT_LT(bytes, 10'000);
  }
  EXPECT_GT(bytes, 30);
  EXPECT_GE(known, 1u);
}

}  // namespace
}  // namespace baton
