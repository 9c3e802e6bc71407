// How Baton asks libpq to reach a database.
#include "sql/database_url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(DatabaseUrl, AServerThatVanishesIsNoticed) {
  EXPECT_EQ(WithTimeouts("host=/run dbname=baton"),
            "connect_timeout='5' dbname='baton' host='/run' keepalives_count='3' keepalives_idle='3' "
            "keepalives_interval='1' tcp_user_timeout='5000'");
}

TEST(DatabaseUrl, WhatIsSaidStays) {
  EXPECT_THAT(WithTimeouts("postgresql://me:p%27w%5C@db:6432/b?sslmode=require&connect_timeout=60"),
              AllOf(HasSubstr("connect_timeout='60'"), HasSubstr("host='db'"), HasSubstr("port='6432'"),
                    HasSubstr(R"(password='p\'w\\')"), HasSubstr("sslmode='require'"), HasSubstr("user='me'")));
}

TEST(DatabaseUrl, TwiceIsAsOnce) {
  const std::string once = WithTimeouts("host=a application_name='two words'");
  EXPECT_EQ(WithTimeouts(once), once);
}

TEST(DatabaseUrl, WhatLibpqCannotReadIsLeftToIt) { EXPECT_EQ(WithTimeouts("host"), "host"); }

TEST(DatabaseUrl, AnotherMachineTakesVerifiedTls) {
  for (const char* url : {"host=db.example dbname=baton", "postgresql://baton@db.example/baton", "host=10.0.0.5 sslmode=require",
                          "host=localhost,db.example", "host=db.example sslmode=verify-ca", "hostaddr=10.0.0.5 host=localhost",
                          "host=127.0.0.1.example", "service=baton"}) {
    const Status status = CheckDatabaseTls(url);
    ASSERT_FALSE(status.ok()) << url;
    EXPECT_NE(status.error().message.find("sslmode=verify-full"), std::string::npos) << url;
  }
  for (const char* url : {"dbname=baton", "host=/run/postgresql", "host=localhost", "host=127.0.0.1", "host=::1", "host=127.3.2.1,/run",
                          "postgresql://baton@localhost/baton", "host=db.example sslmode=verify-full",
                          "postgresql://baton@db.example/baton?sslmode=verify-full", "service=baton sslmode=verify-full", "no url ="}) {
    EXPECT_TRUE(CheckDatabaseTls(url).ok()) << url;
  }
}

}  // namespace
}  // namespace baton
