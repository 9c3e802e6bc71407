#include "orchestrator/wire/redact.h"

#include <map>
#include <set>
#include <vector>

namespace baton::wire {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;


bool IsMessage(const FieldDescriptor* field) { return field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE; }

// Whether a message of this kind can hold a secret in any depth; `seen`: kinds within which it stands.
bool HoldsSecrets(const Descriptor* kind, std::set<const Descriptor*>& seen) {
  if (!seen.insert(kind).second) return false;
  for (int i = 0; i < kind->field_count(); ++i) {
    const FieldDescriptor* field = kind->field(i);
    if (IsSecret(*field) || (IsMessage(field) && HoldsSecrets(field->message_type(), seen))) return true;
  }
  return false;
}

using Fields = std::vector<const FieldDescriptor*>;

// The fields of a kind that are secrets or may hold one: found once, the rest of a message is not looked at. For each
// thread its own, as lists come from a few.
const Fields& FieldsOf(const Descriptor* kind) {
  thread_local std::map<const Descriptor*, Fields> known;
  const auto [at, unknown] = known.try_emplace(kind);
  if (!unknown) return at->second;
  for (int i = 0; i < kind->field_count(); ++i) {
    const FieldDescriptor* field = kind->field(i);
    std::set<const Descriptor*> seen;
    if (IsSecret(*field) || (IsMessage(field) && HoldsSecrets(field->message_type(), seen))) at->second.push_back(field);
  }
  return at->second;
}

}  // namespace

bool IsSecret(const FieldDescriptor& field) { return IsSecretField(field.full_name()); }

void Redact(google::protobuf::Message& message) {
  const auto* reflection = message.GetReflection();
  for (const FieldDescriptor* field : FieldsOf(message.GetDescriptor())) {
    if (field->is_repeated()) {
      for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
        Redact(*reflection->MutableRepeatedMessage(&message, field, i));
      }
    } else if (!reflection->HasField(message, field)) {
      continue;
    } else if (IsSecret(*field)) {
      std::string scratch;
      const std::string& value = reflection->GetStringReference(message, field, &scratch);
      if (IsSecretValue(field->full_name(), value)) reflection->SetString(&message, field, kRedacted);
    } else {
      Redact(*reflection->MutableMessage(&message, field));
    }
  }
}

}  // namespace baton::wire
