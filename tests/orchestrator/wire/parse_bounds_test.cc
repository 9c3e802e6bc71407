#include "orchestrator/wire/limits/parse_bounds.h"

#include <gmock/gmock.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>

#include "baton/v1/requests.pb.h"
#include "baton/v2/cells_service.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"

namespace baton::wire {
namespace {

using ::testing::HasSubstr;

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

// An app of baton.v1 with a metric tag ended batond.
TEST(ParseBounds, AMapIsMeasuredAsWell) {
  v1::DesireLRPRequest request;
  auto& tags = *request.mutable_desired_lrp()->mutable_metric_tags();
  tags["app"].set_static_("a");
  const auto one = Of(request);
  ASSERT_TRUE(one);
  EXPECT_EQ(Excess(*one), "");
  for (int i = 0; i < 2000; ++i) tags["app-" + std::to_string(i)].set_static_("a");
  const auto many = Of(request);
  ASSERT_TRUE(many);
  EXPECT_GT(many->bytes, request.SpaceUsedLong() * 8 / 10);
  EXPECT_LT(many->bytes, request.SpaceUsedLong() * 25 / 10);
}

// One of each field, and of each field of those.
void Fill(google::protobuf::Message& message, int levels) {
  const auto& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const auto& field = *type.field(i);
    const auto& reflection = *message.GetReflection();
    if (field.cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
      if (levels == 0) continue;
      Fill(field.is_repeated() ? *reflection.AddMessage(&message, &field) : *reflection.MutableMessage(&message, &field), levels - 1);
    } else if (field.cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_STRING) {
      field.is_repeated() ? reflection.AddString(&message, &field, "a") : reflection.SetString(&message, &field, "a");
    }
  }
}

TEST(ParseBounds, EveryMessageThereIsHasAShape) {
  int messages = 0;
  for (const auto* file : {v2::CellMessage::descriptor()->file(), v2::DesireLRPRequest::descriptor()->file(),
                           v2::DesireLRPRequest().desired_lrp().GetDescriptor()->file(), v1::DesireLRPRequest::descriptor()->file(),
                           v1::DesireLRPRequest().desired_lrp().GetDescriptor()->file()}) {
    for (int i = 0; i < file->message_type_count(); ++i) {
      const std::unique_ptr<google::protobuf::Message> message(
          google::protobuf::MessageFactory::generated_factory()->GetPrototype(file->message_type(i))->New());
      Fill(*message, 4);
      EXPECT_TRUE(Of(*message)) << message->GetTypeName();
      ++messages;
    }
  }
  EXPECT_GT(messages, 50);
}

TEST(ParseBounds, MillionsOfEmptyEntriesAreTooMany) {
  const auto shape = Of(Within(1, Empties(2'000'000)), *v2::CellMessage::descriptor());
  ASSERT_TRUE(shape);
  EXPECT_THAT(Excess(*shape), HasSubstr("32 MiB of memory"));
  EXPECT_LT(shape->bytes, kParsedBytesMax + 1024) << "it looked on";
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

}  // namespace
}  // namespace baton::wire
