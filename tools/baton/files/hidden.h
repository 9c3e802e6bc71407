// Secrets that a file leaves out, because they were hidden when it was exported: what is stored is kept.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>

#include "baton/v2/desired_lrp.pb.h"
#include "orchestrator/base/result.h"

namespace baton::cli {

// Marks of the reader in place of a secret; no text of a file or of the API is one of them, as these hold no NUL.
// null: there has to be a stored one, of routes too, whose router is not shown; in a list: that of the same place. Left out: likewise,
// only that the configuration of a volume is an empty one where no stored volume has any. A whole list that is null: all of it.
inline const std::string kKeep("\0keep", 5);
inline const std::string kKeepIfAny("\0keep if any", 12);
inline const std::string kKeepList("\0keep list", 10);

// Whether such a secret, left out of a file, is the stored one. Others are none then, as fields that hold no secrets: arguments, an
// annotation, a URL.
bool StaysWhereLeftOut(const google::protobuf::FieldDescriptor& field);

// Puts the secrets of `stored` (with its secrets) in place of all marks in `app`; nullptr: there is no such app yet. A
// variable is found by its name, a file by its path, a volume by its driver and device; of several of one name, and of other
// lists, the element whose other fields are the same, else that of the same place. kInvalidArgument, naming the field:
// nothing stored belongs to it, or it cannot be told which.
Status KeepHidden(const v2::DesiredLRP* stored, v2::DesiredLRP& app);

}  // namespace baton::cli
