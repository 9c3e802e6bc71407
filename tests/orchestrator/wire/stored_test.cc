#include "orchestrator/wire/stored/stored.h"

#include <gtest/gtest.h>

#include "orchestrator/wire/messages/values.h"

namespace baton::wire {
namespace {

ActualLrp Restarted() {
  ActualLrp lrp;
  lrp.net_info = {"10.0.0.1", "10.0.0.2", {{8080, 61000}}};
  lrp.ended_starts = {InstanceGuid("first"), InstanceGuid("second")};
  return lrp;
}

TEST(Stored, StartsThatAreOverAreReadBackBesideTheEndpoint) {
  ActualLrp read;
  ASSERT_TRUE(DecodeStart(EncodeStart(Restarted()), read));
  EXPECT_EQ(read, Restarted());
  ActualLrp waits = Restarted();
  waits.net_info = NetInfo();
  ASSERT_TRUE(DecodeStart(EncodeStart(waits), read));
  EXPECT_EQ(read, waits);
}

TEST(Stored, LabelsAreReadBackWithStartsThatAreOverAndWithout) {
  ActualLrp labelled = Restarted();
  labelled.net_info.ports[0].container_tls_proxy_port = 61001;
  labelled.net_info.ports[0].host_tls_proxy_port = 61002;
  labelled.net_info.preferred_address = PreferredAddress::kInstance;
  labelled.net_info.instance_ipv6_address = "fd00::2";
  labelled.labels = {{"shop.apps.internal"}, {{"source_id", "shop"}, {"instance_id", "0"}}};
  ActualLrp read;
  ASSERT_TRUE(DecodeStart(EncodeStart(labelled), read));
  EXPECT_EQ(read, labelled);
  labelled.ended_starts.clear();
  ASSERT_TRUE(DecodeStart(EncodeStart(labelled), read));
  EXPECT_EQ(read, labelled);
  ASSERT_TRUE(DecodeStart(EncodeStart(Restarted()), read));
  EXPECT_EQ(read, Restarted()) << "nothing is left of the row before";
}

// A program that knows of no starts reads the endpoint; a row of one start is as it always was.
TEST(Stored, TheEndpointIsWhereItWas) {
  v1::ActualLRPNetInfo endpoint;
  ASSERT_TRUE(endpoint.ParseFromString(EncodeStart(Restarted())));
  EXPECT_EQ(NetInfoFrom(endpoint), Restarted().net_info);
  ActualLrp once = Restarted();
  once.ended_starts.clear();
  EXPECT_EQ(EncodeStart(once), ToMessage(once.net_info).SerializeAsString());
}

TEST(Stored, NobodyIsShownAStartThatIsOver) {
  ActualLrp lrp = Restarted();
  lrp.state = LrpState::kUnclaimed;
  const v2::ActualLRP shown = ToMessage(ProcessGuid("app"), lrp);
  EXPECT_EQ(shown.instance_key().instance_guid(), "");
  EXPECT_FALSE(shown.has_net_info());
  EXPECT_EQ(shown.SerializeAsString().find("first"), std::string::npos);
}

// Before there was a default, every strategy was written with a bake time of 0.
TEST(Stored, ABakeTimeOfZeroIsOneOnlyWhereSomebodyAskedForIt) {
  Strategy strategy;
  EXPECT_EQ(DecodeStrategy(Encode(strategy))->bake_time, std::nullopt);
  for (const Duration asked : {seconds(0), seconds(7)}) {
    strategy.bake_time = asked;
    EXPECT_EQ(DecodeStrategy(Encode(strategy))->bake_time, asked);
  }
  v2::Strategy older;
  older.set_bake_time_ms(0);
  EXPECT_EQ(DecodeStrategy(older.SerializeAsString())->bake_time, std::nullopt);
  v2::Strategy read_by_an_older;
  strategy.bake_time = seconds(0);
  ASSERT_TRUE(read_by_an_older.ParseFromString(Encode(strategy)));
  EXPECT_EQ(read_by_an_older.bake_time_ms(), 0);
}

// An app was shown without its tags, and applying that would have made it so.
TEST(Stored, MetricTagsThatCannotBeReadAreAnError) {
  google::protobuf::Map<std::string, v1::MetricTagValue> tags;
  tags["source_id"].set_static_("app");
  const std::string encoded = EncodeMetricTags(tags);
  const auto read = DecodeMetricTags(encoded);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, encoded);
  EXPECT_TRUE(DecodeMetricTags("").ok());
  for (const std::string& broken : {encoded.substr(0, encoded.size() - 1), std::string("\xff\xfe\xfd")}) {
    const auto none = DecodeMetricTags(broken);
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().kind, ErrorKind::kDataLoss);
  }
}

TEST(Stored, BytesThatAreNoStartAreAnError) {
  ActualLrp lrp;
  EXPECT_FALSE(DecodeStart("\x0a\xff", lrp));
}

}  // namespace
}  // namespace baton::wire
