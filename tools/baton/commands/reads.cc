#include "tools/baton/commands/reads.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "baton/v2/cells_service.grpc.pb.h"
#include "baton/v2/definitions_service.grpc.pb.h"
#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "baton/v2/rolls_service.grpc.pb.h"
#include "baton/v2/routes_service.grpc.pb.h"
#include "tools/baton/outcome.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

// By app and slot, the older one of a slot first: the server gives them as it reads them.
v2::ListActualLRPsResponse ListInstances(Session& session, const v2::ListActualLRPsRequest& request) {
  auto all = session.api.List<v2::ActualLRPs>("instances", &v2::ActualLRPs::Stub::ListActualLRPs, request);
  std::ranges::sort(*all.mutable_actual_lrps(), {}, [](const v2::ActualLRP& lrp) {
    return std::tuple(lrp.process_guid(), lrp.index(), lrp.since(), lrp.actual_id());
  });
  return all;
}

// GUID/SLOT taken apart; nothing: it is something else.
bool TakeSlot(const std::string& name, v2::ListActualLRPsRequest& request) {
  const std::size_t slash = name.rfind('/');
  std::int32_t index = 0;
  if (slash == std::string::npos) return false;
  const char* end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + slash + 1, end, index);
  if (read.ec != std::errc() || read.ptr != end || index < 0) {
    throw Failure(kUsage, "'" + name + "' is no instance: give APP/SLOT, for example hello/0, or an id");
  }
  request.set_process_guid(name.substr(0, slash));
  request.set_index(index);
  return true;
}

}  // namespace

v2::DesiredLRP ReadApp(Session& session, const std::string& guid) {
  v2::GetDesiredLRPRequest request;
  request.set_process_guid(guid);
  return session.api.Ask<v2::DesiredLRPs>("app " + guid, &v2::DesiredLRPs::Stub::GetDesiredLRP, request).desired_lrp();
}

v2::ListDesiredLRPsResponse ReadApps(Session& session, const std::string& domain) {
  v2::ListDesiredLRPsRequest request;
  request.set_domain(domain);
  return session.api.List<v2::DesiredLRPs>("apps", &v2::DesiredLRPs::Stub::ListDesiredLRPs, request);
}

v2::ListCellsResponse ReadCells(Session& session) {
  return session.api.Ask<v2::Cells>("cells", &v2::Cells::Stub::ListCells, v2::ListCellsRequest());
}

v2::ListRouteConsumersResponse ReadRouters(Session& session) {
  return session.api.Ask<v2::Routes>("routers", &v2::Routes::Stub::ListRouteConsumers, v2::ListRouteConsumersRequest());
}

v2::ListRollsResponse ReadRolls(Session& session, const v2::ListRollsRequest& request) {
  return session.api.List<v2::Rolls>("rolls", &v2::Rolls::Stub::ListRolls, request);
}

v2::ListDefinitionsResponse ReadDefinitions(Session& session, const std::string& guid, const std::string& domain) {
  v2::ListDefinitionsRequest request;
  request.set_process_guid(guid);
  request.set_domain(domain);
  return session.api.List<v2::Definitions>("definitions", &v2::Definitions::Stub::ListDefinitions, request);
}

int CountOf(const v2::ListActualLRPsResponse& list) { return list.actual_lrps_size() + list.unreadable_size(); }

v2::ListActualLRPsResponse ReadInstances(Session& session, const std::string& name, v2::ListActualLRPsRequest request) {
  const bool slot = TakeSlot(name, request);
  const bool id = !slot && IsUuid(name);
  if (!slot && !id && !name.empty()) request.set_process_guid(name);
  auto instances = ListInstances(session, request);
  if (id) {  // an app may be called so too
    auto& rows = *instances.mutable_actual_lrps();
    const auto other = [&name](const v2::ActualLRP& lrp) {
      return lrp.actual_id() != name && lrp.process_guid() != name;
    };
    rows.erase(std::remove_if(rows.begin(), rows.end(), other), rows.end());
  }
  return instances;
}

v2::GetRollResponse ReadRoll(Session& session, const std::string& name, bool with_steps) {
  v2::GetRollRequest request;
  request.set_with_steps(with_steps);
  if (IsUuid(name)) {
    request.set_roll_id(name);
    const auto found = session.api.Find<v2::Rolls>("roll " + name, &v2::Rolls::Stub::GetRoll, request);
    if (found) return *found;
    request.clear_roll_id();  // an app may be called so too
  }
  request.set_process_guid(name);
  return session.api.Ask<v2::Rolls>("roll of app " + name, &v2::Rolls::Stub::GetRoll, request);
}

}  // namespace baton::cli
