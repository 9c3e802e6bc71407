// An update that names what was active before, and is not now: whether it is meant, or came late.
#include <gtest/gtest.h>

#include "orchestrator/app/apps/change_roll.h"
#include "orchestrator/app/apps/update.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

class AReturn : public ::testing::Test {
 protected:
  AReturn() { maker.app.definitions.erase({1, DefinitionId("v2")}); }
  UpdateRequest To(const std::string& name) {
    UpdateRequest request;
    request.definition.emplace();
    request.definition->definition.id = DefinitionId(name);
    request.definition->definition.content_hash = name;
    request.definition->definition.ports = {8080};
    request.named = true;
    return request;
  }
  template <class Decide>
  Status Do(Decide decide) {
    AppEdit edit(maker.app, maker.moment, "test");
    const Status status = decide(edit);
    if (!status) return edit.Undo(), status;
    const AppChanges changes = edit.Finish();
    returned = changes.returned;
    opened.clear();
    for (const RollStep& step : changes.steps) {
      if (step.kind == StepKind::kOpened) opened = step.text;
    }
    return status;
  }
  Status Update(const UpdateRequest& request) {
    return Do([&](AppEdit& edit) { return DecideUpdate(edit, request); });
  }

  AppMaker maker = AppMaker::Settled(1);
  bool returned = false;
  std::string opened;
};

TEST_F(AReturn, NeedsAWordOfItsOwn) {
  ASSERT_TRUE(Update(To("v2")));
  EXPECT_FALSE(returned);
  EXPECT_EQ(opened, "from v1 to v2");
  ASSERT_TRUE(Update(To("v3")));
  EXPECT_TRUE(Update(To("v3"))) << "it is active";
  EXPECT_EQ(Update(To("v2")).error().kind, ErrorKind::kFailedPrecondition);
  EXPECT_EQ(maker.app.desired->active, DefinitionId("v3"));
  UpdateRequest meant = To("v2");
  meant.reactivate = true;
  ASSERT_TRUE(Update(meant));
  EXPECT_TRUE(returned);
  EXPECT_EQ(opened, "from v1 back to v2, which was active before");
}

TEST_F(AReturn, OfWhatHasBeenCollectedIsKnownByTheRollsToIt) {
  ASSERT_TRUE(Update(To("v2")));
  ASSERT_TRUE(Update(To("v3")));
  maker.app.definitions.erase({1, DefinitionId("v2")});  // superseded before it was proven
  EXPECT_EQ(Update(To("v2")).error().kind, ErrorKind::kFailedPrecondition);
}

TEST_F(AReturn, ToWhatFailedNeedsBothWords) {
  ASSERT_TRUE(Update(To("v2")));
  ASSERT_TRUE(Do([](AppEdit& edit) {
    return DecideChangeRoll(edit, {.event = RollEvent::kCancel, .roll_id = std::nullopt, .reason = ""});
  }));
  UpdateRequest again = To("v2");
  EXPECT_NE(Update(again).error().message.find("retry: true"), std::string::npos);
  again.reactivate = true;
  EXPECT_NE(Update(again).error().message.find("retry: true"), std::string::npos);
  again.retry = true;
  EXPECT_TRUE(Update(again));
  EXPECT_TRUE(returned);
}

TEST_F(AReturn, IsNoMatterOfANameThatTheContentGave) {
  ASSERT_TRUE(Update(To("v2")));
  UpdateRequest unnamed = To("v1");
  unnamed.named = false;
  EXPECT_TRUE(Update(unnamed));
  EXPECT_TRUE(returned);
}

// A controller that names nothing asks for the same again and again; the name that failed was somebody else's.
TEST_F(AReturn, ToContentThatFailedUnderAnotherNameNeedsARetryToo) {
  ASSERT_TRUE(Update(To("v2")));
  ASSERT_TRUE(Do([](AppEdit& edit) {
    return DecideChangeRoll(edit, {.event = RollEvent::kCancel, .roll_id = std::nullopt, .reason = ""});
  }));
  UpdateRequest unnamed = To("hash of v2");
  unnamed.definition->definition.content_hash = "v2";
  unnamed.named = false;
  const Status refused = Update(unnamed);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kFailedPrecondition);
  EXPECT_NE(refused.error().message.find("the last roll to this content, as v2 ("), std::string::npos)
      << refused.error().message;
  UpdateRequest renamed = unnamed;
  renamed.definition->definition.id = DefinitionId("v2-again");
  renamed.named = true;
  EXPECT_TRUE(Update(renamed)) << "a new name says that it is meant";
  EXPECT_TRUE(Update(unnamed)) << "the last roll to it has not failed";
}

TEST_F(AReturn, ToContentThatFailedGoesOnAfterARetry) {
  ASSERT_TRUE(Update(To("v2")));
  ASSERT_TRUE(Do([](AppEdit& edit) {
    return DecideChangeRoll(edit, {.event = RollEvent::kCancel, .roll_id = std::nullopt, .reason = ""});
  }));
  UpdateRequest unnamed = To("v2");
  unnamed.named = false;
  EXPECT_FALSE(Update(unnamed));
  unnamed.retry = true;
  EXPECT_TRUE(Update(unnamed));
  EXPECT_EQ(maker.app.desired->active, DefinitionId("v2"));
}

TEST_F(AReturn, IsWhatARollbackAsksFor) {
  ASSERT_TRUE(Update(To("v2")));
  ASSERT_TRUE(Do([](AppEdit& edit) { return DecideRollBack(edit, DefinitionId("v1")); }));
  EXPECT_TRUE(returned);
}

TEST_F(AReturn, OrAnyUpdateIsRefusedWhereTheAppIsNotAsExpected) {
  maker.app.desired->tag = {"epoch", 7};
  const auto expecting = [&](auto set) {
    UpdateRequest request = To("v2");
    set(request);
    return Update(request);
  };
  const auto said = [&](auto set) {
    const Status status = expecting(set);
    return status ? "" : std::string(status.error().kind == ErrorKind::kAborted ? status.error().message : "");
  };
  EXPECT_EQ(said([](auto& r) { r.expected_instances = 2; }), "expected.instances is 2, the app's is 1: read again");
  EXPECT_EQ(said([](auto& r) { r.expected_definition = DefinitionId("v9"); }),
            "expected.definition_identifier is v9, the active one is v1: read again");
  EXPECT_EQ(said([](auto& r) { r.expected_tag = {"epoch", 6}; }),
            "expected.modification_tag is epoch:6, the app's is epoch:7: read again");
  EXPECT_EQ(maker.app.desired->active, DefinitionId("v1"));
  EXPECT_TRUE(expecting([](auto& r) {
    r.expected_instances = 1;
    r.expected_definition = DefinitionId("v1");
    r.expected_tag = {"epoch", 7};
  }));
}

}  // namespace
}  // namespace baton
