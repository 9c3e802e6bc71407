#include "tools/law/access_print.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <utility>

#include "baton/v1/bbs_service.pb.h"
#include "baton/v2/access.pb.h"
#include "baton/v2/actual_lrps_service.pb.h"
#include "baton/v2/admin_service.pb.h"
#include "baton/v2/auctioneer_service.pb.h"
#include "baton/v2/cells_service.pb.h"
#include "baton/v2/definitions_service.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"
#include "baton/v2/domains_service.pb.h"
#include "baton/v2/events_service.pb.h"
#include "baton/v2/rolls_service.pb.h"
#include "baton/v2/routes_service.pb.h"
#include "baton/v2/upgrades_service.pb.h"
#include "orchestrator/base/check.h"
#include "orchestrator/wire/messages/access_options.h"

namespace baton::law {
namespace {

using google::protobuf::FileDescriptor;
using google::protobuf::MethodDescriptor;

constexpr std::pair<Role, const char*> kColumns[] = {
    {Role::kViewer, "viewer"}, {Role::kOperator, "operator"}, {Role::kAdmin, "admin"}, {Role::kController, "controller"},
    {Role::kCell, "cell"},     {Role::kRouter, "router"},     {Role::kAuctioneer, "auctioneer"}, {Role::kBatond, "batond"}};

std::vector<const FileDescriptor*> Files() {
  return {v2::ClaimActualLRPRequest::descriptor()->file(), v2::PingRequest::descriptor()->file(),
          v2::PlaceRequest::descriptor()->file(),          v2::ListCellsRequest::descriptor()->file(),
          v2::GetDefinitionRequest::descriptor()->file(),  v2::DesireLRPRequest::descriptor()->file(),
          v2::UpsertDomainRequest::descriptor()->file(),   v2::SubscribeRequest::descriptor()->file(),
          v2::GetRollRequest::descriptor()->file(),        v2::ListEndpointsRequest::descriptor()->file(),
          v2::GetUpgradeRequest::descriptor()->file(),     v1::PingRequest::descriptor()->file()};
}

std::vector<const MethodDescriptor*> Methods() {
  std::vector<const MethodDescriptor*> methods;
  for (const FileDescriptor* file : Files()) {
    for (int s = 0; s < file->service_count(); ++s) {
      for (int m = 0; m < file->service(s)->method_count(); ++m) methods.push_back(file->service(s)->method(m));
    }
  }
  return methods;
}

MethodAccess AccessOf(const MethodDescriptor& method) {
  auto access = wire::AccessOf(method);
  CHECK(access.ok());
  return *std::move(access);
}

const char* Cell(const MethodAccess& access, Role role) {
  if (std::ranges::find(access.within, role) != access.within.end()) return "v1";
  if (std::ranges::find(access.roles, role) == access.roles.end()) return "";
  return access.reveals && MayReveal(role) ? "yes, secrets" : "yes";
}

const char* Subject(const MethodDescriptor& method) {
  switch (method.options().GetExtension(v2::access).subject()) {
    case v2::Access::APP: return "app";
    case v2::Access::A_CELL: return "cell";
    case v2::Access::A_ROUTER: return "router";
    case v2::Access::DOMAIN: return "domain";
    default: return "";
  }
}

const char* Effect(CallEffect effect) {
  switch (effect) {
    case CallEffect::kReads: return "reads";
    case CallEffect::kReports: return "reports";
    case CallEffect::kChanges: return "changes";
  }
  return "";
}

}  // namespace

Policy::Methods AllAccess() {
  Policy::Methods all;
  for (const MethodDescriptor* method : Methods()) all.emplace(wire::PathOf(*method), AccessOf(*method));
  return all;
}

std::string PrintAccess() {
  std::string table = "| call | of | does |";
  std::string line = "|---|---|---|";
  for (const auto& [role, name] : kColumns) {
    table += std::string(" ") + name + " |";
    line += "---|";
  }
  table += "\n" + line + "\n";
  const auto methods = Methods();
  for (const MethodDescriptor* method : methods) {
    const MethodAccess access = AccessOf(*method);
    table += "| `" + method->service()->full_name().substr(sizeof("baton.") - 1) + "." + method->name() + "` | " +
             Subject(*method) + " | " + Effect(access.effect) + " |";
    for (const auto& [role, name] : kColumns) table += std::string(" ") + Cell(access, role) + " |";
    table += "\n";
  }
  return "# Who may call what\n\n"
         "Printed by `build/bin/baton-law access > docs/generated/access.md` from the option `(baton.v2.access)` of "
         "the methods in\n"
         "`proto/baton`; a test compares, and another asks a batond whether it does what stands here.\n\n"
         "Who calls is read from the one URI SAN of its certificate, `spiffe://TRUST-DOMAIN/role/ROLE/NAME`, and from "
         "nothing else.\n"
         "A certificate that says anything else is UNAUTHENTICATED; a role without a `yes` is PERMISSION_DENIED, as is "
         "a call that\n"
         "there is not. Each such call counts in `baton_refused_total`; those of a known caller are in the audit as "
         "well. Health\n"
         "checks (`grpc.health.v1.Health`) are for everybody from viewer to router, server reflection for admins. "
         "Where batond runs\n"
         "without TLS, on loopback, everybody is admin.\n\n"
         "* `yes, secrets`: with `reveal_secrets`; baton.v1 shows them always, to who may see them, and `ReadOutput` "
         "what an app writes.\n"
         "  Others who ask baton.v2 for them are refused, and never get an answer without. Each time is in the audit\n"
         "  ([which](../guide/security.md)). What an app wrote before it crashed is for admins and the app's "
         "controllers, asked for or not.\n"
         "* A page (role `web`) may what the person may for whom it calls, and nothing by itself "
         "([pages](../guide/security.md#pages)).\n"
         "* `v1`: only for a call of baton.v1 that is allowed by itself, for baton.v1 asks baton.v2, and shows less.\n"
         "* `Convergence` with `run` is for operators and admins, `RemoveActualLRP` without `instance_key` for "
         "admins.\n\n"
         "* A cell names itself alone: as the holder of an instance, as the one that drains, in the filter of a list "
         "or subscription,\n"
         "  which is of itself where it does not say.\n\n"
         "**Which objects** a caller may touch is asked of each: the column `of` says what a call is about. Of "
         "viewers, operators and\n"
         "admins it is all of them.\n\n"
         "* `app`: a controller has those of the domains that the [access file](../guide/security.md) gives it. "
         "Another one is NOT_FOUND, in the\n"
         "  words of one that there is not; lists, subscriptions and snapshots leave it out. A write is decided by the "
         "domain in the\n"
         "  app's row, within its transaction. To make an app in another domain is PERMISSION_DENIED, before anything "
         "is looked at; one\n"
         "  whose guid is taken is ALREADY_EXISTS, whoever has it.\n"
         "* `domain`: of a controller, those of its own; PERMISSION_DENIED else. Names of domains are for everybody.\n"
         "* `cell`: an instance is claimed, failed or rejected by the cell that the leader has asked to run it, or "
         "that may take what\n"
         "  waits (`pulls`); all else is said of it by the cell that its row names, for the start that it names. A "
         "definition, secrets\n"
         "  and all, is read by cells that have an instance of it or were asked to run one; for others it is "
         "NOT_FOUND.\n"
         "* `router`: one of the access file, under its own name.\n\n"
         "**What a call does** stands in the column `does`: it `reads`; or a cell or a router `reports` what is so; or "
         "it `changes` what\n"
         "its caller asks for, and is in the audit, done or refused.\n\n" +
         std::to_string(methods.size()) + " calls.\n\n" + table;
}

}  // namespace baton::law
