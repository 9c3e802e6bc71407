// Lists of several pages: whole, in order, and over where the caller has gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/list_ways.h"

namespace baton {
namespace {

constexpr int kApps = 2500;  // two pages and a half

class Lists : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    service = new RunningService();
    service->WaitForLead();
    v2::DesireLRPRequest app = RunningService::SmallApp("app-0", 1);
    v2::DesiredLRP& desired = *app.mutable_desired_lrp();
    (*desired.mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":["a.test"],"port":8080}])";
    desired.set_annotation("said");
    desired.set_log_guid("log");
    (*desired.mutable_metric_tags())["tag"].set_static_("value");
    desired.mutable_definition()->add_placement_tags("placed");
    ASSERT_TRUE(service->Desire(app).ok());
    const std::string others =
        " t, generate_series(1, " + std::to_string(kApps - 1) + ") AS n WHERE t.process_guid = 'app-0';";
    const std::string guid = "jsonb_build_object('process_guid', 'app-' || n";
    ASSERT_TRUE(OpenSession(service->url())
                    ->Transact(Session::Isolation::kReadCommitted,
                               [&](Session& s) {
                                 const auto copy = [&](const std::string& table, const std::string& own) {
                                   return "INSERT INTO " + table + " SELECT (jsonb_populate_record(t, " + own +
                                          "))).* FROM " + table + others;
                                 };
                                 s.RunScript(copy("definitions", guid) + copy("desired_lrps", guid) +
                                             copy("actual_lrps", guid + ", 'actual_id', 'copy-' || n"));
                                 return true;
                               })
                    .ok());
  }
  static void TearDownTestSuite() { delete service; }
  static RunningService* service;

  // The process guids of all pages, in the order that they came in.
  template <class Page, class Stream, class Rows>
  static std::vector<std::string> Guids(Stream& stream, Rows rows) {
    std::vector<std::string> guids;
    int pages = 0;
    for (Page page; stream.Read(&page); ++pages) {
      for (const auto& row : rows(page)) guids.push_back(row.process_guid());
    }
    EXPECT_TRUE(stream.Finish().ok());
    EXPECT_GT(pages, 2);
    return guids;
  }
  static void ExpectAll(const std::vector<std::string>& guids) {
    std::vector<std::string> all;
    for (int i = 0; i < kApps; ++i) all.push_back("app-" + std::to_string(i));
    std::ranges::sort(all);
    EXPECT_EQ(guids, all);
  }
};

RunningService* Lists::service = nullptr;

TEST_F(Lists, ComeWholeAndInOrderOverSeveralPages) {
  const auto first = Context();
  ExpectAll(Guids<v2::ListDesiredLRPsResponse>(*service->apps->ListDesiredLRPs(first.get(), {}),
                                               [](const auto& page) { return page.desired_lrps(); }));
  const auto second = Context();
  ExpectAll(Guids<v2::ListSchedulingInfosResponse>(*service->apps->ListSchedulingInfos(second.get(), {}),
                                                   [](const auto& page) { return page.scheduling_infos(); }));
  const auto third = Context();
  ExpectAll(Guids<v2::ListActualLRPsResponse>(*service->lrps->ListActualLRPs(third.get(), {}),
                                              [](const auto& page) { return page.actual_lrps(); }));
}

TEST_F(Lists, ASchedulingInfoShowsWhatTheAppShows) {
  v2::ListDesiredLRPsRequest request;
  request.add_process_guids("app-0");
  v2::ListDesiredLRPsResponse apps;
  v2::ListSchedulingInfosResponse infos;
  const auto first = Context();
  ASSERT_TRUE(service->apps->ListDesiredLRPs(first.get(), request)->Read(&apps));
  const auto second = Context();
  ASSERT_TRUE(service->apps->ListSchedulingInfos(second.get(), request)->Read(&infos));
  const v2::DesiredLRP& app = apps.desired_lrps(0);
  const v2::DesiredLRPSchedulingInfo& info = infos.scheduling_infos(0);
  EXPECT_EQ(info.process_guid(), app.process_guid());
  EXPECT_EQ(info.domain(), app.domain());
  EXPECT_EQ(info.log_guid(), "log");
  EXPECT_EQ(info.instances(), 1);
  EXPECT_EQ(info.annotation(), "<redacted>");
  EXPECT_EQ(info.routes().DebugString(), app.routes().DebugString());
  EXPECT_EQ(info.modification_tag().DebugString(), app.modification_tag().DebugString());
  EXPECT_EQ(info.active_definition(), app.active_definition());
  EXPECT_EQ(info.content_hash(), app.definition().content_hash());
  EXPECT_EQ(info.resource().DebugString(), app.definition().resource().DebugString());
  EXPECT_THAT(info.placement_tags(), ::testing::ElementsAre("placed"));
  EXPECT_THAT(info.ports(), ::testing::ElementsAre(8080));
  EXPECT_EQ(info.metric_tags().at("tag").static_(), "value");
}

TEST_F(Lists, AListThatIsLeftInTheMiddleEndsThere) {
  for (int i = 0; i < 60; ++i) {
    const auto context = Context();
    const auto stream = service->apps->ListDesiredLRPs(context.get(), {});
    v2::ListDesiredLRPsResponse page;
    for (int read = 0; read < i % 3; ++read) stream->Read(&page);
    context->TryCancel();
    EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::CANCELLED) << "one page is left at least";
  }
  const auto context = Context();
  ExpectAll(Guids<v2::ListSchedulingInfosResponse>(*service->apps->ListSchedulingInfos(context.get(), {}),
                                                   [](const auto& page) { return page.scheduling_infos(); }));
}

class ListsThatAreKept : public Lists {
 protected:
  static void Sql(const std::string& sql) {
    const SessionError error =
        OpenSession(service->url())->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
          return s.RunScript("SET LOCAL session_replication_role = replica; " + sql), true;
        });
    ASSERT_TRUE(error.ok()) << sql << ": " << error.detail;
  }
  static std::vector<ListWay> Ways() { return ListWays(*service, &unreadable); }
  static void ExpectKept(const std::string& after, std::vector<std::string> more = {}) {
    for (int i = 0; i < kApps; ++i) more.push_back("app-" + std::to_string(i));
    for (const ListWay& way : Ways()) {
      const Shown kept = way.kept("");
      ExpectSame(kept, way.read(more), after);
      EXPECT_TRUE(kept == way.kept("")) << after << ", twice";
    }
  }
  // Two apps are of a domain of their own.
  static void MakeFew() {
    Sql("UPDATE desired_lrps SET domain = 'few' WHERE process_guid IN ('app-5', 'app-2499'); "
        "UPDATE actual_lrps SET domain = 'few' WHERE process_guid IN ('app-5', 'app-2499')");
  }
  static double Chunks(const std::string& from) {
    const std::string text = service->Metrics();
    const std::string name = "baton_list_chunks_total{from=\"" + from + "\"} ";
    const std::size_t at = text.find(name);
    return at == std::string::npos ? 0 : std::stod(text.substr(at + name.size(), 20));
  }

  static inline std::set<std::string> unreadable;
};

TEST_F(ListsThatAreKept, AreWhatIsThereWhoeverWroteIt) {
  ExpectKept("the beginning");
  const double read = Chunks("read");
  const double kept = Chunks("kept");
  ExpectKept("nothing");
  EXPECT_EQ(Chunks("read"), read);
  EXPECT_GT(Chunks("kept"), kept);
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("app-0");
  update.mutable_update()->set_annotation("another");
  (*update.mutable_update()->mutable_routes()->mutable_routes())["cf-router"] =
      R"([{"hostnames":["b.test"],"port":8080}])";
  ASSERT_TRUE(service->Update(update).ok());
  ExpectKept("an update");
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("app-00", 2)).ok());
  ExpectKept("a new app", {"app-00"});
  v2::RemoveDesiredLRPRequest remove;
  remove.set_process_guid("app-00");
  v2::RemoveDesiredLRPResponse removed;
  ASSERT_TRUE(service->apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
  ExpectKept("one that was removed", {"app-00"});
  Sql("UPDATE desired_lrps SET instances = 3 WHERE process_guid = 'app-70'; UPDATE actual_lrps SET zone = 'z' WHERE "
      "process_guid = 'app-71'; "
      "UPDATE definitions SET memory_mb = 99 WHERE process_guid = 'app-72'");
  ExpectKept("somebody's hand");
  EXPECT_EQ(Chunks("read"), read) << "only what was written was read";
}

TEST_F(ListsThatAreKept, OfADomainHaveThatDomainAlone) {
  MakeFew();
  for (const ListWay& way : Ways()) {
    const Shown all = way.kept("");
    const double before = Chunks("kept");
    const Shown many = way.kept("test");
    const double of_many = Chunks("kept");
    EXPECT_GT(of_many, before);
    const Shown few = way.kept("few");
    EXPECT_EQ(Chunks("kept"), of_many) << "the database has an index";
    EXPECT_EQ(few.size(), 2u);
    EXPECT_EQ(many.size() + 2, all.size());
    Shown both = many;
    both.insert(few.begin(), few.end());
    EXPECT_TRUE(both == all);
    EXPECT_TRUE(way.kept("nobody's").empty());
  }
}

// Who may see one domain is not told of apps of another one.
TEST_F(ListsThatAreKept, ARowThatCannotBeReadIsToldToItsDomainAlone) {
  MakeFew();
  Sql("UPDATE desired_lrps SET routes = 'rubbish' WHERE process_guid = 'app-5'; UPDATE actual_lrps SET net_info = "
      "'rubbish' WHERE process_guid = 'app-5'");
  for (const ListWay& way : Ways()) {
    for (int round = 0; round < 2; ++round) {
      unreadable.clear();
      const Shown all = way.kept("");
      EXPECT_THAT(unreadable, ::testing::ElementsAre(::testing::HasSubstr("app-5")));
      unreadable.clear();
      const Shown many = way.kept("test");
      EXPECT_THAT(unreadable, ::testing::IsEmpty());
      EXPECT_EQ(many.size() + 1, all.size()) << "app-2499 is of the few";
      (void)way.kept("few");
      EXPECT_THAT(unreadable, ::testing::ElementsAre(::testing::HasSubstr("app-5")));
    }
  }
}

}  // namespace
}  // namespace baton
