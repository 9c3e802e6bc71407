#include "tools/baton/yaml/spelling.h"

#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <array>

#include "baton/v2/desired_lrp.pb.h"
#include "tools/command_line/nearest.h"

namespace baton::cli {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

struct ShortName {
  const Descriptor* message;
  std::string_view key;
  std::string_view field;
};

const std::vector<ShortName>& ShortNames() {
  static const std::vector<ShortName> kNames{
      {v2::DesiredLRP::descriptor(), "guid", "process_guid"},
      {v2::LRPDefinition::descriptor(), "identifier", "definition_identifier"},
      {v1::DesiredLRPRunInfo::descriptor(), "env", "environment_variables"},
      {v1::DesiredLRPRunInfo::descriptor(), "check", "check_definition"},
      {v1::CheckDefinition::descriptor(), "liveness", "checks"},
      {v1::CheckDefinition::descriptor(), "readiness", "readiness_checks"},
  };
  return kNames;
}

// The messages whose keys may be written where the message itself would be.
std::vector<const FieldDescriptor*> Inlined(const Descriptor& message) {
  if (&message != v2::LRPDefinition::descriptor()) return {};
  return {message.FindFieldByName("resource"), message.FindFieldByName("run_info")};
}

// What a key may leave out at the end of a field's name.
struct Ending {
  std::string_view text;
  Reading reading;
};

std::vector<Ending> EndingsOf(const Descriptor& message) {
  std::vector<Ending> endings{{"_mb", Reading::kMebibytes}, {"_ms", Reading::kMilliseconds}};
  if (&message == v1::Action::descriptor()) endings.push_back({"_action", Reading::kPlain});
  if (&message == v1::Check::descriptor()) endings.push_back({"_check", Reading::kPlain});
  return endings;
}

const FieldDescriptor* FieldNamed(const Descriptor& message, std::string_view key) {
  const std::string name(key);
  const FieldDescriptor* field = message.FindFieldByName(name);
  for (int i = 0; !field && i < message.field_count(); ++i) {
    if (message.field(i)->json_name() == name) field = message.field(i);
  }
  return field;
}

// The shortest way to write the field.
std::string KeyOf(const FieldDescriptor& field) {
  for (const ShortName& name : ShortNames()) {
    if (name.message == field.containing_type() && name.field == field.name()) return std::string(name.key);
  }
  for (const Ending& ending : EndingsOf(*field.containing_type())) {
    if (field.name().ends_with(ending.text)) return field.name().substr(0, field.name().size() - ending.text.size());
  }
  return field.name();
}

}  // namespace

Meaning MeaningOf(const Descriptor& message, std::string_view key) {
  for (const ShortName& name : ShortNames()) {
    if (name.message == &message && name.key == key) return {{FieldNamed(message, name.field)}, Reading::kPlain};
  }
  if (const FieldDescriptor* field = FieldNamed(message, key)) return {{field}, Reading::kPlain};
  for (const Ending& ending : EndingsOf(message)) {
    const FieldDescriptor* field = FieldNamed(message, std::string(key) + std::string(ending.text));
    if (field) return {{field}, ending.reading};
  }
  for (const FieldDescriptor* inlined : Inlined(message)) {
    Meaning inner = MeaningOf(*inlined->message_type(), key);
    if (inner.way.empty()) continue;
    inner.way.insert(inner.way.begin(), inlined);
    return inner;
  }
  return {};
}

bool BelongsToTheApp(const FieldDescriptor& field) {
  static constexpr std::array kApps{"desired_lrp_key", "image_username", "image_password", "metric_tags", "created_at"};
  return field.containing_type() == v1::DesiredLRPRunInfo::descriptor() &&
         std::ranges::find(kApps, field.name()) != kApps.end();
}

bool IsSetByServer(const FieldDescriptor& field) {
  static constexpr std::array kServers{"modification_tag",   "incarnation", "active_definition",
                                       "healthy_definition", "roll_id",     "content_hash"};
  const Descriptor* message = field.containing_type();
  const bool outward = message == v2::DesiredLRP::descriptor() || message == v2::LRPDefinition::descriptor();
  return outward && std::ranges::find(kServers, field.name()) != kServers.end();
}

std::string_view WhyNotGiven(const FieldDescriptor& field) {
  if (BelongsToTheApp(field)) return "belongs to the app, not to a version of it: write it beside definition";
  return IsSetByServer(field) ? "is set by the server: leave it out" : "";
}

std::vector<std::string> KeysOf(const Descriptor& message) {
  std::vector<std::string> keys;
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    const auto inlined = Inlined(message);
    if (std::ranges::find(inlined, &field) != inlined.end()) {
      const auto inner = KeysOf(*field.message_type());
      keys.insert(keys.end(), inner.begin(), inner.end());
    } else if (WhyNotGiven(field).empty() && !field.options().deprecated()) {
      keys.push_back(KeyOf(field));
    }
  }
  std::ranges::sort(keys);
  return keys;
}

std::string Suggest(const Descriptor& message, std::string_view key) {
  const auto keys = KeysOf(message);
  if (const auto nearest = Nearest(key, keys)) return "did you mean " + *nearest + "?";
  std::string all;
  for (const std::string& known : keys) all += (all.empty() ? "" : ", ") + known;
  return "expected one of " + all;
}

}  // namespace baton::cli
