#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"

namespace baton::cli {

int Scale(Session& session) {
  const Arguments& arguments = session.arguments;
  v2::UpdateDesiredLRPRequest request;
  request.set_process_guid(arguments.guid);
  request.mutable_update()->set_instances(arguments.instances);
  request.set_idempotency_key(NewIdempotencyKey());
  const auto answer =
      session.api.Ask<v2::DesiredLRPs>("app " + arguments.guid, &v2::DesiredLRPs::Stub::UpdateDesiredLRP, request);
  session.io.out << "app " << arguments.guid << (answer.changed() ? " scaled to " : " unchanged at ")
                 << answer.desired_lrp().instances() << "\n";
  return kDone;
}

}  // namespace baton::cli
