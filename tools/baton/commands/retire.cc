#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/waiting/retiring.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

std::string Instances(int count) { return std::to_string(count) + (count == 1 ? " instance" : " instances"); }

std::string RetirementWords(const v2::RetireInstancesResponse& answer) {
  if (answer.instances() == 0) return "no instance is replaced: none runs that is meant";
  if (answer.outcome().empty()) {  // of a batond that does not say how
    return Instances(answer.instances()) + (answer.instances() == 1 ? " is" : " are") + " replaced";
  }
  return Instances(answer.instances()) + ": " + OneLine(answer.outcome());
}

}  // namespace

int Retire(Session& session) {
  const Arguments& arguments = session.arguments;
  v2::RetireInstancesRequest request;
  request.set_process_guid(arguments.guid);
  request.set_definition_identifier(arguments.definition);
  request.set_idempotency_key(NewIdempotencyKey());
  const auto answer =
      session.api.Ask<v2::ActualLRPs>("app " + arguments.guid, &v2::ActualLRPs::Stub::RetireInstances, request);
  if (!PrintedMessage(session, answer))
    session.io.out << "app " << arguments.guid << ": " << RetirementWords(answer) << "\n";
  session.io.out << std::flush;
  if (!arguments.wait || answer.instances() == 0) return kDone;
  if (answer.retired_size() == 0) {
    throw Failure(kFailed, "this batond does not say which instances it replaces: --wait cannot tell when it is done");
  }
  std::vector<RetiringStart> starts;
  for (const auto& one : answer.retired()) starts.push_back({one.actual_id(), one.instance_guid(), one.index()});
  return AwaitRetired(session, arguments.guid, starts);
}

}  // namespace baton::cli
