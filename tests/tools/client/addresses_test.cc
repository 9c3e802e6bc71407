// Whom a client with several addresses asks next.
#include "tools/client/addresses.h"

#include <gtest/gtest.h>

#include <set>

namespace baton {
namespace {

TEST(AddressesTest, WithoutANameTheyAreAskedInTurn) {
  Addresses addresses({"a:1", "b:1", "c:1"});
  std::string asked;
  for (int i = 0; i < 4; ++i, addresses.Next()) asked += addresses.present();
  EXPECT_EQ(asked, "a:1b:1c:1a:1");
}

TEST(AddressesTest, WhoIsNamedIsAskedNext) {
  Addresses addresses({"a:1", "b:1", "c:1"});
  addresses.Next("c:1");
  EXPECT_EQ(addresses.present(), "c:1");
  EXPECT_TRUE(addresses.named());
}

// Through a tunnel a batond of another machine may call itself 127.0.0.1:8891, which here is somebody else.
TEST(AddressesTest, NobodyIsFollowedToAnAddressThatWasNotGiven) {
  Addresses addresses({"a:1", "b:1"});
  addresses.Next("z:1");
  EXPECT_EQ(addresses.present(), "b:1");
  EXPECT_FALSE(addresses.named());
}

TEST(AddressesTest, WhoeverTheCallerIsSureOfIsFollowedAsIfGiven) {
  Addresses addresses({"a:1"});
  EXPECT_FALSE(addresses.Knows("z:1"));
  addresses.Add("z:1");
  EXPECT_TRUE(addresses.Knows("z:1"));
  EXPECT_EQ(addresses.present(), "a:1");
  addresses.Next("z:1");
  EXPECT_EQ(addresses.present(), "z:1");
}

TEST(AddressesTest, WhoIsNamedAndDoesNotTakeItIsFollowedByTheNextInTurn) {
  Addresses addresses({"a:1", "b:1", "c:1"});
  addresses.Next("c:1");
  addresses.Next();
  EXPECT_EQ(addresses.present(), "a:1");
  EXPECT_FALSE(addresses.named());
}

// Two standbys, each sure that the other one leads: all that was given is asked in time all the same.
TEST(AddressesTest, NamesOfYesterdayLeadNobodyRoundInCircles) {
  Addresses addresses({"a:1", "b:1", "c:1"});
  std::set<std::string> asked;
  for (int i = 0; i < 6; ++i) {
    asked.insert(addresses.present());
    addresses.Next(addresses.present() == "a:1" ? "b:1" : "a:1");
  }
  EXPECT_TRUE(asked.contains("c:1"));
}

TEST(AddressesTest, WhoNamesItselfIsNotAskedAgainAtOnce) {
  Addresses addresses({"a:1", "b:1"});
  addresses.Next("a:1");
  EXPECT_EQ(addresses.present(), "b:1");
  EXPECT_FALSE(addresses.named());
}

}  // namespace
}  // namespace baton
