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

}  // namespace
}  // namespace baton
