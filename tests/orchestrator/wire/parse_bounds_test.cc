#include "orchestrator/wire/parse_bounds.h"

#include <gmock/gmock.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>

#include "baton/v1/requests.pb.h"
#include "baton/v2/cells_service.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"

namespace baton::wire {
namespace {

using testing::HasSubstr;

std::optional<ParsedShape> Of(const std::string& bytes, const google::protobuf::Descriptor& type) {
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()), /*block_size=*/7);
  return ShapeOf(stream, type);
}
std::optional<ParsedShape> Of(const google::protobuf::Message& message) {
  return Of(message.SerializeAsString(), *message.GetDescriptor());
}

v2::CellMessage HelloOf(int instances) {
  v2::CellMessage message;
  for (int i = 0; i < instances; ++i) {
    v2::CellInstance& one = *message.mutable_hello()->add_instances();
    const std::string id = "0e8f5f7a-9a8b-4c9b-8f0e-" + std::to_string(100'000'000'000 + i);
    one.set_actual_id(id);
    one.set_instance_guid(id);
    one.set_process_guid(id + id);
    one.set_definition_identifier(id);
    one.set_incarnation(1'000'000);
    one.set_index(i);
    one.mutable_resources()->set_memory_mb(1024);
    one.mutable_resources()->set_disk_mb(1024);
    one.mutable_resources()->set_pids(1024);
    one.mutable_resources()->set_containers(1);
    one.set_state(v2::CellInstance::RUNNING);
    one.mutable_net_info()->set_address("10.0.0.1");
    one.mutable_net_info()->set_instance_address("10.0.0.1");
    auto& port = *one.mutable_net_info()->add_ports();
    port.set_container_port(8080);
    port.set_host_port(61'000);
    one.set_routable(true);
    one.set_host_ports(1);
  }
  return message;
}

// "\n\0": field 1, a message or a text of no bytes.
std::string Empties(int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes.append("\x52\0", 2);  // field 10 of a hello: instances
  return bytes;
}

std::string Within(int field, const std::string& bytes) {
  std::string whole(1, static_cast<char>(field << 3 | 2));
  for (std::size_t left = bytes.size();; left >>= 7) {
    whole += static_cast<char>((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    if (left <= 0x7f) return whole + bytes;
  }
}

TEST(ParseBounds, ACellWithTenThousandInstancesIsWithinThemInOneMessage) {
  const v2::CellMessage message = HelloOf(10'000);
  ASSERT_LE(message.ByteSizeLong(), std::size_t{4} << 20);
  const auto shape = Of(message);
  ASSERT_TRUE(shape);
  EXPECT_EQ(Excess(*shape), "");
  EXPECT_GT(shape->fields, 200'000u);
}

TEST(ParseBounds, WhatItSaysOfMemoryIsWhatProtobufTakes) {
  for (const v2::CellMessage& message : {HelloOf(10), HelloOf(3000)}) {
    const auto shape = Of(message);
    ASSERT_TRUE(shape);
    const auto took = static_cast<double>(message.SpaceUsedLong());
    EXPECT_GT(static_cast<double>(shape->bytes), took * 0.8);
    EXPECT_LT(static_cast<double>(shape->bytes), took * 2.5);
  }
}

TEST(ParseBounds, MillionsOfEmptyEntriesAreTooMany) {
  const auto shape = Of(Within(1, Empties(2'000'000)), *v2::CellMessage::descriptor());
  ASSERT_TRUE(shape);
  EXPECT_THAT(Excess(*shape), HasSubstr("32 MiB of memory"));
  EXPECT_LT(shape->bytes, kParsedBytesMost + 1024) << "it looked on";
}

TEST(ParseBounds, EmptyTextsTakeMemoryToo) {
  v1::DesiredLRPsRequest request;
  for (int i = 0; i < 600'000; ++i) request.add_process_guids("");
  EXPECT_THAT(Excess(*Of(request)), HasSubstr("more than"));
}

TEST(ParseBounds, ManyNumbersAreTooManyFields) {
  v2::UpdateDesiredLRPRequest request;
  auto& info = *request.mutable_update()->mutable_desired_lrp()->mutable_definition()->mutable_run_info();
  for (int i = 0; i < 3'000'000; ++i) info.add_ports(1);
  EXPECT_THAT(Excess(*Of(request)), HasSubstr("more than 500000 fields"));
  std::string overwritten;
  for (int i = 0; i < 1'000'000; ++i) overwritten.append("\x08\x01", 2);
  EXPECT_THAT(Excess(*Of(Within(1, overwritten), *v2::CellMessage::descriptor())), HasSubstr("more than 500000 fields"));
}

TEST(ParseBounds, WhatIsUnknownCountsAsWell) {
  std::string junk;
  for (int i = 0; i < 800'000; ++i) junk.append("\xfa\x7f\0", 3);  // field 2047
  EXPECT_NE(Excess(*Of(junk, *v1::PingResponse::descriptor())), "");
}

TEST(ParseBounds, WhatCannotBeReadHasNoShape) {
  const auto& type = *v2::CellMessage::descriptor();
  EXPECT_FALSE(Of(std::string("\x0a\x05\x08", 3), type)) << "cut short";
  EXPECT_FALSE(Of(std::string("\0", 1), type)) << "field 0";
  EXPECT_FALSE(Of(std::string("\x0c", 1), type)) << "the end of no group";
  EXPECT_FALSE(Of(std::string("\x0f", 1), type)) << "no such type";
  EXPECT_TRUE(Of("", type));
  std::string deep;
  for (int i = 0; i < 200; ++i) deep = Within(1, deep);
  EXPECT_TRUE(Of(deep, type)) << "what is no message here is not looked into";
  const std::string groups(101, '\x7b');  // field 15 begins a group, again and again
  EXPECT_FALSE(Of(groups + std::string(101, '\x7c'), type));
  EXPECT_TRUE(Of(groups.substr(50) + std::string(51, '\x7c'), type));
}

TEST(ParseBounds, ActionsWithinActionsAreNestedAsDeepAsProtobufReadsAndNoDeeper) {
  v2::DesireLRPRequest request;
  auto* action = request.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->mutable_action();
  for (int i = 0; i < 200; ++i) action = action->mutable_serial_action()->add_actions();
  EXPECT_FALSE(Of(request));
  EXPECT_FALSE(v2::DesireLRPRequest().ParseFromString(request.SerializeAsString()));
}

// An app with a metric tag ended batond, whoever sent it: a map's entry was asked for its size, which follows a null pointer
// where the value is a message.
TEST(ParseBounds, AMapOfMessagesIsMeasured) {
  v2::DesireLRPRequest request;
  for (int i = 0; i < 100; ++i) {
    (*request.mutable_desired_lrp()->mutable_metric_tags())["tag-" + std::to_string(i)].set_static_("value");
    (*request.mutable_desired_lrp()->mutable_routes()->mutable_routes())["router-" + std::to_string(i)] = "[]";
  }
  const auto shape = Of(request);
  ASSERT_TRUE(shape);
  EXPECT_EQ(Excess(*shape), "");
  EXPECT_GT(shape->bytes, request.SpaceUsedLong() / 2);
  EXPECT_LT(shape->bytes, request.SpaceUsedLong() * 4);
}

}  // namespace
}  // namespace baton::wire
