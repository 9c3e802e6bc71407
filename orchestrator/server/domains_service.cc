#include "orchestrator/server/domains_service.h"

#include "orchestrator/server/api_call.h"
#include "orchestrator/wire/values.h"

namespace baton {

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
  return ReadCall(s_, *context, *request, "list_domains", Done{}, [response](Reader& reader) -> Status {
    const auto domains = reader.ListDomains();
    if (!domains) return domains.error();
    for (const DomainRecord& domain : *domains) *response->add_domains() = wire::ToMessage(domain);
    return Done{};
  });
}

}  // namespace baton
