#include "orchestrator/wire/secrets/redact.h"

#include <map>
#include <string>
#include <vector>

#include "baton/v1/desired_lrp.pb.h"
#include "orchestrator/wire/messages/stands_within.h"

namespace baton::wire {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

bool IsHidden(const FieldDescriptor& field, Show shown) {
  const v2::Sensitive kind = SensitivityOf(field);
  return kind != v2::NOT_SENSITIVE && !(kind == v2::LAST_WORDS && shown == Show::kLastWords);
}

// Whether a message of this kind can hold something to hide in any depth.
bool Holds(const Descriptor& kind, Show shown) {
  return StandsWithin(kind, [shown](const FieldDescriptor& field) { return IsHidden(field, shown); });
}

struct Place {
  const FieldDescriptor* field;
  v2::Sensitive kind;  // NOT_SENSITIVE: somewhere within it
};
using Places = std::vector<Place>;

// Of a kind of message: found once, the rest of a message is not looked at. For each thread its own, as lists come from a few.
const Places& PlacesIn(const Descriptor* kind, Show shown) {
  thread_local std::map<std::pair<const Descriptor*, Show>, Places> known;
  const auto [at, unknown] = known.try_emplace({kind, shown});
  if (!unknown) return at->second;
  for (int i = 0; i < kind->field_count(); ++i) {
    const FieldDescriptor& field = *kind->field(i);
    if (IsHidden(field, shown)) {
      at->second.push_back({&field, SensitivityOf(field)});
    } else if (field.message_type() && Holds(*field.message_type(), shown)) {
      at->second.push_back({&field, v2::NOT_SENSITIVE});
    }
  }
  return at->second;
}

// Data of other routers, whose routes are not shown to any caller.
bool RedactRoutes(Message& message) {
  bool hidden = false;
  for (auto& [router, json] : *dynamic_cast<v1::ProtoRoutes&>(message).mutable_routes()) {
    if (IsShownRouter(router)) continue;
    json = kRedacted;
    hidden = true;
  }
  return hidden;
}

bool RedactTexts(const Place& place, Message& message) {
  const auto* reflection = message.GetReflection();
  bool hidden = false;
  for (int i = 0; i < reflection->FieldSize(message, place.field); ++i) {
    const std::string value = reflection->GetRepeatedString(message, place.field, i);
    if (!IsSecretValue(place.kind, value)) continue;
    reflection->SetRepeatedString(&message, place.field, i, Hidden(place.kind, value));
    hidden = true;
  }
  return hidden;
}

bool RedactText(const Place& place, Message& message) {
  const auto* reflection = message.GetReflection();
  std::string scratch;
  const std::string& value = reflection->GetStringReference(message, place.field, &scratch);
  if (!IsSecretValue(place.kind, value)) return false;
  reflection->SetString(&message, place.field, Hidden(place.kind, value));
  return true;
}

}  // namespace

bool HoldsSecrets(const Descriptor& kind) { return Holds(kind, Show::kNone); }

bool Redact(Message& message, Show shown) {
  if (shown == Show::kAll) return false;
  const auto* reflection = message.GetReflection();
  bool hidden = false;
  for (const Place& place : PlacesIn(message.GetDescriptor(), shown)) {
    const FieldDescriptor* field = place.field;
    if (place.kind == v2::ROUTES) {
      hidden = RedactRoutes(message) || hidden;
    } else if (place.kind != v2::NOT_SENSITIVE && field->is_repeated()) {
      hidden = RedactTexts(place, message) || hidden;
    } else if (field->is_repeated()) {
      for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
        hidden = Redact(*reflection->MutableRepeatedMessage(&message, field, i), shown) || hidden;
      }
    } else if (!reflection->HasField(message, field)) {
      continue;
    } else if (place.kind != v2::NOT_SENSITIVE) {
      hidden = RedactText(place, message) || hidden;
    } else {
      hidden = Redact(*reflection->MutableMessage(&message, field), shown) || hidden;
    }
  }
  return hidden;
}

}  // namespace baton::wire
