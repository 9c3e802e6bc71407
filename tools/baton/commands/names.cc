#include <set>

#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tools/baton/commands/reads.h"
#include "tools/baton/completion.h"
#include "tools/baton/outcome.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

std::set<std::string> ReadNames(Session& session) {
  const std::string& kind = session.arguments.kind;
  std::set<std::string> names;
  if (kind == "app") {
    const auto apps = session.api.List<v2::DesiredLRPs>("apps", &v2::DesiredLRPs::Stub::ListSchedulingInfos,
                                                        v2::ListDesiredLRPsRequest());
    for (const auto& app : apps.scheduling_infos()) names.insert(app.process_guid());
  } else if (kind == "cell") {
    const auto cells = ReadCells(session);
    for (const auto& cell : cells.cells()) names.insert(cell.cell_id());
  } else if (kind == "router") {
    const auto routers = ReadRouters(session);
    for (const auto& router : routers.consumers()) names.insert(router.consumer_id());
  } else if (kind == "roll") {
    const auto rolls = ReadRolls(session, {});
    for (const auto& roll : rolls.rolls()) names.insert(roll.roll_id());
  }
  return names;
}

}  // namespace

int Names(Session& session) {
  try {
    for (const std::string& name : ReadNames(session)) session.io.out << OneLine(name) << "\n";
  } catch (const Failure&) {
    return kDone;
  }
  return kDone;
}

}  // namespace baton::cli
