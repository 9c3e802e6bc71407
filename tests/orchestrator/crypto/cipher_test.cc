// The envelope: opens where it was sealed, and nowhere else; not with one bit changed, and not a byte shorter.
#include "orchestrator/crypto/cipher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "orchestrator/crypto/encrypted_columns.h"
#include "tests/orchestrator/crypto/two_keys.h"

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t kPlenty = 1 << 24;
constexpr BlobPlace kPlace{"definitions", "run_info", "app/1/v1"};

std::shared_ptr<const KeyRing> Ring(const std::string& text) {
  auto ring = KeyRing::Parse(text);
  EXPECT_TRUE(ring) << ring.error().message;
  return *std::move(ring);
}

const std::string kA = std::string("key a ") + kKeyA + "\n";
const std::string kB = std::string("key b ") + kKeyB + "\n";

TEST(Cipher, WhatWasSealedOpens) {
  const Cipher cipher(Ring(kA + "active a"), kPlenty);
  for (const std::string& payload : {std::string("x"), std::string("a\0b", 3), std::string(1 << 20, 'y')}) {
    const auto sealed = cipher.Seal(kPlace, payload);
    ASSERT_TRUE(sealed);
    EXPECT_EQ(sealed->substr(0, 5), std::string("BT\x02\x01" "a", 5));
    EXPECT_EQ(sealed->size(), payload.size() + 5 + 12 + 16);
    EXPECT_EQ(*cipher.Open(kPlace, *sealed), payload);
    EXPECT_FALSE(payload.size() > 2 && sealed->find(payload) != std::string::npos);
  }
}

TEST(Cipher, AnEmptyPayloadIsPlainUnderEveryKey) {
  const Cipher cipher(Ring(kA + "active a"), 0);
  EXPECT_EQ(*cipher.Seal(kPlace, ""), PlainBlob(""));
  EXPECT_EQ(*cipher.Open(kPlace, PlainBlob("")), "");
}

// Both lie beside each other during a rotation.
TEST(Cipher, PlainAndOldOnesOpenWithEveryRingThatHasTheKey) {
  const Cipher none, a(Ring(kA + "active a"), kPlenty), both(Ring(kA + kB + "active b"), kPlenty),
      back(Ring(kA + "active none"), 0);
  EXPECT_EQ(*none.Seal(kPlace, "p"), PlainBlob("p"));
  EXPECT_EQ(*back.Seal(kPlace, "p"), PlainBlob("p"));
  for (const Cipher* cipher : {&none, &a, &both, &back}) EXPECT_EQ(*cipher->Open(kPlace, PlainBlob("p")), "p");
  const std::string sealed = *a.Seal(kPlace, "p");
  for (const Cipher* cipher : {&a, &both, &back}) EXPECT_EQ(*cipher->Open(kPlace, sealed), "p");
  EXPECT_THAT(none.Open(kPlace, sealed).error().message,
              HasSubstr("definitions.run_info of app/1/v1: it is sealed with key a, which is not among the keys"));
  EXPECT_THAT(a.Open(kPlace, *both.Seal(kPlace, "p")).error().message, HasSubstr("sealed with key b"));
}

// Who may write to the database puts a plain blob of his own in a sealed one's place, and it is code that cells run.
TEST(Cipher, SealedOnlyOpensNothingPlain) {
  const Cipher cipher(Ring(kA + "sealed only\nactive a"), kPlenty);
  EXPECT_THAT(cipher.Open(kPlace, PlainBlob("payload")).error().message,
              AllOf(HasSubstr("definitions.run_info of app/1/v1: it is plain, and the key file says `sealed only`"),
                    Not(HasSubstr("payload"))));
  EXPECT_EQ(*cipher.Open(kPlace, *cipher.Seal(kPlace, "payload")), "payload");
  EXPECT_EQ(*cipher.Open(kPlace, *cipher.Seal(kPlace, "")), "");
}

// Two rows of two apps, in every column of every table: each of them opens in its own place alone.
TEST(Cipher, ABlobThatWasMovedDoesNotOpen) {
  const Cipher cipher(Ring(kA + "active a"), kPlenty);
  std::vector<std::array<std::string, 3>> places;
  for (const EncryptedTable& table : EncryptedTables()) {
    for (const std::string_view column : table.columns) {
      for (const char* key : {"app-1/1/v1", "app-1/1/v2", "app-1/2/v1", "app-2/1/v1", "app-1/11/v", "a", "a/", ""}) {
        places.push_back({std::string(table.table), std::string(column), key});
      }
    }
  }
  // Parts that would read the same if they were only put one behind the other.
  places.push_back({"ab", "c", "d"}), places.push_back({"a", "bc", "d"}), places.push_back({"a", "b", "cd"});
  const auto at = [](const std::array<std::string, 3>& p) { return BlobPlace{p[0], p[1], p[2]}; };
  std::size_t moved = 0;
  for (const auto& from : places) {
    const std::string sealed = *cipher.Seal(at(from), "payload");
    for (const auto& to : places) {
      const auto opened = cipher.Open(at(to), sealed);
      EXPECT_EQ(opened.ok(), from == to) << from[0] << "." << from[1] << " of " << from[2] << " in " << to[0] << "."
                                         << to[1] << " of " << to[2];
      moved += from != to ? 1 : 0;
    }
  }
  EXPECT_GT(moved, 10'000u);
}

TEST(Cipher, AnotherKeyUnderTheSameLabelDoesNotOpen) {
  const Cipher right(Ring(kA + "active a"), kPlenty);
  const Cipher wrong(Ring(std::string("key a ") + kKeyB + "\nactive a"), kPlenty);
  EXPECT_THAT(wrong.Open(kPlace, *right.Seal(kPlace, "payload")).error().message,
              AllOf(HasSubstr("does not open with key a"), Not(HasSubstr("payload"))));
}

// A relabelled blob: both keys are there, and the label is bound as well.
TEST(Cipher, TheLabelIsBound) {
  const Cipher cipher(Ring(kA + kB + "active a"), kPlenty);
  std::string sealed = *cipher.Seal(kPlace, "payload");
  sealed[4] = 'b';
  EXPECT_FALSE(cipher.Open(kPlace, sealed));
}

TEST(Cipher, EveryFlippedBitIsFound) {
  const Cipher cipher(Ring(kA + "active a"), kPlenty);
  const std::string sealed = *cipher.Seal(kPlace, "a payload of some length");
  for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
    std::string flipped = sealed;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    const auto opened = cipher.Open(kPlace, flipped);
    ASSERT_FALSE(opened) << "bit " << bit;
    EXPECT_THAT(opened.error().message, HasSubstr("definitions.run_info of app/1/v1: ")) << "bit " << bit;
  }
}

TEST(Cipher, EveryLengthButItsOwnIsFound) {
  const Cipher cipher(Ring(kA + "active a"), kPlenty);
  const std::string sealed = *cipher.Seal(kPlace, "a payload of some length");
  for (std::size_t length = 0; length < sealed.size(); ++length) {
    EXPECT_FALSE(cipher.Open(kPlace, std::string_view(sealed).substr(0, length))) << length;
  }
  EXPECT_FALSE(cipher.Open(kPlace, sealed + '\0'));
}

// Several threads seal, as writers do.
TEST(Cipher, NoNonceComesTwice) {
  constexpr int kThreads = 4, kEach = 50'000;
  const Cipher cipher(Ring(kA + "active a"), kPlenty);
  std::vector<std::vector<std::string>> nonces(kThreads);
  std::vector<std::thread> threads;
  for (auto& own : nonces) {
    threads.emplace_back([&cipher, &own] {
      for (int i = 0; i < kEach; ++i) own.push_back(cipher.Seal(kPlace, "p").value().substr(5, 12));
    });
  }
  for (auto& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& own : nonces) all.insert(own.begin(), own.end());
  EXPECT_EQ(all.size(), std::size_t{kThreads} * kEach);
  EXPECT_EQ(cipher.left(), kPlenty - kThreads * kEach);
}

TEST(Cipher, AKeyIsUsedAsOftenAsWasGranted) {
  Cipher cipher(Ring(kA + "active a"), 3);
  int told = 0;
  cipher.OnLow(2, [&] { ++told; });
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(cipher.Seal(kPlace, "p")) << i;
  EXPECT_EQ(told, 1);
  for (int i = 0; i < 3; ++i) {
    const auto refused = cipher.Seal(kPlace, "p");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::kResourceExhausted);
    EXPECT_THAT(refused.error().message, HasSubstr("key a has no use left"));
  }
  EXPECT_TRUE(cipher.Seal(kPlace, "")) << "nothing is encrypted";
  cipher.Grant(1);
  EXPECT_TRUE(cipher.Seal(kPlace, "p"));
  EXPECT_FALSE(cipher.Seal(kPlace, "p"));
  cipher.Use(Ring(kA + kB + "active b"), 1);  // another key: what was granted before is void
  EXPECT_TRUE(cipher.Seal(kPlace, "p"));
  EXPECT_FALSE(cipher.Seal(kPlace, "p"));
}

}  // namespace
}  // namespace baton
