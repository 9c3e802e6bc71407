#include "orchestrator/transform/messages/known.h"

#include <google/protobuf/unknown_field_set.h>

#include <optional>
#include <vector>

#include "baton/v1/bbs_service.pb.h"
#include "baton/v1/versioning.pb.h"
#include "orchestrator/base/check.h"

namespace baton::transform {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

struct Unknown {
  std::string where;
  int number;
};

// Of an enumeration that has grown since.
bool IsUnknownValue(const Message& message, const FieldDescriptor& field) {
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_ENUM || field.is_repeated()) return false;
  return !field.enum_type()->FindValueByNumber(message.GetReflection()->GetEnumValue(message, &field));
}

std::optional<Unknown> Find(const Message& message, const std::string& where) {
  const Reflection& reflection = *message.GetReflection();
  const auto& unknown = reflection.GetUnknownFields(message);
  if (!unknown.empty()) return Unknown{where, unknown.field(0).number()};
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (IsUnknownValue(message, *field)) return Unknown{where, field->number()};
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const std::string name = where.empty() ? field->name() : where + "." + field->name();
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      auto found = field->is_repeated()
                       ? Find(reflection.GetRepeatedMessage(message, field, i), name + "[" + std::to_string(i) + "]")
                       : Find(reflection.GetMessage(message, field), name);
      if (found) return found;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string ReplacementOf(const std::string& method) {
  const auto* found = v1::PingRequest::descriptor()->file()->pool()->FindMethodByName("baton.v1." + method);
  CHECK(found != nullptr);
  return "baton.v2." + found->options().GetExtension(v1::versioning).replacement();
}

Status CheckKnown(const Message& request, const std::string& method) {
  const auto unknown = Find(request, {});
  if (!unknown) return Done{};
  const std::string where = unknown->where.empty() ? "the request" : unknown->where;
  return Error{ErrorKind::kInvalidArgument,
               where + " has field number " + std::to_string(unknown->number) +
                   ", which baton.v1 does not have, or a value of it; nothing was changed. What it says may be said to " + ReplacementOf(method),
               {}};
}

}  // namespace baton::transform
