// The access file: what is meant is read, what is nearly that is refused as a whole, with the line and what to write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orchestrator/access/access_rules.h"
#include "orchestrator/access/deny_list.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

const Identity kCc{Role::kController, "cc"};

AccessRules Rules(const std::string& text) {
  auto rules = ParseAccess(text, "access");
  EXPECT_TRUE(rules.ok()) << rules.error().message;
  return rules ? *std::move(rules) : AccessRules();
}

std::string Fault(const std::string& text) {
  const auto rules = ParseAccess(text, "access");
  return rules ? "" : rules.error().message;
}

Route Host(const std::string& name) { return {.hostname = name, .path = {}, .external_port = 0, .router_group = {}}; }
Route Tcp(std::uint32_t port) { return {.hostname = {}, .path = {}, .external_port = port, .router_group = {}}; }

TEST(AccessFile, GivesAControllerItsDomainsAndHostNames) {
  const auto rules = Rules("# who\n\ncontroller cc domains cf-apps,cf-tasks hostnames *.apps.example,shop.example  # and what\n");
  EXPECT_EQ(rules.DomainsOf(kCc), (Domains{.names = {"cf-apps", "cf-tasks"}}));
  for (const char* name : {"a.apps.example", "a.b.apps.example", "*.apps.example", "*.a.apps.example", "shop.example"}) {
    EXPECT_TRUE(rules.MayRoute(kCc, Host(name))) << name;
  }
  for (const char* name : {"apps.example", "xapps.example", "shop.example.org", "www.shop.example", "*.example", "*.shop.example", "other"}) {
    EXPECT_FALSE(rules.MayRoute(kCc, Host(name))) << name;
  }
  EXPECT_FALSE(rules.MayRoute(kCc, Tcp(1024)));
}

TEST(AccessFile, NoEntryIsNothing) {
  const auto rules = Rules("controller other domains * hostnames *\n");
  EXPECT_EQ(rules.DomainsOf(kCc), Domains());
  EXPECT_FALSE(rules.MayRoute(kCc, Host("a.example")));
  EXPECT_FALSE(rules.CellOf("cell-1").pulls);
  EXPECT_TRUE(rules.CellOf("cell-1").networks.empty());
  EXPECT_FALSE(rules.MayAcknowledgeRoutes("router-1"));
}

TEST(AccessFile, AStarIsEverybodyBesideWhatTheNamedOneGets) {
  const auto rules = Rules("controller * domains a hostnames tcp:*\ncontroller cc domains b\ncell * networks 10.0.0.0/8\ncell c pulls\nrouter *\n");
  EXPECT_EQ(rules.DomainsOf(kCc), (Domains{.names = {"a", "b"}}));
  EXPECT_EQ(rules.DomainsOf({Role::kController, "x"}), (Domains{.names = {"a"}}));
  EXPECT_TRUE(rules.MayRoute(kCc, Tcp(1024)));
  EXPECT_FALSE(rules.MayRoute(kCc, Host("a.example")));
  EXPECT_TRUE(rules.CellOf("c").pulls);
  EXPECT_EQ(rules.CellOf("c").networks.size(), 1U);
  EXPECT_FALSE(rules.CellOf("d").pulls);
  EXPECT_TRUE(rules.MayAcknowledgeRoutes("router-1"));
}

TEST(AccessFile, WhoIsNoControllerIsAskedByRoleAlone) {
  const auto rules = Rules("");
  for (const Role role : {Role::kAdmin, Role::kOperator, Role::kViewer}) {
    EXPECT_EQ(rules.DomainsOf({role, "cc"}), Domains{.all = true});
    EXPECT_TRUE(rules.MayRoute({role, "cc"}, Host("a.example")));
  }
}

TEST(AccessFile, WithoutOneAllIsAllowed) {
  const auto rules = AccessRules::Unlimited();
  EXPECT_EQ(rules.DomainsOf(kCc), Domains{.all = true});
  EXPECT_TRUE(rules.MayRoute(kCc, Host("a.example")));
  EXPECT_TRUE(rules.CellOf("c").pulls);
  EXPECT_TRUE(rules.MayAcknowledgeRoutes("r"));
  EXPECT_FALSE(Rules("").unlimited()) << "an empty one is none";
}

struct FileNearMiss {
  const char* line;
  const char* why;
};
void PrintTo(const FileNearMiss& near, std::ostream* out) { *out << near.line; }
class AccessFileNearMisses : public ::testing::TestWithParam<FileNearMiss> {};

TEST_P(AccessFileNearMisses, RefuseTheWholeFileWithTheLine) {
  const std::string fault = Fault("controller good domains *\n" + std::string(GetParam().line) + "\nrouter r\n");
  EXPECT_THAT(fault, HasSubstr("access:2: "));
  EXPECT_THAT(fault, HasSubstr(GetParam().why));
}

INSTANTIATE_TEST_SUITE_P(
    Lines, AccessFileNearMisses,
    ::testing::Values(
        FileNearMiss{"controllers cc domains a", "begins no line"},
        FileNearMiss{"Controller cc domains a", "begins no line"}, FileNearMiss{"admin root", "begins no line"},
        FileNearMiss{"controller", "without a name"}, FileNearMiss{"controller cc", "no domains"},
        FileNearMiss{"controller cc hostnames *", "no domains"}, FileNearMiss{"controller cc domains", "not expected"},
        FileNearMiss{"controller cc domain a", "not expected"},
        FileNearMiss{"controller cc domains a, b", "empty entry"},
        FileNearMiss{"controller cc domains a,,b", "empty entry"}, FileNearMiss{"controller cc domains a,*", "* alone"},
        FileNearMiss{"controller cc domains a*", "* alone"},
        FileNearMiss{"controller cc domains a domains b", "not expected"},
        FileNearMiss{"controller cc/x domains a", "no name of a certificate"},
        FileNearMiss{"controller c* domains a", "no name of a certificate"},
        FileNearMiss{"controller good domains a", "second time"},
        FileNearMiss{"controller cc domains a hostnames *.", "hostnames has"},
        FileNearMiss{"controller cc domains a hostnames *apps.example", "hostnames has"},
        FileNearMiss{"controller cc domains a hostnames a.*.example", "hostnames has"},
        FileNearMiss{"controller cc domains a hostnames Shop.example", "hostnames has"},
        FileNearMiss{"controller cc domains a hostnames .apps.example", "hostnames has"},
        FileNearMiss{"controller cc domains a hostnames shop.example/api", "hostnames has"},
        FileNearMiss{"cell c networks 10.0.0.0", "NETWORK/BITS"},
        FileNearMiss{"cell c networks 10.0.0.0/33", "NETWORK/BITS"},
        FileNearMiss{"cell c networks 10.0.0/8", "NETWORK/BITS"}, FileNearMiss{"cell c networks", "not expected"},
        FileNearMiss{"cell c pulls pulls", "not expected"}, FileNearMiss{"cell c pull", "not expected"},
        FileNearMiss{"router r pulls", "not expected"}, FileNearMiss{"web w", "write web"},
        FileNearMiss{"web w most root", "write web"}, FileNearMiss{"web w most controller", "write web"},
        FileNearMiss{"web w least viewer", "write web"}));

// A file that is read gives nobody more than another one without one of its lines.
RC_GTEST_PROP(AccessFileAny, ALineMoreNeverTakesAnythingAway, ()) {
  const auto line = rc::gen::element<std::string>("controller cc domains a hostnames *.x", "controller * domains b hostnames y",
                                                  "controller dd domains *", "cell c pulls", "router r", "# nothing", "");
  const auto lines = *rc::gen::unique<std::vector<std::string>>(line);
  std::string text;
  for (const auto& one : lines) text += one + "\n";
  const auto before = ParseAccess(text, "f");
  RC_ASSERT(before.ok());
  const auto more = ParseAccess(text + "controller ee domains c\ncontroller ff domains *\n", "f");
  RC_ASSERT(more.ok());
  for (const char* name : {"cc", "dd", "xx"}) {
    const Identity who{Role::kController, name};
    RC_ASSERT(before->DomainsOf(who) == more->DomainsOf(who));
    for (const char* host : {"a.x", "x", "y", "z"}) RC_ASSERT(before->MayRoute(who, Host(host)) == more->MayRoute(who, Host(host)));
  }
}

RC_GTEST_PROP(AccessFileAny, AnyTextIsReadOrRefusedWithItsLine, ()) {
  const auto word = rc::gen::element<std::string>("controller", "cell", "router", "web", "*", "cc", "domains", "hostnames", "a,b", ",", "#",
                                                  "\n", "networks", "10.0.0.0/8", "pulls", "most", "admin", std::string(1, '\0'));
  std::string text;
  for (const auto& one : *rc::gen::container<std::vector<std::string>>(word)) text += one + " ";
  const auto rules = ParseAccess(text, "f");
  if (!rules) RC_ASSERT(rules.error().message.starts_with("f"));
}

TEST(DenyList, TakesFingerprintsAndNames) {
  const std::string hex(64, 'a');
  std::string colons;
  for (int i = 0; i < 32; ++i) colons += i == 0 ? "AB" : ":AB";
  const auto list = ParseDenyList("# stolen\ncert " + hex + "\ncert " + colons + "\nname role/cell/cell-7\n", "f");
  ASSERT_TRUE(list.ok()) << list.error().message;
  EXPECT_TRUE(list->Denies({Role::kAdmin, "x"}, hex));
  std::string ab;
  for (int i = 0; i < 32; ++i) ab += "ab";
  EXPECT_TRUE(list->Denies({Role::kAdmin, "x"}, ab));
  EXPECT_TRUE(list->Denies({Role::kCell, "cell-7"}, ""));
  EXPECT_FALSE(list->Denies({Role::kRouter, "cell-7"}, ""));
  EXPECT_FALSE(list->Denies({Role::kCell, "cell-70"}, std::string(64, 'b')));
}

TEST(DenyList, IsRefusedAsAWholeForALineThatIsNearlyOne) {
  for (const std::string& line : {std::string("cert ") + std::string(63, 'a'), "cert " + std::string(64, 'g'), std::string("cert"),
                                  std::string("name cell/cell-7"), std::string("name role/cells/a"), std::string("name role/cell/*"),
                                  std::string("serial 1"), "cert " + std::string(64, 'a') + " x"}) {
    const auto list = ParseDenyList("name role/cell/a\n" + line + "\n", "f");
    ASSERT_FALSE(list.ok()) << line;
    EXPECT_THAT(list.error().message, HasSubstr("f:2: "));
  }
}

}  // namespace
}  // namespace baton
