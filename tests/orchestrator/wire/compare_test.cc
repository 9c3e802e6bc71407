#include "orchestrator/wire/differences/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baton/v2/desired_lrp.pb.h"

namespace baton::wire {
namespace {

using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;
using ::testing::ElementsAre;
using Path = std::vector<MessageDifferencer::SpecificField>;

constexpr int kMany = 4000;

class Told final : public MessageDifferencer::Reporter {
 public:
  void ReportAdded(const Message&, const Message&, const Path& path) override { Add("added", path); }
  void ReportDeleted(const Message&, const Message&, const Path& path) override { Add("deleted", path); }
  void ReportModified(const Message&, const Message&, const Path& path) override {
    if (!path.back().field->message_type()) Add("modified", path);
  }
  std::vector<std::string> lines;

 private:
  void Add(std::string line, const Path& path) {
    for (const auto& part : path) line += " " + part.field->name();
    lines.push_back(line);
  }
};

v2::DesiredLRP Tagged(int from, int to, const std::string& value) {
  v2::DesiredLRP app;
  for (int i = from; i < to; ++i) (*app.mutable_metric_tags())["tag-" + std::to_string(i)].set_static_(value);
  return app;
}

TEST(Compare, EntriesOfAMapArePairedByKeyWhereverTheyStand) {
  Told told;
  v2::DesiredLRP before = Tagged(0, 3, "a"), after = Tagged(1, 4, "a");
  (*after.mutable_metric_tags())["tag-2"].set_static_("b");
  Compare(before, after, told);
  EXPECT_THAT(told.lines, ElementsAre("deleted metric_tags", "modified metric_tags value static", "added metric_tags"));
}

TEST(Compare, WhatIsInNoMapIsToldAsItStands) {
  Told told;
  v2::DesiredLRP before, after;
  after.set_instances(3);
  after.mutable_definition()->add_placement_tags("gpu");
  after.mutable_definition()->mutable_run_info()->mutable_network();
  (*after.mutable_definition()->mutable_run_info()->mutable_network()->mutable_properties())["a"] = "b";
  before.mutable_definition()->mutable_run_info()->mutable_network();
  Compare(before, after, told);
  EXPECT_THAT(told.lines, ::testing::UnorderedElementsAre("added instances", "added definition placement_tags",
                                                          "added definition run_info network properties"));
}

// Each entry was compared with each, within the transaction of the update where the audit names what changed.
TEST(Compare, ManyEntriesAreLookedAtAFewTimesEach) {
  constexpr std::size_t kMax = kMany * 60;  // two times 12 comparisons of keys to find its place, and what is in it
  const v2::DesiredLRP before = Tagged(0, kMany, "a");
  for (const v2::DesiredLRP& after : {Tagged(0, kMany, "b"), Tagged(kMany, 2 * kMany, "a"), Tagged(0, kMany, "a")}) {
    Told told;
    const std::size_t looked = Compare(before, after, told);
    EXPECT_GE(looked, kMany) << "its own pairs, not the differencer's";
    EXPECT_LE(looked, kMax);
  }
}

}  // namespace
}  // namespace baton::wire
