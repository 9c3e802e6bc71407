// Events of baton.v2 as baton.v1 tells them.
#include "orchestrator/transform/messages/event.h"

#include <gmock/gmock.h>

namespace baton::transform {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

v2::ActualLRP Lrp(v2::Presence presence, const std::string& state, const std::string& instance = "i-1") {
  v2::ActualLRP lrp;
  lrp.set_process_guid("app");
  lrp.set_presence(presence);
  lrp.set_state(state);
  if (!instance.empty()) lrp.mutable_instance_key()->set_instance_guid(instance);
  return lrp;
}

class Message {
 public:
  Message& Add(const std::string& kind, std::optional<v2::ActualLRP> before, std::optional<v2::ActualLRP> after,
               std::int64_t at = 1) {
    v2::Event& event = *message_.add_events();
    event.set_kind(kind);
    event.set_process_guid("app");
    event.set_sequence(++sequence_);
    event.set_at(at);
    if (before) *event.mutable_actual_before() = *before;
    if (after) *event.mutable_actual_after() = *after;
    return *this;
  }
  v2::SubscribeResponse& message() { return message_; }
  std::vector<v1::Event> Told() const { return InstanceEvents(message_); }
  std::vector<std::string> Kinds() const { return KindsOf(Told()); }

  static std::vector<std::string> KindsOf(const std::vector<v1::Event>& events) {
    std::vector<std::string> kinds;
    for (const v1::Event& event : events) {
      kinds.push_back(v1::Event::descriptor()->FindFieldByNumber(event.event_case())->name());
    }
    return kinds;
  }

 private:
  v2::SubscribeResponse message_;
  std::int64_t sequence_ = 0;
};

TEST(OldEvents, ARowsLife) {
  const auto unclaimed = Lrp(v2::ORDINARY, "UNCLAIMED", "");
  const auto claimed = Lrp(v2::ORDINARY, "CLAIMED");
  const auto running = Lrp(v2::ORDINARY, "RUNNING");
  EXPECT_THAT(Message()
                  .Add("actual_created", {}, unclaimed, 1)
                  .Add("actual_changed", unclaimed, claimed, 2)
                  .Add("actual_changed", claimed, running, 3)
                  .Add("actual_removed", running, {}, 4)
                  .Kinds(),
              ElementsAre("actual_lrp_instance_created", "actual_lrp_instance_changed", "actual_lrp_instance_changed",
                          "actual_lrp_instance_removed"));
}

// It loses the cell's name for it: Diego removes that one and creates another.
TEST(OldEvents, ACrashIsToldFirstAndWhatGoesLast) {
  v2::ActualLRP again = Lrp(v2::ORDINARY, "UNCLAIMED", "");
  again.set_crash_count(1);
  again.set_crash_reason("exit 1");
  const auto events = Message()
                          .Add("actual_crashed", Lrp(v2::ORDINARY, "RUNNING"), again)
                          .Add("actual_changed", Lrp(v2::ORDINARY, "RUNNING"), again)
                          .Add("actual_created", {}, Lrp(v2::ORDINARY, "UNCLAIMED", ""))
                          .Told();
  ASSERT_THAT(Message::KindsOf(events),
              ElementsAre("actual_lrp_crashed", "actual_lrp_instance_created", "actual_lrp_instance_created",
                          "actual_lrp_instance_removed"));
  EXPECT_EQ(events[0].actual_lrp_crashed().actual_lrp_instance_key().instance_guid(), "i-1");
  EXPECT_EQ(events[0].actual_lrp_crashed().crash_count(), 1);
  EXPECT_EQ(events[0].actual_lrp_crashed().crash_reason(), "exit 1");
}

TEST(OldEvents, ANewcomerIsCreatedWhenItTakesItsSlot) {
  EXPECT_THAT(Message().Add("actual_created", {}, Lrp(v2::SURGE, "UNCLAIMED", "")).Kinds(), IsEmpty());
  EXPECT_THAT(Message().Add("actual_changed", Lrp(v2::SURGE, "CLAIMED"), Lrp(v2::SURGE, "RUNNING")).Kinds(), IsEmpty());
  const auto events = Message()
                          .Add("actual_changed", Lrp(v2::ORDINARY, "RUNNING", "old"), Lrp(v2::RETIRING, "RUNNING", "old"))
                          .Add("actual_changed", Lrp(v2::SURGE, "RUNNING", "new"), Lrp(v2::ORDINARY, "RUNNING", "new"))
                          .Told();
  ASSERT_THAT(Message::KindsOf(events), ElementsAre("actual_lrp_instance_changed", "actual_lrp_instance_created"));
  EXPECT_EQ(events[0].actual_lrp_instance_changed().after().presence(), v1::ActualLRP::EVACUATING);
  EXPECT_EQ(events[0].actual_lrp_instance_changed().before().state(), "RUNNING");
  EXPECT_EQ(events[1].actual_lrp_instance_created().actual_lrp().actual_lrp_instance_key().instance_guid(), "new");
  EXPECT_THAT(Message().Add("actual_removed", Lrp(v2::SURGE, "CLAIMED"), {}).Kinds(), IsEmpty())
      << "it never was there for v1";
}

TEST(OldEvents, OrderHoldsWithinACommitAndNotOverTwo) {
  const auto running = Lrp(v2::ORDINARY, "RUNNING");
  EXPECT_THAT(Message()
                  .Add("actual_changed", running, Lrp(v2::ORDINARY, "UNCLAIMED", ""), 1)
                  .Add("actual_created", {}, running, 2)
                  .Kinds(),
              ElementsAre("actual_lrp_instance_created", "actual_lrp_instance_removed", "actual_lrp_instance_created"));
}

TEST(OldEvents, AppsAreToldWithWhatSchedulersRead) {
  Message message;
  v2::Event& event = *message.message().add_events();
  event.set_kind("desired_changed");
  event.set_sequence(9);
  event.mutable_desired_before()->set_process_guid("app");
  v2::DesiredLRPSchedulingInfo& after = *event.mutable_desired_after();
  after.set_process_guid("app");
  after.set_instances(3);
  after.add_placement_tags("ssd");
  after.mutable_resource()->set_root_fs("x:y");
  (*after.mutable_metric_tags())["source_id"].set_static_("g");
  const auto events = message.Told();
  ASSERT_THAT(Message::KindsOf(events), ElementsAre("desired_lrp_changed"));
  EXPECT_EQ(events[0].sequence(), 9);
  const v1::DesiredLRP& app = events[0].desired_lrp_changed().after();
  EXPECT_EQ(app.instances(), 3);
  EXPECT_EQ(app.root_fs(), "x:y");
  EXPECT_THAT(app.placementtags(), ElementsAre("ssd"));
  EXPECT_EQ(app.metric_tags().at("source_id").static_(), "g");
}

TEST(OldEvents, GroupsAreOfTheOneInstance) {
  v2::SubscribeResponse message =
      Message().Add("actual_changed", Lrp(v2::ORDINARY, "RUNNING"), Lrp(v2::RETIRING, "RUNNING")).message();
  const auto events = GroupEvents(message);
  ASSERT_THAT(Message::KindsOf(events), ElementsAre("actual_lrp_changed"));
  EXPECT_TRUE(events[0].actual_lrp_changed().before().has_instance());
  EXPECT_TRUE(events[0].actual_lrp_changed().after().has_evacuating());
}

TEST(OldEvents, NothingElseIsTold) {
  for (const char* kind : {"roll_opened", "roll_step", "definition_created", "cell_missing", "domain_fresh"}) {
    EXPECT_THAT(Message().Add(kind, {}, {}).Kinds(), IsEmpty()) << kind;
  }
}

}  // namespace
}  // namespace baton::transform
