// The dump tool on a database with encrypted blobs: with the keys all is as ever, without them it says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sql/keys/pg_key_store.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/silent_log.h"
#include "tests/tools/definitions/seeded_store.h"

namespace baton::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class DumpedKeys : public ::testing::Test {
 protected:
  DumpedKeys() {
    char path[] = "/tmp/baton-keys-XXXXXX";
    EXPECT_NE(mkdtemp(path), nullptr);
    dir_ = path;
    file_ = dir_ + "/keys";
    Write("key k1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\nactive k1\n");
    store_.Desire("app", 1, "v1");
    store_.Settle("app");
    store_.Desire("waits", 1, "v1");
    store_.Reject("waits", "insufficient memory: 512 MiB wanted, 100 free");
    Cipher cipher;
    cipher.Use(*KeyRing::Load(file_), 0);
    PgKeyStore keys(store_.url(), file_, cipher, log_);
    EXPECT_TRUE(keys.Lead({"leader", 1}));
    for (RotationState state = RotationState::kWorking; state == RotationState::kWorking;) state = keys.Step(100)->state;
  }
  ~DumpedKeys() override { std::filesystem::remove_all(dir_); }
  void Write(const std::string& text) {
    std::ofstream(file_) << text;
    chmod(file_.c_str(), 0600);
  }
  definitions::DefinitionsOptions Of(const std::string& keys) {
    return {.database = store_.url(), .keys = keys, .app = ProcessGuid("app"), .show = true};
  }

  SeededStore store_{MigratedDatabase()};
  SilentLog log_;
  std::string dir_;
  std::string file_;
};

TEST_F(DumpedKeys, WithTheKeysAllIsAsEver) {
  EXPECT_EQ(Print({.database = store_.url(), .keys = file_, .check = true}).code, definitions::kExitFine);
  definitions::DefinitionsOptions options = Of(file_);
  options.reveal = true;
  const Printed printed = Print(options);
  ASSERT_EQ(printed.code, definitions::kExitFine) << printed.err;
  const Json shown = Json::parse(printed.out);
  EXPECT_EQ(shown["definition"]["run_info"]["environment_variables"][0]["value"], kSecretValue);
  EXPECT_EQ(shown["image_password"], kSecretPassword);
}

TEST_F(DumpedKeys, WithoutThemWhatIsSealedIsNamedAndCounted) {
  const Printed printed = Print(Of(""));
  ASSERT_EQ(printed.code, definitions::kExitFine) << printed.err;
  const Json shown = Json::parse(printed.out);
  EXPECT_EQ(shown["sealed_with"], "k1");
  EXPECT_TRUE(shown["definition"].is_null());
  EXPECT_EQ(shown["definition_identifier"], "v1") << "what is in the clear is told";
  const Printed checked = Print({.database = store_.url(), .check = true});
  EXPECT_EQ(checked.code, definitions::kExitFine) << checked.out;
  EXPECT_THAT(checked.out, AllOf(HasSubstr(": all is well"), HasSubstr("blobs sealed with key k1, not opened")));
  const Json json = Json::parse(Print({.database = store_.url(), .output = "json", .check = true}).out);
  EXPECT_GT(json["not_opened"]["k1"], 5);
  const Printed list = Print({.database = store_.url(), .output = "wide"});
  EXPECT_EQ(list.code, definitions::kExitFine) << list.err;
  EXPECT_THAT(list.out, AllOf(HasSubstr("1 without a cell (cannot be read: "), Not(HasSubstr("insufficient"))));
  const Printed opened = Print({.database = store_.url(), .keys = file_, .output = "wide"});
  EXPECT_THAT(opened.out, HasSubstr("1 without a cell (insufficient memory: 512 MiB wanted, 100 free)"));
}

TEST_F(DumpedKeys, ADamagedBlobIsFoundWithTheKey) {
  store_.Script("UPDATE definitions SET run_info = set_bit(run_info, 300, 1 - get_bit(run_info, 300))");
  const Printed checked = Print({.database = store_.url(), .keys = file_, .check = true});
  EXPECT_EQ(checked.code, definitions::kExitFaults);
  EXPECT_THAT(checked.out, HasSubstr("app app, definition v1: definitions.run_info of app/1/v1: it does not open with key k1"));
}

TEST_F(DumpedKeys, AKeyFileThatIsNoneIsRefused) {
  Write("nonsense");
  const Printed printed = Print(Of(file_));
  EXPECT_EQ(printed.code, definitions::kExitUsage);
  EXPECT_THAT(printed.err, AllOf(HasSubstr("key file " + file_ + ": line 1"), Not(HasSubstr("nonsense"))));
  EXPECT_EQ(printed.out, "");
}

}  // namespace
}  // namespace baton::testing
