// Every request of baton.v1 and baton.v2 is read by bounds::Parse: gRPC finds here how. To be included by each header of a
// service; a request that lacks here is parsed without bounds (ParseBounds.EachRequestOfTheApiIsBounded).
#pragma once

#include <grpcpp/impl/codegen/proto_utils.h>

#include "orchestrator/bounds/bounded_parse.h"

// What holds an app, lists of names, or texts of an app's own: as much as a message may have at all.
#define BATON_LARGE_REQUESTS_V1(Do) \
  Do(v1, ActualLRPsByProcessGuidsRequest) Do(v1, CrashActualLRPRequest) Do(v1, DesireLRPRequest) \
  Do(v1, DesiredLRPsRequest) Do(v1, EvacuateCrashedActualLRPRequest) Do(v1, EvacuateRunningActualLRPRequest) \
  Do(v1, FailActualLRPRequest) Do(v1, StartActualLRPRequest) Do(v1, UpdateDesiredLRPRequest)

#define BATON_LARGE_REQUESTS_V2(Do) \
  Do(v2, CellMessage) Do(v2, CrashActualLRPRequest) Do(v2, DesireLRPRequest) Do(v2, EvacuateActualLRPRequest) \
  Do(v2, FailActualLRPRequest) Do(v2, ListActualLRPsRequest) Do(v2, ListDesiredLRPsRequest) \
  Do(v2, PlanUpdateRequest) Do(v2, ReplaceDesiredLRPRequest) Do(v2, RouteConsumerMessage) \
  Do(v2, StartActualLRPRequest) Do(v2, SubscribeRequest) Do(v2, UpdateDesiredLRPRequest)

// What names something: kSmallMessageBytes.
#define BATON_SMALL_REQUESTS_V1(Do) \
  Do(v1, ActualLRPGroupByProcessGuidAndIndexRequest) Do(v1, ActualLRPGroupsByProcessGuidRequest) \
  Do(v1, ActualLRPGroupsRequest) Do(v1, ActualLRPsRequest) Do(v1, CellsRequest) Do(v1, ClaimActualLRPRequest) \
  Do(v1, DesiredLRPByProcessGuidRequest) Do(v1, DomainsRequest) Do(v1, EvacuateClaimedActualLRPRequest) \
  Do(v1, EvacuateStoppedActualLRPRequest) Do(v1, EventsByCellId) Do(v1, PingRequest) \
  Do(v1, RemoveActualLRPRequest) Do(v1, RemoveDesiredLRPRequest) Do(v1, RemoveEvacuatingActualLRPRequest) \
  Do(v1, RetireActualLRPRequest) Do(v1, UpsertDomainRequest)

#define BATON_SMALL_REQUESTS_V2(Do) \
  Do(v2, BeginUpgradeRequest) Do(v2, ChangeCellRequest) Do(v2, ChangeRollRequest) Do(v2, ClaimActualLRPRequest) \
  Do(v2, ConvergenceRequest) Do(v2, ExplainRollRequest) Do(v2, FinishUpgradeRequest) Do(v2, ForecastRollRequest) \
  Do(v2, GetApiUsageRequest) Do(v2, GetDefinitionRequest) Do(v2, GetDesiredLRPRequest) Do(v2, GetRollRequest) \
  Do(v2, GetUpgradeRequest) Do(v2, KeysRequest) Do(v2, ListAuditRequest) Do(v2, ListCellsRequest) \
  Do(v2, ListDefinitionsRequest) Do(v2, ListDomainsRequest) Do(v2, ListEndpointsRequest) Do(v2, ListRollsRequest) \
  Do(v2, ListRouteConsumersRequest) Do(v2, PinDefinitionRequest) Do(v2, PingRequest) Do(v2, PlanCancelRequest) \
  Do(v2, PlanRollBackRequest) Do(v2, ReadOutputRequest) Do(v2, RebalanceInstancesRequest) \
  Do(v2, RemoveActualLRPRequest) Do(v2, RemoveDesiredLRPRequest) Do(v2, RemoveRouteConsumerRequest) \
  Do(v2, RetireInstancesRequest) Do(v2, RollBackRequest) Do(v2, RollBackUpgradeRequest) Do(v2, RotateKeysRequest) \
  Do(v2, SetDomainEgressRequest) Do(v2, StatusRequest) Do(v2, UpsertDomainRequest) Do(v2, VersionsRequest) \
  Do(v2, WaitRollRequest) Do(v2, WatchRollRequest)

namespace baton::bounds {

inline constexpr std::size_t kMessageBytesMax = 4 << 20;

template <class Request, std::size_t kBytesMax>
struct BoundedTraits {
  static constexpr std::size_t kMax = kBytesMax;
  static grpc::Status Serialize(const google::protobuf::MessageLite& request, grpc::ByteBuffer* buffer, bool* own) {
    return grpc::GenericSerialize<grpc::ProtoBufferWriter, Request>(request, buffer, own);
  }
  static grpc::Status Deserialize(grpc::ByteBuffer* buffer, Request* request) {
    return Parse(*buffer, kBytesMax, *request);
  }
};

}  // namespace baton::bounds

#define BATON_DECLARE(version, Request) \
  namespace baton::version { \
  class Request; \
  }
#define BATON_BOUND_LARGE(version, Request)                      \
  BATON_DECLARE(version, Request)                                \
  template <>                                                    \
  class grpc::SerializationTraits<baton::version::Request, void> \
      : public baton::bounds::BoundedTraits<baton::version::Request, baton::bounds::kMessageBytesMax> {};
#define BATON_BOUND_SMALL(version, Request) \
  BATON_DECLARE(version, Request) \
  template <> \
  class grpc::SerializationTraits<baton::version::Request, void> \
      : public baton::bounds::BoundedTraits<baton::version::Request, baton::bounds::kSmallMessageBytes> {};

BATON_LARGE_REQUESTS_V1(BATON_BOUND_LARGE)
BATON_LARGE_REQUESTS_V2(BATON_BOUND_LARGE)
BATON_SMALL_REQUESTS_V1(BATON_BOUND_SMALL)
BATON_SMALL_REQUESTS_V2(BATON_BOUND_SMALL)

#undef BATON_BOUND_SMALL
#undef BATON_BOUND_LARGE
#undef BATON_DECLARE
