#include "orchestrator/server/admin_service.h"

#include "orchestrator/server/call_context.h"

namespace baton {

grpc::ServerUnaryReactor* AdminService::Ping(grpc::CallbackServerContext* context, const v2::PingRequest*,
                                             v2::PingResponse* response) {
  response->set_available(s_.leading());
  if (const auto view = s_.who_leads(); view && view->running) {
    response->set_leader_address(view->address);
    response->set_epoch(view->epoch);
  }
  auto* reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerUnaryReactor* AdminService::Versions(grpc::CallbackServerContext* context, const v2::VersionsRequest*,
                                                 v2::VersionsResponse* response) {
  auto* reactor = context->DefaultReactor();
  response->set_app_version(app_version_);
  response->add_api_versions("v2");
  if (const auto view = s_.who_leads(); view && view->running) response->set_epoch(view->epoch);
  s_.reads.Run([context, reactor, response](Result<Reader*> reader) {
    const auto versions = reader ? (*reader)->ReadVersions() : Result<DataVersions>(reader.error());
    if (!versions) return Finish(*context, *reactor, versions.error());
    response->set_schema_version(versions->semver);
    response->set_schema_migration(versions->migration);
    response->set_postgres_version(versions->server);
    Finish(*context, *reactor, Done{});
  });
  return reactor;
}

}  // namespace baton
