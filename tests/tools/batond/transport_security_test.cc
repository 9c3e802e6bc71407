#include "tools/batond/transport_security.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton::batond {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Refused(const TransportFlags& said) {
  const auto security = TransportSecurityOf(said);
  return security ? "" : security.error().message;
}

TEST(TransportSecurityOf, IsTlsUnlessSomebodySaysOtherwise) {
  EXPECT_EQ(*TransportSecurityOf({.database = true, .tls = true}), TransportSecurity::kTls);
  EXPECT_EQ(*TransportSecurityOf({.tls = true}), TransportSecurity::kTls);
  EXPECT_EQ(*TransportSecurityOf({}), TransportSecurity::kOwnTls) << "--embedded has its own";
  EXPECT_EQ(*TransportSecurityOf({.insecure = true}), TransportSecurity::kInsecure);
  EXPECT_EQ(*TransportSecurityOf({.database = true, .insecure = true}), TransportSecurity::kInsecure);
}

TEST(TransportSecurityOf, WhoSaysNothingWithADatabaseIsToldBothWays) {
  EXPECT_THAT(Refused({.database = true}),
              AllOf(HasSubstr("--tls DIR"), HasSubstr("baton certs"), HasSubstr("--insecure")));
}

TEST(TransportSecurityOf, BothAtOnceAreRefused) {
  for (const bool database : {false, true}) {
    EXPECT_THAT(Refused({.database = database, .tls = true, .insecure = true}), HasSubstr("choose one"));
  }
}

}  // namespace
}  // namespace baton::batond
