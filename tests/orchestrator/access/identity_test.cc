// Who a certificate says that it is: exactly one form is read, and everything beside it is nobody.
#include "orchestrator/access/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace baton {
namespace {

using ::testing::HasSubstr;

constexpr char kDomain[] = "baton.example";

std::string WhyNot(const std::vector<std::string>& uris, std::string_view trust_domain = kDomain) {
  const Result<Identity> read = IdentityOf(uris, trust_domain);
  return read.ok() ? "" : read.error().message;
}

TEST(IdentityOf, ReadsRoleAndName) {
  const Result<Identity> read = IdentityOf({"spiffe://baton.example/role/cell/cell-7"}, kDomain);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, (Identity{Role::kCell, "cell-7"}));
  EXPECT_EQ(Show(*read), "cell/cell-7");
}

TEST(IdentityOf, ACertificateOfNoneOrOfTwoIsNobody) {
  EXPECT_THAT(WhyNot({}), HasSubstr("no URI SAN"));
  EXPECT_THAT(WhyNot({"spiffe://baton.example/role/cell/a", "spiffe://baton.example/role/cell/a"}), HasSubstr("more than one"));
  EXPECT_THAT(WhyNot({"spiffe://baton.example/role/cell/a", "https://a.example"}), HasSubstr("more than one"));
}

struct IdentityNearMiss {
  const char* description;
  std::string uri;
};

void PrintTo(const IdentityNearMiss& near, std::ostream* out) { *out << near.description; }

class NearMisses : public ::testing::TestWithParam<IdentityNearMiss> {};

TEST_P(NearMisses, IsNobody) {
  const std::string why = WhyNot({GetParam().uri});
  EXPECT_THAT(why, HasSubstr("the certificate does not say who its owner is: "));
  EXPECT_EQ(why.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Uris, NearMisses,
    ::testing::Values(
        IdentityNearMiss{"empty", ""}, IdentityNearMiss{"another scheme", "https://baton.example/role/cell/a"},
        IdentityNearMiss{"the scheme in capitals", "SPIFFE://baton.example/role/cell/a"},
        IdentityNearMiss{"another trust domain", "spiffe://other.example/role/cell/a"},
        IdentityNearMiss{"a trust domain that begins with ours", "spiffe://baton.example.org/role/cell/a"},
        IdentityNearMiss{"a trust domain that ends with ours", "spiffe://x.baton.example/role/cell/a"},
        IdentityNearMiss{"our trust domain in capitals", "spiffe://Baton.example/role/cell/a"},
        IdentityNearMiss{"no trust domain", "spiffe:///role/cell/a"},
        IdentityNearMiss{"a user", "spiffe://u@baton.example/role/cell/a"},
        IdentityNearMiss{"a port", "spiffe://baton.example:443/role/cell/a"},
        IdentityNearMiss{"no path", "spiffe://baton.example"},
        IdentityNearMiss{"another path", "spiffe://baton.example/ns/role/cell/a"},
        IdentityNearMiss{"an unknown role", "spiffe://baton.example/role/root/a"},
        IdentityNearMiss{"a role that is nearly one", "spiffe://baton.example/role/cells/a"},
        IdentityNearMiss{"a role in capitals", "spiffe://baton.example/role/Admin/a"},
        IdentityNearMiss{"no role", "spiffe://baton.example/role//a"},
        IdentityNearMiss{"no name", "spiffe://baton.example/role/cell/"},
        IdentityNearMiss{"no name and no slash", "spiffe://baton.example/role/cell"},
        IdentityNearMiss{"a slash at the end", "spiffe://baton.example/role/cell/a/"},
        IdentityNearMiss{"a longer path", "spiffe://baton.example/role/cell/a/role/admin/b"},
        IdentityNearMiss{"a path that goes up", "spiffe://baton.example/role/cell/.."},
        IdentityNearMiss{"a query", "spiffe://baton.example/role/cell/a?role=admin"},
        IdentityNearMiss{"a fragment", "spiffe://baton.example/role/cell/a#b"},
        IdentityNearMiss{"a percent sign", "spiffe://baton.example/role/cell/a%2fb"},
        IdentityNearMiss{"a NUL", std::string("spiffe://baton.example/role/cell/a\0b", 36)},
        IdentityNearMiss{"a line's end", "spiffe://baton.example/role/cell/a\n"},
        IdentityNearMiss{"no ASCII", "spiffe://baton.example/role/cell/\xd0\xb0"},
        IdentityNearMiss{"a name of 129 bytes", "spiffe://baton.example/role/cell/" + std::string(129, 'a')}));

TEST(IdentityOf, WithoutATrustDomainEverybodyIsNobody) {
  EXPECT_NE(WhyNot({"spiffe:///role/cell/a"}, ""), "");
  EXPECT_NE(WhyNot({"spiffe://a b/role/cell/a"}, "a b"), "");
}

// What is read is what was issued, and no other text reads as the same: names cannot be shared by two spellings.
RC_GTEST_PROP(IdentityOfAny, AUriReadsAsWhatItWasMadeOfOrNotAtAll, ()) {
  const std::string text = *rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::elementOf(std::string("/.:?#%@celadmin-_AZ09\0\n", 23)), rc::gen::arbitrary<char>()));
  const std::string uri = *rc::gen::element<std::string>("spiffe://baton.example/role/", "spiffe://baton.example/role/cell/", "") + text;
  const Result<Identity> read = IdentityOf({uri}, kDomain);
  if (read.ok()) RC_ASSERT(SpiffeId(kDomain, *read) == uri);
}

}  // namespace
}  // namespace baton
