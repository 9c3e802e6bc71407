#include "orchestrator/wire/limits/limits.h"

#include <string>
#include <vector>

#include "orchestrator/wire/limits/text.h"

namespace baton::wire {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

std::vector<const FieldDescriptor*> SetFields(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  return fields;
}

Status CheckOne(const std::string& value, const FieldDescriptor* field, const std::string& where) {
  if (field->type() == FieldDescriptor::TYPE_BYTES) return Done{};
  return CheckText(where, value, std::string::npos - 1);
}

}  // namespace

Status CheckTexts(const Message& message, std::string_view where) {
  const auto* reflection = message.GetReflection();
  for (const FieldDescriptor* field : SetFields(message)) {
    const std::string path = std::string(where) + "." + field->name();
    const int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      Status status = Done{};
      std::string scratch;
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
        status = CheckOne(field->is_repeated() ? reflection->GetRepeatedStringReference(message, field, i, &scratch)
                                               : reflection->GetStringReference(message, field, &scratch),
                          field, path);
      } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        status = CheckTexts(field->is_repeated() ? reflection->GetRepeatedMessage(message, field, i)
                                                 : reflection->GetMessage(message, field),
                            path);
      }
      if (!status) return status;
    }
  }
  return Done{};
}

}  // namespace baton::wire
