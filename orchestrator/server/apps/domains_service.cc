// The service Domains: which controllers have synced.
#include "orchestrator/server/serving/services.h"

#include "baton/v2/domains_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/calls/operator_call.h"
#include "orchestrator/server/serving/server_dependencies.h"
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

class DomainsService final : public v2::Domains::CallbackService {
 public:
  explicit DomainsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerUnaryReactor* UpsertDomain(grpc::CallbackServerContext* context, const v2::UpsertDomainRequest* request,
                                         v2::UpsertDomainResponse* response) override {
    auto* reactor = context->DefaultReactor();
    if (const auto may = CheckDomain(s_, *context, request->domain(), kUpsert.method); !may.ok())
      return reactor->Finish(may), reactor;
    const OperatorCall call(s_, *context, kUpsert, "domain " + request->domain(), LogLevel::kDebug);
    if (const Status allowed = s_.Admit(*context, *request); !allowed) return call.End(allowed), reactor;
    if (s_.identity_limits) {
      const Status in_time = s_.identity_limits->TakeWrite(NameOf(s_, *context), IdentityLimits::Steady::now());
      if (!in_time) return call.End(in_time), reactor;
    }
    const auto ttl = request->ttl_s() > 0 ? std::optional<Duration>(seconds(request->ttl_s())) : std::nullopt;
    s_.registry.UpsertDomain(request->domain(), ttl, call.Done({"expires_at"}),
                             [=](const Result<DomainRecord>& domain) {
                               if (domain) *response->mutable_domain() = wire::ToMessage(*domain);
                               call.End(domain ? Status(Done{}) : Status(domain.error()));
                             });
    return reactor;
  }

  grpc::ServerUnaryReactor* ListDomains(grpc::CallbackServerContext* context, const v2::ListDomainsRequest* request,
                                        v2::ListDomainsResponse* response) override {
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

  grpc::ServerUnaryReactor* SetDomainEgress(grpc::CallbackServerContext* context,
                                            const v2::SetDomainEgressRequest* request,
                                            v2::SetDomainEgressResponse* response) override {
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

 private:
  ServerDependencies& s_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeDomainsService(ServerDependencies& dependencies) {
  return std::make_unique<DomainsService>(dependencies);
}

}  // namespace baton
