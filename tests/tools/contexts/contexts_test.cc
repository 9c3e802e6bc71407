#include "tools/contexts/contexts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Context Dev() { return {.name = "dev", .batond = {"127.0.0.1:8891"}, .trust_domain = "baton.local", .tls = "/var/tmp/a b/admin"}; }

std::string FaultIn(const std::string& text) {
  const auto read = ReadContexts("contexts.yaml", text);
  return read ? "" : read.error().message;
}

TEST(Contexts, WhatIsWrittenIsRead) {
  Contexts contexts;
  ASSERT_TRUE(Add(contexts, Dev()));
  ASSERT_TRUE(Add(contexts, {.name = "prod", .batond = {"10.0.0.2:8891", "[fd00::2]:8891"}, .ca = "/c: #1", .cert = "/\"d\"", .key = "/k"}));
  ASSERT_TRUE(Add(contexts, {.name = "no", .batond = {"127.0.0.1:1"}}));
  const auto read = ReadContexts("contexts.yaml", TextOf(contexts));
  ASSERT_TRUE(read) << read.error().message << TextOf(contexts);
  EXPECT_EQ(*read, contexts);
  EXPECT_EQ(read->current, "dev") << "the first one";
  EXPECT_EQ(*ReadContexts("contexts.yaml", TextOf({})), Contexts{});
  EXPECT_EQ(*ReadContexts("contexts.yaml", ""), Contexts{});
}

TEST(Contexts, EachMistakeIsNamedWithFileAndLine) {
  EXPECT_THAT(FaultIn("current: dev\ncontext: []\n"), HasSubstr("contexts.yaml:2: 'context' is no key here"));
  EXPECT_THAT(FaultIn("contexts:\n- name: a\n  batond: [a:1]\n  tsl: /x\n"), HasSubstr("contexts.yaml:4: 'tsl' is no key of a context"));
  EXPECT_THAT(FaultIn("contexts:\n- name: a\n"), HasSubstr("contexts.yaml:2: context a has no batond"));
  EXPECT_THAT(FaultIn("contexts:\n- {name: a, batond: a:1}\n"), HasSubstr("contexts.yaml:2: batond takes a list"));
  EXPECT_THAT(FaultIn("contexts:\n- {name: a, batond: [nowhere]}\n"), HasSubstr("batond takes HOST:PORT, not 'nowhere'"));
  EXPECT_THAT(FaultIn("contexts:\n- {name: a/b, batond: ['a:1']}\n"), HasSubstr("'a/b' is no name"));
  EXPECT_THAT(FaultIn("contexts:\n- {name: a, batond: ['a:1']}\n- {name: a, batond: ['a:1']}\n"), HasSubstr("contexts.yaml:3: context a is there twice"));
  EXPECT_THAT(FaultIn("contexts:\n- {name: a, batond: ['a:1'], ca: /c, cert: /d}\n"), HasSubstr("not all of ca, cert and key"));
  EXPECT_THAT(FaultIn("contexts:\n- {name: a, batond: ['a:1'], ca: /c, cert: /d, key: /k, tls: /t}\n"), HasSubstr("one of both"));
  EXPECT_THAT(FaultIn("contexts:\n- [1\n"), AllOf(HasSubstr("contexts.yaml:"), HasSubstr("malformed YAML")));
  EXPECT_THAT(FaultIn("just words"), HasSubstr("contexts.yaml:1: expected current and contexts"));
}

TEST(Contexts, TheNamedOneGoesBeforeTheCurrentOne) {
  Contexts contexts;
  EXPECT_EQ(*Chosen(contexts, ""), nullptr) << "none is no mistake";
  EXPECT_THAT(Chosen(contexts, "dev").error().message, HasSubstr("there is no context 'dev': there is none"));
  ASSERT_TRUE(Add(contexts, Dev()));
  ASSERT_TRUE(Add(contexts, {.name = "prod", .batond = {"p:1"}}));
  EXPECT_EQ((*Chosen(contexts, ""))->name, "dev");
  EXPECT_EQ((*Chosen(contexts, "prod"))->name, "prod");
  EXPECT_THAT(Chosen(contexts, "tst").error().message, HasSubstr("there are dev, prod"));
  ASSERT_TRUE(Use(contexts, "prod"));
  EXPECT_EQ((*Chosen(contexts, ""))->name, "prod");
  contexts.current = "gone";
  EXPECT_THAT(Chosen(contexts, "").error().message, HasSubstr("baton context use"));
}

TEST(Contexts, ANameIsTakenOnceAndForgottenForGood) {
  Contexts contexts;
  ASSERT_TRUE(Add(contexts, Dev()));
  EXPECT_EQ(Add(contexts, Dev()).error().kind, ErrorKind::kAlreadyExists);
  EXPECT_EQ(Use(contexts, "prod").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(Remove(contexts, "prod").error().kind, ErrorKind::kNotFound);
  ASSERT_TRUE(Remove(contexts, "dev"));
  EXPECT_EQ(contexts, Contexts{});
}

}  // namespace
}  // namespace baton
