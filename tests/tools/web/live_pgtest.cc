// What pages are told while things happen, against a batond.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/server/running_service.h"
#include "tests/server/scripted_cell.h"
#include "tests/tools/web/running_web.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

web::WebOptions OptionsOf(std::vector<std::string> batond) {
  web::WebOptions options;
  options.batond = std::move(batond);
  return options;
}

TEST(WebLive, APageIsToldWhatIsAndThenWhatChanges) {
  RunningService service;
  service.WaitForLead();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("one")).ok());
  const RunningWeb web(OptionsOf({service.address()}));
  LiveStream page(web);
  ASSERT_EQ(page.Look(R"({"view": "apps", "sort": "guid"})"), 200);
  EXPECT_THAT(page.Await("window"), HasSubstr("\"guid\":\"one\""));
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("two", 3)).ok());
  const std::string both = page.Await("window", "\"two\"");
  EXPECT_THAT(both, HasSubstr("\"total\":2"));
  ScriptedCell cell(service, "one");
  cell.Hello();
  const v2::RunOrder order = cell.NextRun();
  cell.Report(ScriptedCell::Claimed(order.actual_id()));
  cell.Report(ScriptedCell::Started(order.actual_id()));
  EXPECT_THAT(page.Await("counts", "\"served\":1"), HasSubstr("\"apps\":2"));
  EXPECT_THAT(page.Await("patch", "\"served\":1"), HasSubstr(order.process_guid()));
}

TEST(WebLive, AnAppIsToldWithItsRollAndWhatItWaitsFor) {
  RunningService service;
  service.WaitForLead();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("one", 2)).ok());
  const RunningWeb web(OptionsOf({service.address()}));
  LiveStream page(web);
  ASSERT_EQ(page.Look(R"({"view": "app", "guid": "one"})"), 200);
  const std::string told = page.Await("app", "\"found\":true");
  const auto json = nlohmann::json::parse(told, nullptr, false);
  ASSERT_TRUE(json.is_object()) << told;
  EXPECT_EQ(json["roll"]["slots"].size(), 2u);
  EXPECT_EQ(json["instances"].size(), 2u);
  EXPECT_FALSE(json["reasons"].empty());
  EXPECT_FALSE(json["steps"].empty());
  EXPECT_EQ(json["unserved"].size(), 2u);
}

TEST(WebLive, OfARollThatMovesIsToldWhatIsStillToCome) {
  RunningService service;
  service.WaitForLead();
  ScriptedCell cell(service, "one");
  cell.Hello();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("one", 2)).ok());
  const RunningWeb web(OptionsOf({service.address()}));
  LiveStream page(web);
  ASSERT_EQ(page.Look(R"({"view": "app", "guid": "one"})"), 200);
  const std::string told = page.Await("app", "\"ahead\":{");
  const auto json = nlohmann::json::parse(told, nullptr, false);
  ASSERT_TRUE(json.is_object()) << told;
  EXPECT_EQ(json["ahead"]["roll_id"], json["roll"]["roll_id"]);
  EXPECT_GT(json["ahead"]["takes_ms"], 0);
  EXPECT_GT(json["ahead"]["at_ms"], 0);
  EXPECT_EQ(json["ahead"]["steps"].back()["kind"], "state") << told;
  v2::ChangeRollRequest pause;
  pause.set_process_guid("one");
  v2::ChangeRollResponse paused;
  ASSERT_TRUE(service.rolls->PauseRoll(Context().get(), pause, &paused).ok());
  EXPECT_THAT(page.Await("app", "\"ahead\":null"), HasSubstr("PAUSED")) << "nobody knows until when";
}

TEST(WebLive, WhatIsNoViewIsRefusedAndAStreamIsItsOwners) {
  RunningService service;
  service.WaitForLead();
  const RunningWeb web(OptionsOf({service.address()}));
  LiveStream page(web);
  for (const char* view : {"", "{", "[]", "{}", R"({"view": "none such"})", R"({"view": "app"})",
                           R"({"view": "apps", "sort": "colour"})"}) {
    EXPECT_EQ(page.Look(view), 400) << view;
  }
  EXPECT_EQ(page.Look(R"({"view": 7})"), 400);
  EXPECT_EQ(web.Post("/live/none", R"({"view": "none"})").status, 404);
}

// However many look: batond has one subscriber.
TEST(WebLive, AHundredPagesAreOneSubscriber) {
  RunningService service;
  service.WaitForLead();
  const RunningWeb web(OptionsOf({service.address()}));
  std::vector<std::unique_ptr<LiveStream>> pages;
  for (int i = 0; i < 100; ++i) {
    pages.push_back(std::make_unique<LiveStream>(web));
    ASSERT_EQ(pages.back()->Look(R"({"view": "apps"})"), 200) << i;
  }
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("one")).ok());
  for (auto& page : pages) EXPECT_THAT(page->Await("window", "\"one\""), HasSubstr("\"total\":1"));
  EXPECT_THAT(service.Metrics(), HasSubstr("\nbaton_event_subscribers 1\n"));
}

// Nothing is missed, and no page has to be loaded anew. Where the next one leads at once, nobody hears of it.
TEST(WebLive, TheNextLeaderIsFollowed) {
  auto first = std::make_unique<RunningService>();
  first->WaitForLead();
  ASSERT_TRUE(first->Desire(RunningService::SmallApp("one")).ok());
  RunningService second(first->url());
  const RunningWeb web(OptionsOf({first->address(), second.address()}));
  LiveStream page(web);
  ASSERT_EQ(page.Look(R"({"view": "apps"})"), 200);
  EXPECT_THAT(page.Await("window"), HasSubstr("\"one\""));
  first.reset();
  second.WaitForLead();
  ASSERT_TRUE(second.Desire(RunningService::SmallApp("two")).ok());
  EXPECT_THAT(page.Await("window", "\"two\""), HasSubstr("\"total\":2"));
}

TEST(WebLive, ThatNobodyLeadsIsTold) {
  auto only = std::make_unique<RunningService>();
  only->WaitForLead();
  const RunningWeb web(OptionsOf({only->address()}));
  LiveStream page(web);
  ASSERT_EQ(page.Look(R"({"view": "apps"})"), 200);
  EXPECT_THAT(page.Await("window"), HasSubstr("\"total\":0"));
  only.reset();
  EXPECT_THAT(page.Await("away"), HasSubstr("\"since\""));
  LiveStream later(web);
  EXPECT_THAT(later.Await("away"), HasSubstr("\"why\""));
}

TEST(WebLive, EventsComeInOrder) {
  RunningService service;
  service.WaitForLead();
  const RunningWeb web(OptionsOf({service.address()}));
  LiveStream page(web);
  ASSERT_EQ(page.Look(R"({"view": "events", "kinds": ["desired"]})"), 200);
  page.Await("events");
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("one")).ok());
  EXPECT_THAT(page.Await("events", "\"one\""), HasSubstr("desired_created"));
}

}  // namespace
}  // namespace baton
