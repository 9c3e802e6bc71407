#include "orchestrator/wire/redact.h"

#include <array>
#include <string_view>
#include <vector>

namespace baton::wire {
namespace {

using google::protobuf::FieldDescriptor;

// One list. A field of a message that is shown and that may hold a secret belongs here.
constexpr std::array<std::string_view, 10> kSecrets = {
    "baton.v1.EnvironmentVariable.value",       "baton.v1.File.content",
    "baton.v1.DesiredLRP.image_password",       "baton.v1.DesiredLRPRunInfo.image_password",
    "baton.v1.DesiredLRPUpdate.image_password", "baton.v1.SharedDevice.mount_config",
    "baton.v1.DedicatedDevice.mount_config",    "baton.v1.DedicatedDevice.device_config",
    "baton.v2.DesiredLRP.image_password",       "baton.v2.Verdict.url",
};

bool IsSecret(const FieldDescriptor* field) {
  for (const std::string_view secret : kSecrets) {
    if (field->full_name() == secret) return true;
  }
  return false;
}

}  // namespace

void Redact(google::protobuf::Message& message) {
  const auto* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (IsSecret(field)) {
      reflection->SetString(&message, field, kRedacted);
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && field->is_repeated()) {
      for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
        Redact(*reflection->MutableRepeatedMessage(&message, field, i));
      }
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      Redact(*reflection->MutableMessage(&message, field));
    }
  }
}

}  // namespace baton::wire
