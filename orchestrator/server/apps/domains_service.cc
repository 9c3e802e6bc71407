#include "orchestrator/server/apps/domains_service.h"

#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/calls/operator_call.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr CallName kUpsert{"upsert_domain", "Domains/UpsertDomain"};
constexpr CallName kSetEgress{"set_domain_egress", "Domains/SetDomainEgress"};

template <class Response>
void AddEgress(const EgressPolicy& policy, Response& response) {
  const auto add = [&](const std::string& domain, UnenforcedEgress what) {
    v2::DomainEgress& one = *response.add_egress();
    one.set_domain(domain);
    one.set_unenforced(Name(what));
  };
  for (const auto& [domain, what] : policy.by_domain) add(domain, what);
  add(kOtherDomains, policy.others);
}

}  // namespace

grpc::ServerUnaryReactor* DomainsService::UpsertDomain(grpc::CallbackServerContext* context,
                                                       const v2::UpsertDomainRequest* request,
                                                       v2::UpsertDomainResponse* response) {
  auto* reactor = context->DefaultReactor();
  if (const auto may = CheckDomain(s_, *context, request->domain(), kUpsert.method); !may.ok()) return reactor->Finish(may), reactor;
  const OperatorCall call(s_, *context, kUpsert, "domain " + request->domain(), LogLevel::kDebug);
  if (const Status allowed = s_.Admit(*context, *request); !allowed) return call.End(allowed), reactor;
  if (s_.identity_limits) {
    const Status in_time = s_.identity_limits->TakeWrite(NameOf(s_, *context), IdentityLimits::Steady::now());
    if (!in_time) return call.End(in_time), reactor;
  }
  const auto ttl = request->ttl_s() > 0 ? std::optional<Duration>(seconds(request->ttl_s())) : std::nullopt;
  s_.registry.UpsertDomain(request->domain(), ttl, call.Done({"expires_at"}), [=](const Result<DomainRecord>& domain) {
    if (domain) *response->mutable_domain() = wire::ToMessage(*domain);
    call.End(domain ? Status(Done{}) : Status(domain.error()));
  });
  return reactor;
}

grpc::ServerUnaryReactor* DomainsService::ListDomains(grpc::CallbackServerContext* context,
                                                      const v2::ListDomainsRequest* request,
                                                      v2::ListDomainsResponse* response) {
  auto* reactor = context->DefaultReactor();
  const auto end = TimedEnd(s_, *context, "list_domains");
  if (const Status allowed = s_.Admit(*context, *request); !allowed) return end(allowed), reactor;
  s_.reads.Run([this, end, response](Result<Reader*> reader) {
    const auto domains = reader ? (*reader)->ListDomains() : Result<std::vector<DomainRecord>>(reader.error());
    if (!domains) return end(domains.error());
    for (const DomainRecord& domain : *domains) *response->add_domains() = wire::ToMessage(domain);
    s_.leader.Egress([end, response](const EgressPolicy& egress) {
      AddEgress(egress, *response);
      end(Done{});
    });
  });
  return reactor;
}

grpc::ServerUnaryReactor* DomainsService::SetDomainEgress(grpc::CallbackServerContext* context,
                                                          const v2::SetDomainEgressRequest* request,
                                                          v2::SetDomainEgressResponse* response) {
  auto* reactor = context->DefaultReactor();
  const OperatorCall call(s_, *context, kSetEgress, "domain " + request->domain());
  if (const Status allowed = s_.Admit(*context, *request); !allowed) return call.End(allowed), reactor;
  const auto unenforced = UnenforcedEgressNamed(request->unenforced());
  s_.leader.SetEgress(request->domain(), unenforced, call.Done({"egress"}), [=](const Result<EgressPolicy>& egress) {
    if (egress) AddEgress(*egress, *response);
    call.End(egress ? Status(Done{}) : Status(egress.error()));
  });
  return reactor;
}

}  // namespace baton
