#include "orchestrator/wire/differences/difference.h"

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <map>
#include <memory>

#include "baton/v1/desired_lrp.pb.h"
#include "orchestrator/model/fleet/shown_routers.h"
#include "orchestrator/wire/differences/compare.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/secrets/redact.h"

namespace baton::wire {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;
using Path = std::vector<MessageDifferencer::SpecificField>;

google::protobuf::TextFormat::Printer OneLinePrinter() {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.SetUseUtf8StringEscaping(true);
  return printer;
}

std::string Printed(const Message& message, const FieldDescriptor* field, int index) {
  std::string text;
  OneLinePrinter().PrintFieldValueToString(message, field, index, &text);
  return text;
}

std::string PrintedWhole(const Message& message) {
  const std::unique_ptr<Message> shown(message.New());
  shown->CopyFrom(message);
  Redact(*shown);
  std::string text;
  OneLinePrinter().PrintToString(*shown, &text);
  while (text.ends_with(' ')) text.pop_back();
  return "{" + text + "}";
}

// "{cf-router: [...], diego-ssh: <redacted>}"
std::string PrintedRoutes(const v1::ProtoRoutes& routes) {
  std::string text;
  for (const auto& [router, json] : std::map(routes.routes().begin(), routes.routes().end())) {
    text += (text.empty() ? "" : ", ") + router + ": " + (IsShownRouter(router) ? Clean(json) : kRedacted);
  }
  return "{" + text + "}";
}

// An entry of routes whose JSON is another router's own.
bool IsHiddenRoute(const Message& message) {
  const google::protobuf::Descriptor* entry = message.GetDescriptor();
  return entry->containing_type() == v1::ProtoRoutes::descriptor() &&
         !IsShownRouter(message.GetReflection()->GetString(message, entry->map_key()));
}

// Redacted; the JSON of a router that is shown is as it is, a map's entry its value.
std::string Value(const Message& message, const FieldDescriptor* field, int index) {
  const auto* reflection = message.GetReflection();
  if (field->is_map()) {
    return Value(reflection->GetRepeatedMessage(message, field, index), field->message_type()->map_value(), -1);
  }
  if (IsHiddenRoute(message)) return kRedacted;
  if (field->message_type() == v1::ProtoRoutes::descriptor()) {
    return PrintedRoutes(dynamic_cast<const v1::ProtoRoutes&>(reflection->GetMessage(message, field)));
  }
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    return PrintedWhole(field->is_repeated() ? reflection->GetRepeatedMessage(message, field, index)
                                             : reflection->GetMessage(message, field));
  }
  if (field->type() == FieldDescriptor::TYPE_BYTES && !field->is_repeated() && !IsSecret(*field)) {
    return Clean(reflection->GetString(message, field));
  }
  const v2::Sensitive kind = SensitivityOf(*field);
  if (kind == v2::NOT_SENSITIVE) return Printed(message, field, index);
  const std::string text = field->is_repeated() ? reflection->GetRepeatedString(message, field, index)
                                                : reflection->GetString(message, field);
  return IsSecretValue(kind, text) ? Hidden(kind, text) : Printed(message, field, index);
}

// Follows the path in a message; `after`: by the indexes of the second one.
std::string ValueAt(const Message& root, const Path& path, bool after) {
  const Message* message = &root;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const FieldDescriptor* field = path[i].field;
    const int index = after ? path[i].new_index : path[i].index;
    const auto* reflection = message->GetReflection();
    const bool last = i + 1 == path.size();
    if (field->is_repeated()) {
      if (index < 0 || index >= reflection->FieldSize(*message, field)) return {};
      if (last) return Value(*message, field, index);
      message = &reflection->GetRepeatedMessage(*message, field, index);
    } else {
      if (field->has_presence() && !reflection->HasField(*message, field)) return {};
      if (last) return Value(*message, field, -1);
      message = &reflection->GetMessage(*message, field);
    }
  }
  return {};
}

// Of a field that only one of them has: a number that is not there is 0.
std::string ValueOrZero(const Message& root, const Path& path, bool after) {
  const FieldDescriptor* field = path.back().field;
  const bool number =
      !field->is_repeated() && !field->has_presence() && field->cpp_type() != FieldDescriptor::CPPTYPE_STRING;
  return number ? ValueAt(root, path, after) : std::string();
}

// What names a part of a path below `message`, from "." on.
std::string PartName(const Message& message, const FieldDescriptor* field, int index) {
  if (message.GetDescriptor()->options().map_entry()) return {};  // the entry's key says it
  if (!field->is_repeated()) return "." + field->name();
  if (!field->is_map()) return "." + field->name() + "[" + std::to_string(index) + "]";
  const Message& entry = message.GetReflection()->GetRepeatedMessage(message, field, index);
  const FieldDescriptor* key = field->message_type()->map_key();
  const bool text = key->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
  const std::string name = "." + (text ? entry.GetReflection()->GetString(entry, key) : Printed(entry, key, -1));
  return message.GetDescriptor() == v1::ProtoRoutes::descriptor() ? name : "." + field->name() + name;
}

class Collector final : public MessageDifferencer::Reporter {
 public:
  Collector(const Message& before, const Message& after, std::vector<Difference>& out)
      : before_(before), after_(after), out_(out) {}

  void ReportAdded(const Message&, const Message&, const Path& path) override {
    if (Unknown(path)) return;
    out_.push_back({Name(after_, path, true), ValueOrZero(before_, path, false), ValueAt(after_, path, true)});
  }
  void ReportDeleted(const Message&, const Message&, const Path& path) override {
    if (Unknown(path)) return;
    out_.push_back({Name(before_, path, false), ValueAt(before_, path, false), ValueOrZero(after_, path, true)});
  }
  void ReportModified(const Message&, const Message&, const Path& path) override {
    if (Unknown(path)) return;
    if (path.back().field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) return;  // its differing fields are listed
    out_.push_back({Name(after_, path, true), ValueAt(before_, path, false), ValueAt(after_, path, true)});
  }

 private:
  // A field of a later version has a number and no name.
  bool Unknown(const Path& path) {
    const auto nameless = std::ranges::find(path, nullptr, &MessageDifferencer::SpecificField::field);
    if (nameless == path.end()) return false;
    const std::string name = "unknown field " + std::to_string(nameless->unknown_field_number);
    if (out_.empty() || out_.back().field != name) out_.push_back({name, kRedacted, kRedacted});
    return true;
  }

  static std::string Name(const Message& root, const Path& path, bool after) {
    std::string name;
    const Message* message = &root;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const FieldDescriptor* field = path[i].field;
      const int index = after ? path[i].new_index : path[i].index;
      name += PartName(*message, field, index);
      if (i + 1 == path.size()) break;
      const auto* reflection = message->GetReflection();
      message = field->is_repeated() ? &reflection->GetRepeatedMessage(*message, field, index)
                                     : &reflection->GetMessage(*message, field);
    }
    return name.substr(1);
  }

  const Message& before_;
  const Message& after_;
  std::vector<Difference>& out_;
};

}  // namespace

std::vector<Difference> Differences(const Message& before, const Message& after) {
  std::vector<Difference> differences;
  Collector collector(before, after, differences);
  Compare(before, after, collector);
  return differences;
}

}  // namespace baton::wire
