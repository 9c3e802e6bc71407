// Makes the services of baton.v2. Each is a class in a .cc of its own (rolls/rolls_service.cc), the one place that
// repeats gRPC's signatures.
#pragma once

#include <memory>
#include <string>

namespace grpc {
class Service;
}

namespace baton {

struct ServerDependencies;

std::unique_ptr<grpc::Service> MakeActualLrpsService(ServerDependencies& dependencies);
std::unique_ptr<grpc::Service> MakeAdminService(ServerDependencies& dependencies);
// `trust_domain`: of the certificates of callers; empty: they have none.
std::unique_ptr<grpc::Service> MakeCellsService(ServerDependencies& dependencies, std::string trust_domain);
std::unique_ptr<grpc::Service> MakeDefinitionsService(ServerDependencies& dependencies);
std::unique_ptr<grpc::Service> MakeDesiredLrpsService(ServerDependencies& dependencies);
std::unique_ptr<grpc::Service> MakeDomainsService(ServerDependencies& dependencies);
std::unique_ptr<grpc::Service> MakeEventsService(ServerDependencies& dependencies);
std::unique_ptr<grpc::Service> MakeRollsService(ServerDependencies& dependencies);
// As MakeCellsService.
std::unique_ptr<grpc::Service> MakeRoutesService(ServerDependencies& dependencies, std::string trust_domain);
std::unique_ptr<grpc::Service> MakeUpgradesService(ServerDependencies& dependencies);

}  // namespace baton
