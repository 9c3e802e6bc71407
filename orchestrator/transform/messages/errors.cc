#include "orchestrator/transform/messages/errors.h"

namespace baton::transform {
namespace {

v1::Error::Type TypeOf(grpc::StatusCode code, v1::Error::Type precondition) {
  switch (code) {
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::OUT_OF_RANGE: return v1::Error::InvalidRequest;
    case grpc::StatusCode::NOT_FOUND: return v1::Error::ResourceNotFound;
    case grpc::StatusCode::ALREADY_EXISTS: return v1::Error::ResourceExists;
    case grpc::StatusCode::ABORTED: return v1::Error::ResourceConflict;
    case grpc::StatusCode::FAILED_PRECONDITION: return precondition;
    case grpc::StatusCode::DATA_LOSS: return v1::Error::Deserialize;
    default: return v1::Error::UnknownError;
  }
}

}  // namespace

bool IsAnswer(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::OK:
    case grpc::StatusCode::CANCELLED:
    case grpc::StatusCode::UNAUTHENTICATED:  // of who asks, not of what: a cell would take it for a word about its instance
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
    case grpc::StatusCode::UNAVAILABLE: return false;
    default: return true;
  }
}

v1::Error ToV1(const grpc::Status& status, v1::Error::Type precondition) {
  v1::Error error;
  error.set_type(TypeOf(status.error_code(), precondition));
  error.set_message(status.error_message());
  return error;
}

}  // namespace baton::transform
