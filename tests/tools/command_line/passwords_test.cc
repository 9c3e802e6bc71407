// A database's password on a command line is seen, however it is written; what is none is let be.
#include "tools/command_line/passwords.h"

#include <gtest/gtest.h>

#include <vector>

namespace baton {
namespace {

std::string Shown(std::vector<const char*> words) {
  words.insert(words.begin(), "batond");
  return PasswordShown(static_cast<int>(words.size()), words.data());
}

TEST(Passwords, AreSeenInEachForm) {
  for (const char* url : {"postgresql://me:s3cr3t@db/baton", "postgres://me:@db/baton?password=s3cr3t", "host=db password=s3cr3t",
                          "host=db password = 's 3 cr3t'", "host=db sslpassword=s3cr3t"}) {
    EXPECT_TRUE(HasPassword(url)) << url;
    EXPECT_NE(Shown({"--database", url}), "") << url;
    EXPECT_NE(Shown({(std::string("--database=") + url).c_str()}), "") << url;
    EXPECT_EQ(Shown({"--database", url}).find("s3cr3t"), std::string::npos);
  }
}

TEST(Passwords, WhatIsNoneIsLetBe) {
  for (const char* url : {"postgresql://me@db/baton", "postgresql://me:@db/baton", "host=db user=me passfile=/etc/baton/pgpass",
                          "host=password dbname=baton", "--embedded", "/var/lib/baton", "", "password", "host='unclosed"}) {
    EXPECT_EQ(Shown({"--database", url}), "") << url;
  }
  EXPECT_EQ(Shown({}), "");
}

}  // namespace
}  // namespace baton
