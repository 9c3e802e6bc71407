#include "baton/v2/domains_service.grpc.pb.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/yaml/proto_text.h"
#include "tools/words/table.h"
#include "tools/words/text.h"
#include "tools/words/times.h"

namespace baton::cli {
namespace {

std::string Until(const v2::Domain& domain) {
  return domain.expires_at() == 0 ? "for ever" : "until " + HumanTime(domain.expires_at());
}

template <class Answer>
int PrintEgress(Session& session, const Answer& answer) {
  if (PrintedMessage(session, answer)) return kDone;
  Table table{{"DOMAIN", "UNENFORCED EGRESS"}, {}};
  for (const auto& one : answer.egress()) table.rows.push_back({OneLine(one.domain()), one.unenforced()});
  session.io.out << Render(table);
  return kDone;
}

}  // namespace

int DomainFresh(Session& session) {
  v2::UpsertDomainRequest request;
  request.set_domain(session.arguments.domain);
  request.set_ttl_s(session.arguments.ttl_s);
  const auto answer = session.api.Ask<v2::Domains>("domain " + session.arguments.domain,
                                                   &v2::Domains::Stub::UpsertDomain, request);
  session.io.out << "domain " << answer.domain().domain() << " is fresh " << Until(answer.domain()) << "\n";
  return kDone;
}

int DomainList(Session& session) {
  const auto answer =
      session.api.Ask<v2::Domains>("domains", &v2::Domains::Stub::ListDomains, v2::ListDomainsRequest());
  switch (session.arguments.output) {
    case Output::kJson: session.io.out << ToJson(answer); break;
    case Output::kYaml: session.io.out << ToYaml(answer); break;
    default: {
      Table table{{"DOMAIN", "FRESH"}, {}};
      for (const auto& domain : answer.domains()) table.rows.push_back({domain.domain(), Until(domain)});
      session.io.out << Render(table);
    }
  }
  return kDone;
}

int DomainEgress(Session& session) {
  const Arguments& arguments = session.arguments;
  if (arguments.domain.empty()) {
    auto answer = session.api.Ask<v2::Domains>("domains", &v2::Domains::Stub::ListDomains, v2::ListDomainsRequest());
    answer.clear_domains();
    return PrintEgress(session, answer);
  }
  if (arguments.unenforced_egress.empty()) {
    throw Failure(kUsage, "of domain " + arguments.domain + ": refuse, warn or default? `baton domain egress` lists what holds");
  }
  v2::SetDomainEgressRequest request;
  request.set_domain(arguments.domain);
  if (arguments.unenforced_egress != "default") request.set_unenforced(arguments.unenforced_egress);
  return PrintEgress(session, session.api.Ask<v2::Domains>("domain " + arguments.domain,
                                                           &v2::Domains::Stub::SetDomainEgress, request));
}

}  // namespace baton::cli
