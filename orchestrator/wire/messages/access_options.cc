#include "orchestrator/wire/messages/access_options.h"

#include <optional>

#include "baton/v2/access.pb.h"
#include "orchestrator/base/check.h"

namespace baton::wire {
namespace {

Role RoleOf(int role) {
  switch (role) {
    case v2::Access::VIEWER: return Role::kViewer;
    case v2::Access::OPERATOR: return Role::kOperator;
    case v2::Access::ADMIN: return Role::kAdmin;
    case v2::Access::CONTROLLER: return Role::kController;
    case v2::Access::CELL: return Role::kCell;
    case v2::Access::ROUTER: return Role::kRouter;
    case v2::Access::AUCTIONEER: return Role::kAuctioneer;
    case v2::Access::WEB: return Role::kWeb;
    case v2::Access::BATOND: return Role::kBatond;
    default: break;
  }
  CHECK(false);  // AccessOf has refused it
  return Role::kViewer;
}

std::optional<CallEffect> EffectOf(const v2::Access& access) {
  switch (access.effect()) {
    case v2::Access::READS: return CallEffect::kReads;
    case v2::Access::REPORTS: return CallEffect::kReports;
    case v2::Access::CHANGES: return CallEffect::kChanges;
    default: return std::nullopt;
  }
}

bool IsRole(int role) { return v2::Access::Role_IsValid(role) && role != v2::Access::NOBODY; }

}  // namespace

Result<MethodAccess> AccessOf(const google::protobuf::MethodDescriptor& method) {
  const v2::Access& access = method.options().GetExtension(v2::access);
  if (access.roles().empty())
    return FailedPrecondition(method.full_name() + " has no option (baton.v2.access) that says who may call it");
  const auto effect = EffectOf(access);
  if (!effect)
    return FailedPrecondition("the option (baton.v2.access) of " + method.full_name() +
                              " has no effect: READS, REPORTS or CHANGES, which is in the audit");
  MethodAccess made{.reveals = access.reveals(), .effect = *effect};
  for (const auto& [from, to] : {std::pair(&access.roles(), &made.roles), std::pair(&access.within(), &made.within)}) {
    for (const int role : *from) {
      if (!IsRole(role))
        return FailedPrecondition("the option (baton.v2.access) of " + method.full_name() +
                                  " names a role that is none");
      to->push_back(RoleOf(role));
    }
  }
  return made;
}

std::string PathOf(const google::protobuf::MethodDescriptor& method) {
  return "/" + method.service()->full_name() + "/" + method.name();
}

Result<Policy::Methods> AccessOfAll(const std::vector<std::string>& services) {
  Policy::Methods methods;
  for (const std::string& name : services) {
    const auto* service = google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(name);
    if (!service) return FailedPrecondition("this program has no service " + name);
    for (int i = 0; i < service->method_count(); ++i) {
      Result<MethodAccess> access = AccessOf(*service->method(i));
      if (!access) return access.error();
      methods.emplace(PathOf(*service->method(i)), *std::move(access));
    }
  }
  return methods;
}

}  // namespace baton::wire
