// Secrets do not leave in answers that did not ask for them: values of environment variables, contents of files,
// passwords, URLs with a password or a token.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include "orchestrator/model/secret_fields.h"

namespace baton::wire {

bool IsSecret(const google::protobuf::FieldDescriptor& field);

// Replaces every secret that is not empty, in all depths.
void Redact(google::protobuf::Message& message);

}  // namespace baton::wire
