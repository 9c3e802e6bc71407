#include "baton/v2/routes_service.grpc.pb.h"
#include "tools/baton/commands/reads.h"
#include "tools/baton/outcome.h"
#include "tools/baton/views/listing.h"

namespace baton::cli {

int RouterGet(Session& session) {
  const v2::ListRouteConsumersResponse routers = ReadRouters(session);
  if (PrintedMessage(session, routers)) return kDone;
  const TableStyle style{session.io.now(), session.arguments.output == Output::kWide};
  session.io.out << Render(RoutersTable(routers, style));
  return kDone;
}

int RouterRemove(Session& session) {
  v2::RemoveRouteConsumerRequest request;
  request.set_consumer_id(session.arguments.name);
  session.api.Ask<v2::Routes>("router " + session.arguments.name, &v2::Routes::Stub::RemoveRouteConsumer, request);
  session.io.out << "router " << session.arguments.name << " is gone: nothing waits for it any more\n";
  return kDone;
}

}  // namespace baton::cli
