// Removes secrets from answers to calls that did not ask for them, by the option (baton.v2.sensitive) of the .proto
// files.
#pragma once

#include <google/protobuf/message.h>

#include "orchestrator/wire/secrets/sensitive.h"

namespace baton::wire {

// What an answer shows, the least first: no secret; none but what apps wrote before they crashed, which stands below the cell's
// sentence; each.
enum class Show { kNone, kLastWords, kAll };

// Hides what is not to be shown, in all depths. Whether anything was hidden.
bool Redact(google::protobuf::Message& message, Show shown = Show::kNone);

// Whether a message of this kind can hold a secret, in any depth.
bool HoldsSecrets(const google::protobuf::Descriptor& kind);

}  // namespace baton::wire
