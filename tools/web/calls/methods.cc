#include "tools/web/calls/methods.h"

#include <algorithm>
#include <array>

#include "baton/v2/actual_lrps_service.pb.h"
#include "baton/v2/admin_service.pb.h"
#include "baton/v2/cells_service.pb.h"
#include "baton/v2/definitions_service.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"
#include "baton/v2/domains_service.pb.h"
#include "baton/v2/events_service.pb.h"
#include "baton/v2/rolls_service.pb.h"
#include "baton/v2/routes_service.pb.h"
#include "baton/v2/upgrades_service.pb.h"
#include "orchestrator/wire/messages/access_options.h"

namespace baton::web {
namespace {

// A message of each file with services: naming it keeps the file's descriptors in the program.
std::array<const google::protobuf::FileDescriptor*, 10> ServiceFiles() {
  return {
      v2::RetireInstancesRequest::descriptor()->file(),
      v2::PingRequest::descriptor()->file(),
      v2::CellHello::descriptor()->file(),
      v2::GetDefinitionRequest::descriptor()->file(),
      v2::DesireLRPRequest::descriptor()->file(),
      v2::UpsertDomainRequest::descriptor()->file(),
      v2::SubscribeRequest::descriptor()->file(),
      v2::GetRollRequest::descriptor()->file(),
      v2::Route::descriptor()->file(),
      v2::GetUpgradeRequest::descriptor()->file(),
  };
}

bool IsForPeople(const MethodAccess& access) {
  return std::ranges::any_of(
      access.roles, [](Role role) { return role == Role::kViewer || role == Role::kOperator || role == Role::kAdmin; });
}

}  // namespace

Result<Methods> Methods::Make() {
  Methods made;
  auto* factory = google::protobuf::MessageFactory::generated_factory();
  for (const auto* file : ServiceFiles()) {
    for (int s = 0; s < file->service_count(); ++s) {
      for (int m = 0; m < file->service(s)->method_count(); ++m) {
        const auto* method = file->service(s)->method(m);
        const Result<MethodAccess> access = wire::AccessOf(*method);
        if (!access) return access.error();
        if (method->client_streaming() || !IsForPeople(*access)) continue;
        made.methods_.emplace(method->service()->full_name() + '/' + method->name(),
                              Method{method, factory->GetPrototype(method->input_type()),
                                     factory->GetPrototype(method->output_type()), *access});
      }
    }
  }
  return made;
}

const Method* Methods::Find(const std::string& name) const {
  const auto found = methods_.find(name);
  return found == methods_.end() ? nullptr : &found->second;
}

bool MayCall(const Method& method, Role role) {
  return std::ranges::find(method.access.roles, role) != method.access.roles.end();
}

}  // namespace baton::web
