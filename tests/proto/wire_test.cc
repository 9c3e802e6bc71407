// Holds baton.v1 against Diego's own wire facts (wire.json beside this file): a Diego client's bytes must mean the same
// to Baton, so every name, number, type, label, presence and packing has to be Diego's. Only tasks may be missing.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "baton/v1/actions.pb.h"
#include "baton/v1/actual_lrp.pb.h"
#include "baton/v1/cells.pb.h"
#include "baton/v1/desired_lrp.pb.h"
#include "baton/v1/error.pb.h"
#include "baton/v1/events.pb.h"
#include "baton/v1/requests.pb.h"

namespace baton {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;
using Json = nlohmann::json;
using Differences = std::vector<std::string>;

constexpr char kPackage[] = "baton.v1.";
constexpr int kOursFrom = 1000;  // numbers of what the seed adds to Diego's messages: Diego is far from them

std::vector<const FileDescriptor*> Files() {
  return {v1::Action::descriptor()->file(),       v1::ActualLRP::descriptor()->file(),
          v1::CellPresence::descriptor()->file(), v1::DesiredLRP::descriptor()->file(),
          v1::Error::descriptor()->file(),        v1::ActualLRPInfo::descriptor()->file(),
          v1::PingResponse::descriptor()->file()};
}

Json WireFacts() {
  std::ifstream in(BATON_WIRE_FACTS);
  return Json::parse(in);
}

// "baton.v1.ActualLRP.Presence" -> "ActualLRP.Presence", as the facts name it.
std::string ShortName(const std::string& full_name) { return full_name.substr(sizeof(kPackage) - 1); }

bool OfTasks(const std::string& name, const Json& message) {
  if (name.find("Task") != std::string::npos) return true;
  for (const Json& field : message.at("fields")) {
    if (field.at("type").get<std::string>().find("Task") != std::string::npos) return true;
  }
  return false;
}

// The facts name a nested enum by its last part alone where it is used inside of its own message.
std::string TypeName(const FieldDescriptor& field) {
  if (field.is_map()) {
    return "map<" + TypeName(*field.message_type()->map_key()) + "," + TypeName(*field.message_type()->map_value()) +
           ">";
  }
  if (field.type() == FieldDescriptor::TYPE_MESSAGE) return ShortName(field.message_type()->full_name());
  if (field.type() != FieldDescriptor::TYPE_ENUM) return field.type_name();
  const EnumDescriptor* type = field.enum_type();
  return type->containing_type() == field.containing_type() ? type->name() : ShortName(type->full_name());
}

template <typename T>
void Compare(const std::string& where, const std::string& what, const T& facts, const T& ours, Differences& out) {
  if (facts == ours) return;
  out.push_back(where + ": " + what + " is " + Json(ours).dump() + ", Diego's is " + Json(facts).dump());
}

void CompareField(const Json& fact, const FieldDescriptor& field, Differences& out) {
  const std::string where = ShortName(field.full_name());
  const bool map = fact.at("type").get<std::string>().starts_with("map<");
  const bool repeated = map || fact.value("label", "") == "repeated";
  Compare<int>(where, "number", fact.at("number"), field.number(), out);
  Compare<std::string>(where, "type", fact.at("type"), TypeName(field), out);
  Compare<bool>(where, "repeated", repeated, field.is_repeated(), out);
  Compare<bool>(where, "deprecated", fact.value("deprecated", false), field.options().deprecated(), out);
  // proto3 packs repeated numbers unless told otherwise.
  const bool packable = repeated && field.is_packable();
  Compare<bool>(where, "packed", fact.value("packed", packable), field.is_packed(), out);
  // Diego has a oneof of one member where proto3 today has `optional`; the bytes are the same.
  const bool alone = field.containing_oneof() != nullptr && field.containing_oneof()->field_count() == 1;
  Compare<bool>(where, "optional", fact.contains("oneof"), alone, out);
  if (field.containing_oneof() != nullptr && !alone) out.push_back(where + ": is in a oneof with others");
}

void CompareMessage(const std::string& name, const Json& fact, const Descriptor& ours, Differences& out) {
  std::set<std::string> known;
  for (const Json& field : fact.at("fields")) {
    const std::string field_name = field.at("name");
    known.insert(field_name);
    const FieldDescriptor* found = ours.FindFieldByName(field_name);
    if (found == nullptr) {
      out.push_back(name + "." + field_name + ": is not there");
    } else {
      CompareField(field, *found, out);
    }
  }
  for (int i = 0; i < ours.field_count(); ++i) {
    if (ours.field(i)->number() >= kOursFrom) continue;
    if (!known.contains(ours.field(i)->name())) out.push_back(name + "." + ours.field(i)->name() + ": not Diego's");
  }
}

void CompareEnum(const std::string& name, const Json& fact, const EnumDescriptor& ours, Differences& out) {
  std::map<std::string, int> values;
  for (int i = 0; i < ours.value_count(); ++i) values[ours.value(i)->name()] = ours.value(i)->number();
  Compare(name, "the list of values", fact.get<std::map<std::string, int>>(), values, out);
}

// Everything that Diego has and we have not, or have otherwise.
Differences Missing(const Json& facts) {
  Differences out;
  const auto* pool = google::protobuf::DescriptorPool::generated_pool();
  for (const auto& [name, fact] : facts.at("messages").items()) {
    if (OfTasks(name, fact)) continue;
    const Descriptor* ours = pool->FindMessageTypeByName(kPackage + name);
    ours == nullptr ? out.push_back(name + ": is not there") : CompareMessage(name, fact, *ours, out);
  }
  for (const auto& [name, fact] : facts.at("enums").items()) {
    if (name.starts_with("Task")) continue;
    const EnumDescriptor* ours = pool->FindEnumTypeByName(kPackage + name);
    ours == nullptr ? out.push_back(name + ": is not there") : CompareEnum(name, fact, *ours, out);
  }
  return out;
}

void CollectForeign(const Json& facts, const Descriptor& message, Differences& out) {
  const std::string name = ShortName(message.full_name());
  if (!facts.at("messages").contains(name)) out.push_back(name + ": not Diego's");
  for (int i = 0; i < message.enum_type_count(); ++i) {
    const std::string enum_name = ShortName(message.enum_type(i)->full_name());
    if (!facts.at("enums").contains(enum_name)) out.push_back(enum_name + ": not Diego's");
  }
  for (int i = 0; i < message.nested_type_count(); ++i) {
    if (!message.nested_type(i)->options().map_entry()) CollectForeign(facts, *message.nested_type(i), out);
  }
}

// Messages and enums that we have and Diego has not; their fields and values are compared in Missing.
Differences Foreign(const Json& facts) {
  Differences out;
  for (const FileDescriptor* file : Files()) {
    for (int i = 0; i < file->message_type_count(); ++i) CollectForeign(facts, *file->message_type(i), out);
    for (int i = 0; i < file->enum_type_count(); ++i) out.push_back(file->enum_type(i)->full_name() + ": not Diego's");
    for (int i = 0; i < file->extension_count(); ++i) out.push_back(file->extension(i)->full_name() + ": not Diego's");
  }
  return out;
}

std::string Lines(const Differences& differences) {
  std::string text;
  for (const std::string& difference : differences) text += difference + "\n";
  return text;
}

TEST(WireTest, EveryMessageAndEnumIsDiegos) { EXPECT_EQ(Lines(Missing(WireFacts())), ""); }

TEST(WireTest, NothingIsThereThatDiegoHasNot) { EXPECT_EQ(Lines(Foreign(WireFacts())), ""); }

TEST(WireTest, TheFactsAreWhole) {
  const Json facts = WireFacts();
  EXPECT_EQ(facts.at("messages").size(), 118u);
  EXPECT_EQ(facts.at("enums").size(), 9u);
}

// The comparison itself must see what it is there for: each fact bent by a little is a difference.
struct Bent {
  const char* name;
  const char* path;
  Json value;
  const char* seen;
};

void PrintTo(const Bent& bent, std::ostream* out) { *out << bent.name; }

class WireSensitivityTest : public ::testing::TestWithParam<Bent> {};

TEST_P(WireSensitivityTest, ABentFactIsSeen) {
  Json facts = WireFacts();
  facts[Json::json_pointer(GetParam().path)] = GetParam().value;
  EXPECT_EQ(Lines(Missing(facts)), std::string(GetParam().seen) + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    All, WireSensitivityTest,
    ::testing::Values(Bent{"Number", "/messages/DesiredLRP/fields/0/number", 99,
                           "DesiredLRP.process_guid: number is 1, Diego's is 99"},
                      Bent{"Type", "/messages/DesiredLRP/fields/3/type", "int64",
                           R"(DesiredLRP.instances: type is "int32", Diego's is "int64")"},
                      Bent{"Repeated", "/messages/DesiredLRP/fields/0/label", "repeated",
                           "DesiredLRP.process_guid: repeated is false, Diego's is true"},
                      Bent{"Deprecated", "/messages/ResourceLimits/fields/1/deprecated", false,
                           "ResourceLimits.nproc: deprecated is true, Diego's is false"},
                      Bent{"Packed", "/messages/SecurityGroupRule/fields/2/packed", true,
                           "SecurityGroupRule.ports: packed is false, Diego's is true"},
                      Bent{"Optional", "/messages/PingResponse/fields/0/oneof", "optional_available",
                           "PingResponse.available: optional is false, Diego's is true"},
                      Bent{"MapType", "/messages/ProtoRoutes/fields/0/type", "map<string,string>",
                           R"(ProtoRoutes.routes: type is "map<string,bytes>", Diego's is "map<string,string>")"},
                      Bent{"EnumValue", "/enums/ActualLRP.Presence/SUSPECT", 7,
                           R"(ActualLRP.Presence: the list of values is {"EVACUATING":1,"ORDINARY":0,"SUSPECT":2}, )"
                           R"(Diego's is {"EVACUATING":1,"ORDINARY":0,"SUSPECT":7})"}));

}  // namespace
}  // namespace baton
