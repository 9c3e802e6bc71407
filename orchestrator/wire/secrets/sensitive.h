// Which fields of the API may hold a secret: the option (baton.v2.sensitive) of the .proto files. batond hides them in answers, and
// the command line must know what was hidden: it takes such an answer back as a file.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <string_view>

#include "baton/v2/sensitive.pb.h"
#include "orchestrator/model/calls/secret_text.h"
#include "orchestrator/model/fleet/shown_routers.h"

namespace baton::wire {

inline v2::Sensitive SensitivityOf(const google::protobuf::FieldDescriptor& field) {
  return field.options().GetExtension(v2::sensitive);
}

// Whether what stands in it is always, or may be, a secret.
inline bool IsSecret(const google::protobuf::FieldDescriptor& field) { return SensitivityOf(field) != v2::NOT_SENSITIVE; }

// Whether this text of such a field is one; of a list: this one of its texts. Of routes: see IsShownRouter.
inline bool IsSecretValue(v2::Sensitive kind, std::string_view value) {
  switch (kind) {
    case v2::VALUE: return !value.empty();
    case v2::URL: return IsSecretUrl(value);
    case v2::LAST_WORDS: return HasLastWords(value);
    default: return false;
  }
}

// What is shown in its place.
inline std::string Hidden(v2::Sensitive kind, std::string_view value) {
  return kind == v2::LAST_WORDS ? CellsSentence(value) : kRedacted;
}

}  // namespace baton::wire
