#include "tools/baton/outcome.h"

namespace baton::cli {

int ExitOf(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::OK: return kDone;
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::CANCELLED:  // gRPC 1.51, of a call that no handler has seen when its server stopped
    case grpc::StatusCode::DEADLINE_EXCEEDED: return kUnreachable;
    default: return kFailed;
  }
}

bool IsFinished(v2::RollState state) {
  switch (state) {
    case v2::COMPLETED:
    case v2::COMPLETED_WITH_GAPS:
    case v2::ROLLED_BACK:
    case v2::SUPERSEDED:
    case v2::YIELDED: return true;
    default: return false;
  }
}

bool IsOver(v2::RollState state) { return state == v2::HELD || IsFinished(state); }

int ExitOf(v2::RollState state) {
  switch (state) {
    case v2::HELD:
    case v2::ROLLING_BACK:
    case v2::ROLLED_BACK:
    case v2::COMPLETED_WITH_GAPS:
    case v2::SUPERSEDED:
    case v2::YIELDED: return kFailed;
    default: return kDone;
  }
}

}  // namespace baton::cli
