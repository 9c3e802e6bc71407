// Definitions in and out of their messages: nothing is lost, and everything that decides how an instance runs counts.
#include "orchestrator/wire/messages/definition.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include "baton/v2/desired_lrps_service.pb.h"
#include "orchestrator/wire/limits/field_limits.h"
#include "tests/orchestrator/wire/full_definition.h"

namespace baton::wire {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using ::testing::HasSubstr;

TEST(DefinitionMessage, NothingIsLostOnTheWayThroughTheStore) {
  const v2::LRPDefinition given = FullApp().definition();
  const auto input = DefinitionFrom(given);
  ASSERT_TRUE(input.ok()) << input.error().message;
  auto back = ToMessage(input->definition, input->run_info);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->content_hash(), ContentHash(given));
  back->clear_content_hash();
  std::string difference;
  google::protobuf::util::MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&difference);
  EXPECT_TRUE(differencer.Compare(given, *back)) << difference;
}

// Another value of the same type.
void Change(Message& message, const FieldDescriptor& field) {
  const auto* r = message.GetReflection();
  if (field.is_repeated()) return r->RemoveLast(&message, &field);
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL: return r->SetBool(&message, &field, !r->GetBool(message, &field));
    case FieldDescriptor::CPPTYPE_STRING: return r->SetString(&message, &field, r->GetString(message, &field) + "x");
    case FieldDescriptor::CPPTYPE_INT32: return r->SetInt32(&message, &field, r->GetInt32(message, &field) + 1);
    case FieldDescriptor::CPPTYPE_INT64: return r->SetInt64(&message, &field, r->GetInt64(message, &field) + 1);
    case FieldDescriptor::CPPTYPE_UINT32: return r->SetUInt32(&message, &field, r->GetUInt32(message, &field) + 1);
    case FieldDescriptor::CPPTYPE_UINT64: return r->SetUInt64(&message, &field, r->GetUInt64(message, &field) + 1);
    case FieldDescriptor::CPPTYPE_ENUM: return r->SetEnumValue(&message, &field, r->GetEnumValue(message, &field) + 1);
    default: FAIL() << "no other value is known for " << field.full_name();
  }
}

TEST(ContentHash, EachFieldOfTheContentChangesItAndTheNameDoesNot) {
  const v2::LRPDefinition given = FullApp().definition();
  const std::string hash = ContentHash(given);
  int count = 0;
  v2::LRPDefinition walked = given;
  ForEachValue(walked, [&](Message&, const FieldDescriptor&) { ++count; });
  ASSERT_GT(count, 100) << "the example has everything";
  for (int nth = 0; nth < count; ++nth) {
    v2::LRPDefinition other = given;
    int at = 0;
    std::string name;
    ForEachValue(other, [&](Message& holder, const FieldDescriptor& field) {
      if (at++ != nth) return;
      name = field.full_name();
      Change(holder, field);
    });
    if (name == "baton.v2.LRPDefinition.definition_identifier") {
      EXPECT_EQ(ContentHash(other), hash);
    } else {
      EXPECT_NE(ContentHash(other), hash) << name;
    }
  }
}

// A cell of an older version computes the hash of what it got, with a field that it does not know. Protobuf writes such a field
// behind all others of its message, and the newer version where its number stands: so a new one's number is the highest.
TEST(ContentHash, AFieldThatIsNotKnownYetStandsBehindAllOthersOfItsMessage) {
  const v2::LRPDefinition known = FullApp().definition();
  for (const bool deep : {false, true}) {
    v2::LRPDefinition newer = known;
    Message& holder = deep ? static_cast<Message&>(*newer.mutable_run_info()) : newer;
    const std::string without = CanonicalBytes(holder);
    holder.GetReflection()->MutableUnknownFields(&holder)->AddLengthDelimited(1, "of a later version");
    EXPECT_TRUE(CanonicalBytes(holder).starts_with(without));
    EXPECT_NE(ContentHash(newer), ContentHash(known));
  }
}

TEST(ContentHash, TheOrderInWhichAMapWasFilledDoesNotCount) {
  v2::LRPDefinition one, other;
  for (int i = 0; i < 50; ++i) {
    (*one.mutable_run_info()->mutable_network()->mutable_properties())["k" + std::to_string(i)] = "v";
    (*other.mutable_run_info()->mutable_network()->mutable_properties())["k" + std::to_string(49 - i)] = "v";
  }
  EXPECT_EQ(ContentHash(one), ContentHash(other));
}

TEST(DefinitionMessage, WithoutANameItsContentHashIsIt) {
  v2::LRPDefinition given = FullApp().definition();
  given.clear_definition_identifier();
  const auto input = DefinitionFrom(given);
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(input->definition.id.str(), ContentHash(given));
}

struct Spoilt {
  std::function<void(v2::LRPDefinition&)> spoil;
  std::string sentence;  // empty: it is taken
};

TEST(DefinitionMessage, EachLimitIsTakenAndOneMoreIsNot) {
  const auto resource = [](auto change) { return [change](v2::LRPDefinition& d) { change(*d.mutable_resource()); }; };
  const auto run = [](auto change) { return [change](v2::LRPDefinition& d) { change(*d.mutable_run_info()); }; };
  const std::vector<Spoilt> all = {
      {resource([](auto& r) { r.set_memory_mb(1 << 20); }), ""},
      {resource([](auto& r) { r.set_memory_mb((1 << 20) + 1); }),
       "definition.resource.memory_mb is 1048577; it takes 0 to 1048576"},
      {resource([](auto& r) { r.set_disk_mb(-1); }), "definition.resource.disk_mb is -1; it takes 0 to 1048576"},
      {resource([](auto& r) { r.set_max_pids((1 << 20) + 1); }), "definition.resource.max_pids is 1048577"},
      {resource([](auto& r) { r.set_root_fs("cflinuxfs4"); }), "definition.resource.root_fs is not what it may be; it must be a URL"},
      {resource([](auto& r) { r.set_root_fs(":x"); }), "it must be a URL with a scheme"},
      {resource([](auto& r) { r.set_root_fs("x:" + std::string(1022, 'y')); }), ""},
      {resource([](auto& r) { r.set_root_fs("x:" + std::string(1023, 'y')); }), "1024"},
      {run([](auto& r) { r.set_ports(0, 65535); }), ""},
      {run([](auto& r) { r.set_ports(0, 65536); }), "definition.run_info.ports[0] is 65536; it takes 1 to 65535"},
      {run([](auto& r) { r.set_ports(0, 0); }), "definition.run_info.ports[0] is 0"},
      {run([](auto& r) { r.set_ports(1, r.ports(0)); }), "definition.run_info.ports[1] is 8080 a second time"},
      {run([](auto& r) { r.set_start_timeout_ms(86'400'000); }), ""},
      {run([](auto& r) { r.set_start_timeout_ms(86'400'001); }),
       "start_timeout_ms is 86400001; it takes 0 to 86400000"},
      {run([](auto& r) { r.mutable_environment_variables(0)->set_name("A=B"); }),
       "environment_variables[0].name is not what it may be"},
      {run([](auto& r) { r.mutable_environment_variables(0)->set_name(""); }), "must not be empty or contain '='"},
      {run([](auto& r) { r.set_image_password("p"); }), "image_password belongs to the app"},
      {[](auto& d) { d.set_definition_identifier(std::string(255, 'a')); }, ""},
      {[](auto& d) { d.set_definition_identifier(std::string(256, 'a')); }, "255"},
      {[](auto& d) { d.add_placement_tags(""); }, "definition.placement_tags holds an empty one"},
  };
  for (const Spoilt& each : all) {
    v2::LRPDefinition definition = FullApp().definition();
    each.spoil(definition);
    const auto input = DefinitionFrom(definition);
    EXPECT_EQ(input.ok(), each.sentence.empty()) << each.sentence << (input ? "" : input.error().message);
    if (!input) {
      EXPECT_THAT(input.error().message, HasSubstr(each.sentence));
    }
  }
}

TEST(FullApp, IsWithinTheLimitsOfRequests) {
  v2::DesireLRPRequest request;
  *request.mutable_desired_lrp() = FullApp();
  const Status status = CheckLimits(request);
  EXPECT_TRUE(status.ok()) << status.error().message;
}

}  // namespace
}  // namespace baton::wire
