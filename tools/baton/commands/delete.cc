#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tools/baton/commands/reads.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/views/roll_table.h"
#include "tools/baton/waiting/waiting.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

std::string InstancesLeft(int left) {
  return std::to_string(left) + (left == 1 ? " instance is" : " instances are") + " left";
}

v2::ListActualLRPsResponse ReadLeft(Session& session) {
  v2::ListActualLRPsRequest request;
  request.set_process_guid(session.arguments.guid);
  return ReadInstances(session, "", request);
}

// Its instances drain and stop; no roll tells of them.
int WaitUntilGone(Session& session) {
  const std::string what = "app " + session.arguments.guid;
  return WaitFor(session, {what,
                           [&] {
                             const int left = CountOf(ReadLeft(session));
                             Look look{.progress = left == 0 ? "" : InstancesLeft(left), .done = {}, .stuck = {}};
                             if (left == 0) look.done = what + " is gone";
                             return look;
                           },
                           [&] {
                             std::string text = what + " is deleted, and goes as its instances stop\n";
                             const auto left = ReadLeft(session);
                             for (const auto& lrp : left.actual_lrps()) {
                               text += "  slot " + std::to_string(lrp.index()) + ": " +
                                       InstanceWords(lrp, session.io.now()) + ", " + lrp.actual_id() + "\n";
                             }
                             for (const auto& row : left.unreadable()) text += "  " + OneLine(row.row()) + " cannot be read\n";
                             return text;
                           }});
}

}  // namespace

int Delete(Session& session) {
  const std::string& guid = session.arguments.guid;
  v2::RemoveDesiredLRPRequest request;
  request.set_process_guid(guid);
  request.set_idempotency_key(NewIdempotencyKey());
  session.api.Ask<v2::DesiredLRPs>("app " + guid, &v2::DesiredLRPs::Stub::RemoveDesiredLRP, request);
  session.io.out << "app " << guid << " deleted: its instances drain and stop\n" << std::flush;
  return session.arguments.wait ? WaitUntilGone(session) : kDone;
}

}  // namespace baton::cli
