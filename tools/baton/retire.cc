#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"

namespace baton::cli {

int Retire(Session& session) {
  const Arguments& arguments = session.arguments;
  v2::RetireInstancesRequest request;
  request.set_process_guid(arguments.guid);
  request.set_definition_identifier(arguments.definition);
  request.set_idempotency_key(NewIdempotencyKey());
  const auto answer =
      session.api.Ask<v2::ActualLRPs>("app " + arguments.guid, &v2::ActualLRPs::Stub::RetireInstances, request);
  session.io.out << "app " << arguments.guid << ": " << answer.instances()
                 << (answer.instances() == 1 ? " instance is" : " instances are") << " replaced, without a roll\n";
  return kDone;
}

}  // namespace baton::cli
