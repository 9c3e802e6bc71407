// What ./dev run does with the contexts of whoever starts it.
#include "tools/demo/dev_context.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

const Context kDev{.name = "dev", .batond = {"127.0.0.1:8891"}, .trust_domain = "baton.local", .tls = "/var/tmp/x/admin"};
const Context kEarlier{.name = "dev", .batond = {"127.0.0.1:8891"}, .trust_domain = "baton.local", .tls = "/var/tmp/gone/admin"};
const Context kProd{.name = "prod", .batond = {"p:1"}};

TEST(DevContextRules, IsCurrentWhereNoneIs) {
  Contexts contexts;
  demo::Place(contexts, kDev);
  EXPECT_EQ(contexts.current, "dev");
  EXPECT_TRUE(demo::TakeAway(contexts, kDev));
  EXPECT_EQ(contexts, Contexts{}) << "without a trace";
}

TEST(DevContextRules, NobodyIsTakenAwayFromHisOwn) {
  Contexts contexts{.current = "prod", .all = {kProd}};
  const Contexts before = contexts;
  demo::Place(contexts, kDev);
  EXPECT_EQ(contexts.current, "prod");
  EXPECT_TRUE(demo::TakeAway(contexts, kDev));
  EXPECT_EQ(contexts, before);
}

TEST(DevContextRules, WhatAKilledRunHasLeftIsReplaced) {
  Contexts contexts{.current = "dev", .all = {kEarlier, kProd}};
  demo::Place(contexts, kDev);
  EXPECT_EQ(contexts.current, "dev");
  EXPECT_EQ(*Find(contexts, "dev"), kDev);
  EXPECT_FALSE(demo::TakeAway(contexts, kEarlier)) << "the later run's stays";
  EXPECT_EQ(*Find(contexts, "dev"), kDev);
}

}  // namespace
}  // namespace baton
