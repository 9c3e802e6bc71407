#include "orchestrator/wire/limits/limits.h"

#include <ranges>
#include <string>
#include <vector>

#include "orchestrator/wire/limits/text.h"

namespace baton::wire {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Way = std::vector<const FieldDescriptor*>;

// Looks for a text that may not be there. `way`: to it, the last field first.
bool FindStrange(const Message& message, Way& way, std::string& strange) {
  const auto& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> given;
  reflection.ListFields(message, &given);
  for (const FieldDescriptor* field : given) {
    const bool list = field->is_repeated();
    const bool text = field->type() == FieldDescriptor::TYPE_STRING;
    if (!text && field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const int count = list ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      bool found = false;
      if (text) {
        std::string scratch;
        const std::string& value = list ? reflection.GetRepeatedStringReference(message, field, i, &scratch)
                                        : reflection.GetStringReference(message, field, &scratch);
        found = !IsText(value);
        if (found) strange = value;
      } else {
        found = FindStrange(list ? reflection.GetRepeatedMessage(message, field, i) : reflection.GetMessage(message, field),
                            way, strange);
      }
      if (found) return way.push_back(field), true;
    }
  }
  return false;
}

}  // namespace

Status CheckTexts(const Message& message, std::string_view where) {
  Way way;
  std::string strange;
  if (!FindStrange(message, way, strange)) return Done{};
  std::string path(where);
  for (const FieldDescriptor* field : way | std::views::reverse) path += "." + field->name();
  return CheckText(path, strange, strange.size());
}

}  // namespace baton::wire
