#include "orchestrator/server/domains_service.h"

#include "orchestrator/server/api_call.h"
#include "orchestrator/wire/values.h"

namespace baton {
namespace {

void AddEgress(const EgressPolicy& policy, v2::ListDomainsResponse& response) {
  const auto add = [&](const std::string& domain, UnenforcedEgress what) {
    v2::DomainEgress& one = *response.add_egress();
    one.set_domain(domain);
    one.set_unenforced(Name(what));
  };
  for (const auto& [domain, what] : policy.by_domain) add(domain, what);
  add("*", policy.others);
}

}  // namespace

grpc::ServerUnaryReactor* DomainsService::UpsertDomain(grpc::CallbackServerContext* context,
                                                       const v2::UpsertDomainRequest* request,
                                                       v2::UpsertDomainResponse* response) {
  auto* reactor = context->DefaultReactor();
  if (const Status allowed = s_.Admit(*context, *request); !allowed) return Finish(*context, *reactor, allowed), reactor;
  const auto ttl = request->ttl_s() > 0 ? std::optional<Duration>(seconds(request->ttl_s())) : std::nullopt;
  s_.registry.UpsertDomain(request->domain(), ttl, [=](const Result<DomainRecord>& domain) {
    if (domain) *response->mutable_domain() = wire::ToMessage(*domain);
    Finish(*context, *reactor, domain ? Status(Done{}) : Status(domain.error()));
  });
  return reactor;
}

grpc::ServerUnaryReactor* DomainsService::ListDomains(grpc::CallbackServerContext* context,
                                                      const v2::ListDomainsRequest* request,
                                                      v2::ListDomainsResponse* response) {
  return ReadCall(s_, *context, *request, "list_domains", Done{}, [this, response](Reader& reader) -> Status {
    const auto domains = reader.ListDomains();
    if (!domains) return domains.error();
    AddEgress(s_.egress, *response);
    for (const DomainRecord& domain : *domains) *response->add_domains() = wire::ToMessage(domain);
    return Done{};
  });
}

}  // namespace baton
