#include "tools/baton/yaml/proto_json.h"

#include <google/protobuf/descriptor.pb.h>
#include <yaml-cpp/binary.h>

#include <map>

#include "baton/v1/desired_lrp.pb.h"
#include "orchestrator/wire/secrets/sensitive.h"
#include "tools/baton/files/hidden.h"
#include "tools/baton/files/routes_text.h"
#include "tools/baton/yaml/spelling.h"

namespace baton::cli {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using nlohmann::ordered_json;

class Writer {
 public:
  explicit Writer(const JsonStyle& style) : style_(style) {}

  ordered_json Object(const Message& message) const {
    if (const auto* routes = dynamic_cast<const v1::ProtoRoutes*>(&message)) return RoutesJson(*routes);
    ordered_json object = ordered_json::object();
    for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor& field = *message.GetDescriptor()->field(i);
      if (IsShown(message, field)) object[field.name()] = Value(message, field);
    }
    return object;
  }

 private:
  bool IsShown(const Message& message, const FieldDescriptor& field) const {
    const auto* reflection = message.GetReflection();
    const bool is_set = field.is_repeated() ? reflection->FieldSize(message, &field) > 0
                                            : reflection->HasField(message, &field);
    if (is_set || field.has_presence()) return is_set;
    // A tag has one of two values; an empty text is the one of a tag that has neither.
    if (field.containing_type() == v1::MetricTagValue::descriptor()) {
      return field.name() == "static" && message.ByteSizeLong() == 0;
    }
    const bool empty_text = field.cpp_type() == FieldDescriptor::CPPTYPE_STRING && !field.is_repeated();
    return !field.options().deprecated() && !BelongsToTheApp(field) &&
           (!empty_text || style_.empty_texts || IsEmptySecret(field));
  }

  // If a hidden secret is null, an empty one has to differ from an absent one.
  bool IsEmptySecret(const FieldDescriptor& field) const {
    return style_.hidden_as_null && field.name() != "image_password" && StaysWhereLeftOut(field);
  }

  ordered_json Value(const Message& message, const FieldDescriptor& field) const {
    const auto* reflection = message.GetReflection();
    if (field.is_map()) return Map(message, field);
    if (!field.is_repeated()) return Single(message, field, -1);
    ordered_json list = ordered_json::array();
    for (int i = 0; i < reflection->FieldSize(message, &field); ++i) list.push_back(Single(message, field, i));
    return list;
  }

  // In the order of its keys: the same message gives the same text.
  ordered_json Map(const Message& message, const FieldDescriptor& field) const {
    const auto* reflection = message.GetReflection();
    std::map<std::string, ordered_json> sorted;
    for (int i = 0; i < reflection->FieldSize(message, &field); ++i) {
      const Message& entry = reflection->GetRepeatedMessage(message, &field, i);
      const ordered_json key = Single(entry, *field.message_type()->map_key(), -1);
      sorted[key.is_string() ? key.get<std::string>() : key.dump()] =
          Single(entry, *field.message_type()->map_value(), -1);
    }
    ordered_json map = ordered_json::object();
    for (auto& [key, value] : sorted) map[key] = std::move(value);
    return map;
  }

  // `index`: of a repeated field; -1: it is none.
  ordered_json Single(const Message& message, const FieldDescriptor& field, int index) const {
    const auto* r = message.GetReflection();
    const bool one = index < 0;
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return one ? r->GetInt32(message, &field) : r->GetRepeatedInt32(message, &field, index);
      case FieldDescriptor::CPPTYPE_UINT32:
        return one ? r->GetUInt32(message, &field) : r->GetRepeatedUInt32(message, &field, index);
      case FieldDescriptor::CPPTYPE_INT64:
        return std::to_string(one ? r->GetInt64(message, &field) : r->GetRepeatedInt64(message, &field, index));
      case FieldDescriptor::CPPTYPE_UINT64:
        return std::to_string(one ? r->GetUInt64(message, &field) : r->GetRepeatedUInt64(message, &field, index));
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return one ? r->GetDouble(message, &field) : r->GetRepeatedDouble(message, &field, index);
      case FieldDescriptor::CPPTYPE_FLOAT:
        return one ? r->GetFloat(message, &field) : r->GetRepeatedFloat(message, &field, index);
      case FieldDescriptor::CPPTYPE_BOOL:
        return one ? r->GetBool(message, &field) : r->GetRepeatedBool(message, &field, index);
      case FieldDescriptor::CPPTYPE_ENUM:
        return Name(field, one ? r->GetEnumValue(message, &field) : r->GetRepeatedEnumValue(message, &field, index));
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return Object(one ? r->GetMessage(message, &field) : r->GetRepeatedMessage(message, &field, index));
      case FieldDescriptor::CPPTYPE_STRING:
        return Text(field, one ? r->GetString(message, &field) : r->GetRepeatedString(message, &field, index));
    }
    return nullptr;
  }

  // A value that this version does not know is its number.
  static ordered_json Name(const FieldDescriptor& field, int number) {
    const auto* value = field.enum_type()->FindValueByNumber(number);
    return value ? ordered_json(value->name()) : ordered_json(number);
  }

  ordered_json Text(const FieldDescriptor& field, const std::string& text) const {
    if (field.type() == FieldDescriptor::TYPE_BYTES) {
      return YAML::EncodeBase64(reinterpret_cast<const unsigned char*>(text.data()), text.size());
    }
    const bool hidden = style_.hidden_as_null && text == kRedacted && wire::IsSecret(field);
    return hidden ? ordered_json(nullptr) : ordered_json(text);
  }

  JsonStyle style_;
};

}  // namespace

ordered_json JsonOf(const Message& message, const JsonStyle& style) { return Writer(style).Object(message); }

}  // namespace baton::cli
