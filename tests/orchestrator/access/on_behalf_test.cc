// For whom a page calls, and that nobody else does.
#include "orchestrator/access/on_behalf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using ::testing::HasSubstr;

const Identity kPage{Role::kWeb, "page"};

AccessRules OnBehalfRules(const std::string& text = "web page most operator\nweb all most admin\n") {
  auto rules = ParseAccess(text, "access");
  EXPECT_TRUE(rules.ok());
  return rules ? *rules : AccessRules();
}

std::string Why(const Identity& certificate, const std::vector<std::string_view>& said,
                const AccessRules& rules = OnBehalfRules()) {
  const auto caller = CallerFrom(certificate, said, rules);
  return caller ? "nothing: " + Show(*caller) : caller.error().message;
}

TEST(OnBehalf, APageMayWhatThePersonMay) {
  const auto caller = CallerFrom(kPage, {"role/operator/alice"}, OnBehalfRules());
  ASSERT_TRUE(caller.ok());
  EXPECT_EQ(*caller, (Caller{{Role::kOperator, "alice"}, kPage}));
  EXPECT_EQ(caller->certificate(), kPage);
  EXPECT_EQ(Show(*caller), "web/page+operator/alice");
  EXPECT_TRUE(CallerFrom(kPage, {"role/viewer/ann"}, OnBehalfRules()).ok());
  EXPECT_TRUE(CallerFrom({Role::kWeb, "all"}, {"role/admin/root"}, OnBehalfRules()).ok());
}

TEST(OnBehalf, NeverMoreThanItsLineSays) {
  EXPECT_EQ(Why(kPage, {"role/admin/root"}), "web/page calls for operator at most, not for admin/root (batond --access)");
  EXPECT_EQ(Why(kPage, {"role/operator/alice"}, OnBehalfRules("web page most viewer\n")),
            "web/page calls for viewer at most, not for operator/alice (batond --access)");
  EXPECT_TRUE(CallerFrom(kPage, {"role/admin/root"}, OnBehalfRules("web page most viewer\nweb * most admin\n")).ok())
      << "both lines count";
  EXPECT_FALSE(
      CallerFrom(kPage, {"role/admin/root"}, OnBehalfRules("web page most viewer\nweb * most operator\n")).ok());
  for (const AccessRules& without :
       {OnBehalfRules("web other most admin\n"), OnBehalfRules(""), AccessRules::Unlimited()}) {
    EXPECT_EQ(Why(kPage, {"role/viewer/ann"}, without), "web/page calls for nobody: the access file has no line of it (batond --access)");
  }
}

TEST(OnBehalf, WhoIsNamedIsOnePersonWordByWord) {
  for (const char* near : {"", "operator/alice", "role/operator", "role/operator/", "role/Operator/alice", "Role/operator/alice", "role/root/alice",
                           "role/operator/alice/", " role/operator/alice", "role/operator/alice ", "role//alice", "role/controller/cc", "role/cell/one",
                           "role/router/r1", "role/batond/b1", "role/web/page", "role/auctioneer/a", "role/operator/al ice"}) {
    EXPECT_THAT(Why({Role::kWeb, "all"}, {near}), HasSubstr("is no role/ROLE/NAME of a viewer, operator or admin")) << near;
  }
  for (const std::vector<std::string_view>& many : {std::vector<std::string_view>(), {"role/viewer/ann", "role/viewer/ann"}}) {
    EXPECT_EQ(Why(kPage, many), "web/page calls for a person: it takes one baton-on-behalf, role/ROLE/NAME");
  }
}

TEST(OnBehalf, WhoIsNoPageCallsForNobodyElse) {
  for (const Role role : {Role::kViewer, Role::kOperator, Role::kAdmin, Role::kController, Role::kCell, Role::kRouter, Role::kAuctioneer,
                          Role::kBatond}) {
    const Identity one{role, "one"};
    EXPECT_EQ(*CallerFrom(one, {}, OnBehalfRules()), Caller{one});
    EXPECT_EQ(Why(one, {"role/viewer/ann"}), Show(one) + " calls for nobody else: leave baton-on-behalf out");
    EXPECT_FALSE(CallerFrom(one, {""}, OnBehalfRules()).ok());
  }
}

}  // namespace
}  // namespace baton
