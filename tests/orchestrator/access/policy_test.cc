// The policy lets in whom it names, and nobody else; what it does not know is nobody's.
#include "orchestrator/access/policy.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

constexpr Role kRoles[] = {Role::kBatond, Role::kController, Role::kOperator, Role::kViewer, Role::kAdmin,
                           Role::kCell,   Role::kRouter,     Role::kAuctioneer, Role::kWeb};

const Policy& ThePolicy() {
  static const Policy kPolicy({{"/a.B/Read", {.roles = {Role::kViewer, Role::kAdmin}, .within = {Role::kCell}}},
                               {"/a.B/Nobodys", {}}});
  return kPolicy;
}

TEST(Policy, LetsInTheRolesOfTheMethodAlone) {
  for (const Role role : kRoles) {
    const bool in = role == Role::kViewer || role == Role::kAdmin;
    EXPECT_EQ(ThePolicy().Decide(role, "/a.B/Read"), in ? AccessDecision::kAllowed : AccessDecision::kOtherRole) << Name(role);
    EXPECT_EQ(ThePolicy().Decide(role, "/a.B/Nobodys"), AccessDecision::kOtherRole) << Name(role);
  }
}

TEST(Policy, AMethodThatItDoesNotKnowIsNobodys) {
  for (const char* path : {"", "/", "/a.B", "/a.B/", "a.B/Read", "/a.B/read", "/a.B/Read/", "//a.B/Read", "/a.B/Read ", "/a.b/Read"}) {
    for (const Role role : kRoles) {
      EXPECT_EQ(ThePolicy().Decide(role, path, Way::kThroughV1), AccessDecision::kUnknownMethod) << path;
    }
  }
}

TEST(Policy, WhoIsLetInWithinIsNotLetInFromOutside) {
  EXPECT_EQ(ThePolicy().Decide(Role::kCell, "/a.B/Read", Way::kFromOutside), AccessDecision::kOtherRole);
  EXPECT_EQ(ThePolicy().Decide(Role::kCell, "/a.B/Read", Way::kThroughV1), AccessDecision::kAllowed);
  EXPECT_EQ(ThePolicy().Decide(Role::kViewer, "/a.B/Read", Way::kThroughV1), AccessDecision::kAllowed);
  EXPECT_EQ(ThePolicy().Decide(Role::kRouter, "/a.B/Read", Way::kThroughV1), AccessDecision::kOtherRole);
}

TEST(Policy, OfRequestsSomeRolesMayMoreThanOthers) {
  std::string reveal, work, unnamed;
  for (const Role role : kRoles) {
    if (MayReveal(role)) reveal += " " + std::string(Name(role));
    if (MayStartWork(role)) work += " " + std::string(Name(role));
    if (MayRemoveUnnamed(role)) unnamed += " " + std::string(Name(role));
  }
  EXPECT_EQ(reveal, " controller admin cell");
  EXPECT_EQ(work, " operator admin");
  EXPECT_EQ(unnamed, " admin");
}

TEST(ParseIdentity, ReadsWhatShowSaysAndNothingElse) {
  for (const Role role : kRoles) EXPECT_EQ(ParseIdentity(Show(Identity{role, "a-1"})), (Identity{role, "a-1"}));
  for (const char* text : {"", "/", "cell", "cell/", "/a", "cells/a", "Cell/a", "cell/a/b", "cell/..", "cell/a b", " cell/a"}) {
    EXPECT_EQ(ParseIdentity(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace baton
