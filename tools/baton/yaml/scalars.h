// One scalar of an app file, as the type of its field wants it.
#pragma once

#include <google/protobuf/message.h>

#include "tools/baton/yaml/spelling.h"
#include "tools/baton/yaml/yaml_cursor.h"

namespace baton::cli {

// Sets `field`, or adds to it where it is repeated. FileFault: it is not of the field's type, or out of its range.
// Texts are taken as they are written: `VERSION: 1.10` is "1.10".
void SetScalar(const YamlCursor& at, const google::protobuf::FieldDescriptor& field, Reading reading,
               google::protobuf::Message& message);

}  // namespace baton::cli
