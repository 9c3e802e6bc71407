// Translates the end of a baton.v2 call to a baton.v1 error.
#pragma once

#include <grpcpp/support/status.h>

#include "baton/v1/error.pb.h"

namespace baton::transform {

// Something was decided about the call, and Diego has a word for it: it goes into the answer's `error`. Else the status
// itself goes back: no leader, too much at once, out of time.
bool IsAnswer(const grpc::Status& status);

// `precondition`: Diego's word where the record's state did not allow this call.
v1::Error ToV1(const grpc::Status& status, v1::Error::Type precondition = v1::Error::InvalidStateTransition);

}  // namespace baton::transform
