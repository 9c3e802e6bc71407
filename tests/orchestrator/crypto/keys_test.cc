// The key file: what it takes, and each fault by name. No refusal shows a secret.
#include "orchestrator/crypto/keys.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/orchestrator/crypto/two_keys.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Key(const std::string& label, const std::string& key) { return "key " + label + " " + key + "\n"; }

TEST(KeyRing, TakesKeysPassphrasesAndComments) {
  const auto ring = KeyRing::Parse("# ours\n\n" + Key("k1", kKeyA) + "\tkey   k2\t" + kKeyB + "  \r\n" +
                                   "passphrase K1 correct horse battery staple\nactive k2");
  ASSERT_TRUE(ring) << ring.error().message;
  EXPECT_EQ((*ring)->active(), "k2");
  EXPECT_THAT((*ring)->labels(), ElementsAre("K1", "k1", "k2")) << "labels are case-sensitive";
  EXPECT_FALSE((*ring)->Has("k3"));
  EXPECT_EQ((*ring)->TableKey("k3", "definitions"), std::nullopt);
}

TEST(KeyRing, ActiveNoneIsSaidAndNotAssumed) {
  const auto ring = KeyRing::Parse(Key("k1", kKeyA) + "active none");
  ASSERT_TRUE(ring) << ring.error().message;
  EXPECT_EQ((*ring)->active(), "");
  EXPECT_FALSE((*ring)->sealed_only());
}

TEST(KeyRing, EachTableAndEachLabelHasAKeyOfItsOwn) {
  const auto ring = *KeyRing::Parse(Key("k1", kKeyA) + Key("k2", kKeyB) + "active k1");
  EXPECT_EQ(ring->TableKey("k1", "events"), ring->TableKey("k1", "events"));
  EXPECT_NE(ring->TableKey("k1", "events"), ring->TableKey("k1", "definitions"));
  EXPECT_NE(ring->TableKey("k1", "events"), ring->TableKey("k2", "events"));
  EXPECT_NE(ring->TableKey("k1", "some_table"), ring->TableKey("k1", "other_table"));
}

// The same passphrase gives the same key wherever it is read, and another one under another label.
TEST(KeyRing, APassphraseIsAKey) {
  const std::string phrase = "correct horse battery staple";
  const auto key = [](const std::string& line) {
    return *(*KeyRing::Parse("passphrase " + line + "\nactive " + line.substr(0, 2)))->TableKey(line.substr(0, 2), "t");
  };
  EXPECT_EQ(key("k1 " + phrase), key("k1 " + phrase));
  EXPECT_FALSE(key("k1 " + phrase) == key("k2 " + phrase));
  EXPECT_FALSE(key("k1 " + phrase) == key("k1 " + phrase + "s"));
}

// The flags of the mapping that an address lies in, as /proc/self/smaps has them.
std::string FlagsAt(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) inside = from <= wanted && wanted < to;
    if (inside && line.starts_with("VmFlags:")) return line;
  }
  return "";
}

TEST(KeyRing, KeysLieInLockedMemoryThatNoCoreFileAndNoChildHas) {
  const auto ring = *KeyRing::Parse(Key("k1", kKeyA) + "active k1");
  const std::string flags = FlagsAt(ring->TableKey("k1", "events")->data());
  for (const char* flag : {" lo", " dd", " wf"}) EXPECT_THAT(flags, HasSubstr(flag)) << "locked, no dump, wiped on a fork";
  EXPECT_TRUE(crypto::AllLocked());
}

TEST(KeyRing, AKeyThatIsGivenUpIsWiped) {
  std::optional<crypto::Secret> secret = crypto::FromBase64(kKeyA);
  std::optional<crypto::Secret> copy = secret;
  const volatile unsigned char* const byte = secret->data() + 5;
  secret.reset();
  EXPECT_EQ(copy->data()[5], 5) << "somebody still has it";
  copy.reset();
  EXPECT_EQ(*byte, 0) << "the memory of keys is never given back";
}

struct Fault {
  std::string text;
  std::string says;
};

TEST(KeyRing, EachFaultIsNamedAndNoSecretIsShown) {
  const std::string fine = Key("k1", kKeyA);
  const std::vector<Fault> faults = {
      {"", "there is no key in it"},
      {"# nothing\n\n", "there is no key in it"},
      {"active none", "there is no key in it"},
      {fine, "no key is active"},
      {fine + "active k2", "the active key k2 is not in it"},
      {fine + "active K1", "the active key K1 is not in it"},
      {fine + "active", "a key's label takes"},
      {fine + "active k1\nactive k1", "line 3: there are two lines 'active'"},
      {fine + "active k1 k2", "line 2: behind 'active' stands one label"},
      {fine + fine, "line 2: there are two keys with the label k1"},
      {fine + Key("k2", kKeyA), "line 2: the labels k1 and k2 have the same key"},
      {Key("k-1", kKeyA), "line 1: a key's label takes 1 to 127 of [A-Za-z0-9]"},
      {Key("k\xc3\xa4", kKeyA), "a key's label takes"},
      {Key(std::string(128, 'k'), kKeyA), "a key's label takes"},
      {std::string("key ") + kKeyA, "a key's label takes"},  // the label was forgotten
      {Key("none", kKeyA), "'none' is no label"},
      {"key k1", "key k1 is not the base64 of 32 bytes"},
      {Key("k1", "AAECAw=="), "key k1 is not the base64 of 32 bytes"},
      {Key("k1", std::string(kKeyA) + "A"), "key k1 is not the base64 of 32 bytes"},
      {Key("k1", std::string(43, '!') + "="), "key k1 is not the base64 of 32 bytes"},
      {Key("k1", std::string(42, 'A') + "=="), "key k1 is not the base64 of 32 bytes"},
      {"passphrase k1 short", "passphrase k1 has 5 characters; it takes 20 at least"},
      {"passphrase k1", "passphrase k1 has 0 characters"},
      {fine + "active none\nsealed only", "`sealed only` and `active none` contradict each other"},
      {fine + "sealed", "line 2: behind 'sealed' stands 'only'"},
      {fine + std::string("sealed ") + kKeyA, "line 2: behind 'sealed' stands 'only'"},
      {fine + "sealed only k1", "line 2: behind 'sealed' stands 'only'"},
      {std::string("k1 ") + kKeyA, "line 1: a line begins with 'key', 'passphrase' or 'active', or is 'sealed only'"},
      {std::string("k1:") + kKeyA, "line 1: a line begins with"},
  };
  for (const Fault& fault : faults) {
    const auto ring = KeyRing::Parse(fault.text);
    ASSERT_FALSE(ring) << fault.text;
    EXPECT_EQ(ring.error().kind, ErrorKind::kFailedPrecondition);
    EXPECT_THAT(ring.error().message, HasSubstr(fault.says)) << fault.text;
    EXPECT_THAT(ring.error().message, Not(HasSubstr(std::string(kKeyA).substr(0, 12)))) << fault.text;
  }
}

class KeyFile : public ::testing::Test {
 protected:
  KeyFile() {
    char path[] = "/tmp/baton-keys-XXXXXX";
    EXPECT_NE(mkdtemp(path), nullptr);
    dir_ = path;
    path_ = dir_ + "/keys";
  }
  ~KeyFile() override { std::filesystem::remove_all(dir_); }
  void Write(const std::string& text, mode_t mode = 0600) {
    std::ofstream(path_) << text;
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
  }
  std::string Refusal() {
    const auto ring = KeyRing::Load(path_);
    EXPECT_FALSE(ring);
    return ring ? "" : ring.error().message;
  }

  std::string dir_;
  std::string path_;
};

TEST_F(KeyFile, OnlyItsOwnerMayReadIt) {
  const std::string text = Key("k1", kKeyA) + "active k1\n";
  for (const mode_t mode : {0600, 0400}) {
    Write(text, mode);
    EXPECT_TRUE(KeyRing::Load(path_)) << mode;
    ASSERT_EQ(chmod(path_.c_str(), 0600), 0);
  }
  for (const mode_t mode : {0640, 0604, 0620, 0602, 0610, 0601, 0644, 0666, 0777}) {
    Write(text, mode);
    char said[8];
    std::snprintf(said, sizeof said, "%04o", static_cast<unsigned>(mode));
    EXPECT_THAT(Refusal(), ::testing::AllOf(HasSubstr(path_ + " has mode " + said), HasSubstr("chmod 600"))) << mode;
  }
}

TEST_F(KeyFile, SomebodyElsesIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  Write(Key("k1", kKeyA) + "active k1\n");
  ASSERT_EQ(chown(path_.c_str(), 65534, 65534), 0);
  EXPECT_THAT(Refusal(), HasSubstr(path_ + " belongs to user 65534"));
}

TEST_F(KeyFile, WhatIsNoFileIsRefusedAndNothingHangs) {
  EXPECT_THAT(Refusal(), HasSubstr("key file " + path_ + " cannot be read: No such file"));
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(Refusal(), HasSubstr("is not a regular file"));
  path_ = dir_;
  EXPECT_THAT(Refusal(), HasSubstr("is not a regular file"));
}

TEST_F(KeyFile, FaultsNameTheFile) {
  Write("nonsense");
  EXPECT_THAT(Refusal(), HasSubstr("key file " + path_ + ": line 1: "));
  Write(std::string(70'000, '#'));
  EXPECT_THAT(Refusal(), HasSubstr("larger than 64 KiB"));
}

}  // namespace
}  // namespace baton
