#include <algorithm>

#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tools/baton/commands/reads.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/views/describe.h"
#include "tools/baton/views/explain.h"
#include "tools/baton/waiting/waiting.h"

namespace baton::cli {
namespace {

// Done when each slot is served, and nothing is left of the slots that went.
Look LookAtSlots(Session& session) {
  const Arguments& arguments = session.arguments;
  v2::ListActualLRPsRequest request;
  request.set_process_guid(arguments.guid);
  const auto rows = ReadInstances(session, "", request);
  const auto surplus = std::ranges::count_if(
      rows.actual_lrps(), [&](const v2::ActualLRP& lrp) { return lrp.index() >= arguments.instances; });
  const int unserved = ReadExplanation(session, arguments.guid).unserved_size();
  Look look;
  if (surplus == 0 && unserved == 0) {
    look.done = "app " + arguments.guid + ": all " + std::to_string(arguments.instances) + " slots are served";
    return look;
  }
  look.progress = std::to_string(arguments.instances - unserved) + " of " + std::to_string(arguments.instances) +
                  " slots are served";
  const char* are = surplus == 1 ? " instance is" : " instances are";
  if (surplus > 0) look.progress += ", " + std::to_string(surplus) + are + " to go";
  return look;
}

}  // namespace

int Scale(Session& session) {
  const Arguments& arguments = session.arguments;
  v2::UpdateDesiredLRPRequest request;
  request.set_process_guid(arguments.guid);
  request.mutable_update()->set_instances(arguments.instances);
  request.set_idempotency_key(NewIdempotencyKey());
  const auto answer =
      session.api.Ask<v2::DesiredLRPs>("app " + arguments.guid, &v2::DesiredLRPs::Stub::UpdateDesiredLRP, request);
  session.io.out << "app " << arguments.guid << (answer.changed() ? " scaled to " : " unchanged at ")
                 << answer.desired_lrp().instances() << "\n"
                 << std::flush;
  if (!arguments.wait) return kDone;
  return WaitFor(session, {"app " + arguments.guid, [&] { return LookAtSlots(session); },
                           [&] {
                             return Explain(ReadExplanation(session, arguments.guid), arguments.guid, session.io.now());
                           }});
}

}  // namespace baton::cli
