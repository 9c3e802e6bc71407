// Keys that are not the database's, blobs that do not open, keys that are used up: each is refused by name, and nothing is
// written.
#include <future>

#include "sql/store/pg_store.h"
#include "tests/schema/pg_tools.h"
#include "tests/sql/key_rotation_test.h"

namespace baton::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class KeysRefused : public KeyRotationTest {
 protected:
  // Neither does a process lead with these keys, nor does one take them that leads, and nothing was written.
  void ExpectRefused(const std::string& labels, const ::testing::Matcher<std::string>& sentence) {
    const std::string before = PgDump(url_, {});
    std::string refused;
    EXPECT_EQ(Lead(labels, &refused), nullptr);
    EXPECT_THAT(refused, sentence);
    const Status checked = CheckKeys(*OpenSession(url_), Ring(labels).get());
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().kind, ErrorKind::kFailedPrecondition);
    EXPECT_EQ(checked.error().message, refused);
    EXPECT_EQ(PgDump(url_, {}), before);
  }
  std::vector<std::string> Quarantined(PgKeyStore& store) {
    std::vector<std::string> named;
    const auto view = store.Look(false);
    EXPECT_TRUE(view);
    for (const QuarantinedBlob& blob : view->quarantine) named.push_back(blob.table + "." + blob.column + " of " + blob.key);
    return named;
  }
};

TEST_F(KeysRefused, AKeyThatSomeRowsNeedIsMissing) {
  Seed(5);
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  const auto missing = AllOf(HasSubstr("sealed with key a, which is not in the key file"), HasSubstr("put it back"));
  ExpectRefused("b", missing);
  ExpectRefused("-b", missing);
  const Status none = CheckKeys(*OpenSession(url_), nullptr);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("sealed with key a, which takes a key file (--keys)"));
}

// Taken out too early, while the rotation runs: the one that leads goes on with the keys that it has.
TEST_F(KeysRefused, AKeyIsTakenOutTooEarly) {
  Seed(10);
  const Blobs before = Read("a");
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  const auto process = Lead("ba");
  for (int step = 0; step < 4; ++step) ASSERT_TRUE(process->store->Step(3));
  WriteKeys("b");
  const Status reloaded = process->store->Reload();
  ASSERT_FALSE(reloaded);
  EXPECT_THAT(reloaded.error().message, HasSubstr("sealed with key a, which is not in the key file"));
  EXPECT_EQ(Finish(*process->store), RotationState::kDone);
  EXPECT_TRUE(process->store->Reload()) << "now it may go";
  EXPECT_EQ(Read("b"), before);
  EXPECT_EQ(Rotate("b"), RotationState::kDone) << "and a restart does without it";
}

// The same label with another key: every blob would fail, one by one.
TEST_F(KeysRefused, AWrongPassphrase) {
  Seed(3);
  const auto write = [&](const std::string& phrase) {
    std::ofstream(file_) << "passphrase p " << phrase << "\nactive p\n";
    return *KeyRing::Load(file_);
  };
  (void)Ring("a");  // the file is there, and nobody else's
  Process right;
  right.cipher.Use(write("correct horse battery staple"), 0);
  right.store = std::make_unique<PgKeyStore>(url_, file_, right.cipher, log_);
  ASSERT_TRUE(right.store->Lead({"leader", 1}));
  ASSERT_EQ(Finish(*right.store), RotationState::kDone);
  const std::string before = PgDump(url_, {});
  const auto wrong = write("incorrect horse battery staple");
  const Status checked = CheckKeys(*OpenSession(url_), wrong.get());
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message,
              AllOf(HasSubstr("key p is not the key that this database knows by that label"), HasSubstr("passphrase")));
  Process other;
  other.cipher.Use(wrong, 0);
  other.store = std::make_unique<PgKeyStore>(url_, file_, other.cipher, log_);
  EXPECT_FALSE(other.store->Lead({"leader", 1}));
  EXPECT_FALSE(right.store->Reload());
  EXPECT_EQ(PgDump(url_, {}), before);
  EXPECT_FALSE(other.cipher.Seal({"events", "payload", "k"}, "p")) << "nothing was granted";
}

// Bits, bytes, places and labels: each is named, the others go on, and it is not done.
TEST_F(KeysRefused, BlobsThatDoNotOpenAreNamedAndTheOthersGoOn) {
  Seed(10);
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  Sql("CREATE TABLE kept AS SELECT process_guid, run_info FROM definitions;"
      "CREATE TABLE kept_routes AS SELECT process_guid, routes FROM desired_lrps;"
      "UPDATE definitions SET run_info = set_bit(run_info, 200, 1 - get_bit(run_info, 200)) WHERE process_guid = 'app-1';"
      "UPDATE definitions SET run_info = substr(run_info, 1, octet_length(run_info) - 1) WHERE process_guid = 'app-2';"
      "UPDATE definitions d SET run_info = o.run_info FROM definitions o WHERE d.process_guid = 'app-3' AND "
      "o.process_guid = 'app-4';"
      "UPDATE desired_lrps SET routes = annotation WHERE process_guid = 'app-5';"
      "UPDATE roll_steps SET text = overlay(text PLACING '\\x7a' FROM 5) WHERE roll_id = 'old-6';"
      "UPDATE events SET payload = 'no envelope' WHERE process_guid = 'app-7';");
  const auto process = Lead("ba");
  EXPECT_EQ(Finish(*process->store), RotationState::kStuck);
  const auto named = UnorderedElementsAre(
      "definitions.run_info of app-1/1/v1", "definitions.run_info of app-2/1/v1", "definitions.run_info of app-3/1/v1",
      "desired_lrps.routes of app-5", "roll_steps.text of old-6/6", "events.payload of k/app-7/1");
  EXPECT_THAT(Quarantined(*process->store), named);
  // The label is not advanced, nothing is deleted, and all others are there under the new key.
  EXPECT_TRUE(Is("EXISTS (SELECT FROM key_labels WHERE label = 'a' AND active AND retired_at IS NULL)"));
  const auto view = process->store->Look(true);
  ASSERT_TRUE(view);
  std::int64_t others = 0;
  for (const BlobCount& count : view->counts) others += count.label == "b" ? 0 : count.blobs;
  EXPECT_EQ(others, 6);
  const Blobs blobs = Read("ba");
  EXPECT_EQ(blobs.size(), Read("a").size());
  EXPECT_THAT(blobs.at("roll_steps.text old-6/6 old-6"), HasSubstr("sealed with key z, which is not among the keys"));
  EXPECT_EQ(blobs.at("definitions.run_info app-4/1/v1 app-4"), "canary run info 4");
  // So it is said after a restart, too.
  const auto next = Lead("ba");
  EXPECT_EQ(Finish(*next->store), RotationState::kStuck);
  EXPECT_THAT(Quarantined(*next->store), named);
  // Mended or given up by a person: then it is done.
  Sql("UPDATE definitions d SET run_info = k.run_info FROM kept k WHERE k.process_guid = d.process_guid;"
      "UPDATE desired_lrps d SET routes = k.routes FROM kept_routes k WHERE k.process_guid = d.process_guid;"
      "DELETE FROM roll_steps WHERE roll_id = 'old-6'; DELETE FROM events WHERE process_guid = 'app-7';"
      "DROP TABLE kept, kept_routes");
  ASSERT_TRUE(next->store->BeginAgain());
  EXPECT_EQ(next->store->Look(false)->rotation.rows_done, 0) << "all of them are looked at again";
  EXPECT_EQ(next->store->Look(false)->rotation.faults, 0);
  EXPECT_EQ(Finish(*next->store), RotationState::kDone);
  EXPECT_THAT(Quarantined(*next->store), ::testing::IsEmpty());
  ExpectAllSealedWith("b");
}

TEST_F(KeysRefused, MoreThanCanBeNamedAreStillCounted) {
  Sql("INSERT INTO idempotency_keys SELECT 'key-' || n, 'm', '', 'no envelope', now() FROM generate_series(1, 3000) AS n");
  const auto process = Lead("a");
  EXPECT_EQ(Finish(*process->store, 100), RotationState::kStuck);
  EXPECT_EQ(Quarantined(*process->store).size(), 100u);
  EXPECT_EQ(process->store->Step(1)->faults, 3000);
  EXPECT_TRUE(Is("(SELECT count(*) FROM key_quarantine) BETWEEN 1000 AND 1100"));
}

// What was granted is counted before it is used: whatever dies, no use goes uncounted.
TEST_F(KeysRefused, UsesAreCountedAheadOfThem) {
  Seed(5);
  std::int64_t used = 0;
  for (int life = 1; life <= 3; ++life) {
    const auto process = Lead("a");
    const std::int64_t before = process->cipher.left();
    Finish(*process->store);
    (void)process->cipher.Seal({"events", "payload", "k"}, "p");
    used += before - process->cipher.left();
    EXPECT_TRUE(Is("(SELECT encryptions FROM key_labels) = " + std::to_string(PgKeyStore::kGrant * life)));
  }
  EXPECT_GT(used, 60);
  const auto process = Lead("a");
  while (process->cipher.left() >= PgKeyStore::kGrant / 2) (void)process->cipher.Seal({"events", "payload", "k"}, "p");
  const std::int64_t left = process->cipher.left();
  ASSERT_TRUE(process->store->Replenish());
  EXPECT_EQ(process->cipher.left(), left + PgKeyStore::kGrant);
  ASSERT_TRUE(process->store->Replenish()) << "enough";
  EXPECT_EQ(process->cipher.left(), left + PgKeyStore::kGrant);
  EXPECT_TRUE(Is("(SELECT encryptions FROM key_labels) = " + std::to_string(PgKeyStore::kGrant * 5)));
}

TEST_F(KeysRefused, AKeyThatIsUsedUpSealsNothing) {
  Seed(2);
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  Sql("UPDATE key_labels SET encryptions = 4294967296 - 1");
  const auto process = Lead("a");
  ASSERT_TRUE(process) << "it leads all the same";
  EXPECT_EQ(process->cipher.left(), 1);
  EXPECT_TRUE(Is("(SELECT encryptions FROM key_labels) = 4294967296"));
  PgStore store({.url = url_, .writers = 1, .cipher = &process->cipher}, log_, [] {});
  store.Lead({"leader", 1});
  store.ExtendUntil(std::chrono::steady_clock::now() + std::chrono::hours(1));
  const std::vector<std::string> rows = {"--data-only", "-T", "incarnations"};
  const std::string before = PgDump(url_, rows);
  std::promise<Status> answer;
  TestCall call = Desire("fresh");
  call.done = [&](const Status& status) { answer.set_value(status); };
  store.Submit(std::move(call));
  const Status refused = answer.get_future().get();
  store.Stop();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kResourceExhausted) << refused.error().message;
  EXPECT_THAT(refused.error().message, HasSubstr("key a has no use left: make another key active"));
  EXPECT_EQ(PgDump(url_, rows), before);
  EXPECT_THAT(process->store->Replenish().error().message, HasSubstr("key a has been used 2^32 times"));
  EXPECT_FALSE(process->store->Reload());
  WriteKeys("ba");  // the remedy
  ASSERT_TRUE(process->store->Reload());
  EXPECT_EQ(Finish(*process->store), RotationState::kDone);
  ExpectAllSealedWith("b");
}

}  // namespace
}  // namespace baton::testing
