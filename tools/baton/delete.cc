#include <thread>

#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/reads.h"

namespace baton::cli {
namespace {

constexpr std::chrono::milliseconds kLookEvery{250};

// Its instances drain and stop; there is nothing to watch but that they become fewer.
void WaitUntilGone(Session& session) {
  v2::ListActualLRPsRequest request;
  request.set_process_guid(session.arguments.guid);
  int told = -1;
  while (true) {
    const int left = ReadInstances(session, "", request).actual_lrps_size();
    if (left == 0) break;
    if (std::exchange(told, left) != left) {
      session.io.out << left << (left == 1 ? " instance is" : " instances are") << " left\n" << std::flush;
    }
    std::this_thread::sleep_for(kLookEvery);
  }
  session.io.out << "app " << session.arguments.guid << " is gone\n";
}

}  // namespace

int Delete(Session& session) {
  const std::string& guid = session.arguments.guid;
  v2::RemoveDesiredLRPRequest request;
  request.set_process_guid(guid);
  request.set_idempotency_key(NewIdempotencyKey());
  session.api.Ask<v2::DesiredLRPs>("app " + guid, &v2::DesiredLRPs::Stub::RemoveDesiredLRP, request);
  session.io.out << "app " << guid << " deleted: its instances drain and stop\n" << std::flush;
  if (session.arguments.wait) WaitUntilGone(session);
  return kDone;
}

}  // namespace baton::cli
