// Makes the services of baton.v1, which ask those of baton.v2. Each is a class in NAME_service.cc, or in
// small_services.cc.
#pragma once

#include <memory>

namespace grpc {
class Service;
}

namespace baton::transform {

class Backend;

std::unique_ptr<grpc::Service> MakeActualLrpsService(Backend& backend);
std::unique_ptr<grpc::Service> MakeCellsService(Backend& backend);
std::unique_ptr<grpc::Service> MakeDesiredLrpsService(Backend& backend);
std::unique_ptr<grpc::Service> MakeDomainsService(Backend& backend);
std::unique_ptr<grpc::Service> MakeEvacuationService(Backend& backend);
std::unique_ptr<grpc::Service> MakeEventsService(Backend& backend);
std::unique_ptr<grpc::Service> MakePingService(Backend& backend);

}  // namespace baton::transform
