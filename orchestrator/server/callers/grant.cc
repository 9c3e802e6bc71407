#include "orchestrator/server/callers/grant.h"

#include <algorithm>
#include <set>

namespace baton {

Grant Grant::Of(const ServerDependencies& dependencies, const grpc::ServerContextBase& context) {
  Grant grant;
  if (!dependencies.gate) return grant;
  grant.caller_ = dependencies.gate->CallerOf(context);
  if (!grant.caller_) {
    grant.domains_ = {};  // no domain: the call was not admitted
    return grant;
  }
  grant.gate_ = dependencies.gate;
  grant.rules_ = dependencies.gate->rules();
  grant.domains_ = grant.rules_->DomainsOf(*grant.caller_);
  return grant;
}

Error Grant::Hidden(const ProcessGuid& guid) const {
  if (gate_) gate_->CountForeign(*caller_);
  return {ErrorKind::kNotFound, "process_guid " + guid.str() + " is not desired", {}};
}

Status Grant::MayTouch(const AppState& app) const {
  if (all() || (!app.desired && app.actuals.empty())) return Done{};
  return MaySee(app);
}

Status Grant::MaySee(const AppState& app) const {
  if (all()) return Done{};
  if (app.desired) return domains_.Has(app.desired->domain) ? Status(Done{}) : Hidden(app.guid);
  // It outlives its app's row, and knows whose it was.
  const bool own = !app.actuals.empty() && domains_.Has(app.actuals.begin()->second.domain);
  return own ? Status(Done{}) : Hidden(app.guid);
}

Status Grant::MaySee(Reader& reader, const ProcessGuid& guid) const {
  if (all()) return Done{};
  ProcessGuid after;
  const auto page = reader.ListDesired({.domain = {}, .guids = {guid}, .scheduling_only = true}, after, 1);
  if (!page) return page.error();
  const bool own = !page->rows.empty() && domains_.Has(page->rows.front().desired.domain);
  return own ? Status(Done{}) : Hidden(guid);
}

bool Grant::Owns(Reader& reader, const ProcessGuid& guid) const {
  return std::ranges::any_of(domains_.names, [&](const std::string& domain) {
    ProcessGuid after;
    const auto page = reader.ListDesired({.domain = domain, .guids = {guid}, .scheduling_only = true}, after, 1);
    return page && !(page->rows.empty() && page->broken.empty());
  });
}

Error Grant::ErrorFor(Reader& reader, const ProcessGuid& guid, const Error& error) const {
  if (all() || error.kind != ErrorKind::kDataLoss || Owns(reader, guid)) return error;
  return Hidden(guid);
}

Result<AppRead> Grant::ReadApp(Reader& reader, const ProcessGuid& guid) const {
  auto app = reader.ReadApp(guid);
  if (!app) return ErrorFor(reader, guid, app.error());
  return app;
}

Status Grant::MayRoute(const Routes& routes, const Routes& before) const {
  if (!rules_) return Done{};
  std::set<Route> known;
  for (const MappedRoute& one : before.mapped) known.insert(one.route);
  for (const MappedRoute& one : routes.mapped) {
    if (known.contains(one.route) || rules_->MayRoute(*caller_, one.route)) continue;
    gate_->CountForeign(*caller_);
    return Error{ErrorKind::kFailedPrecondition,
                 "route " + Name(one.route) + " is none of the host names that " + Show(*caller_) + " was given (batond --access)", {}};
  }
  return Done{};
}

Status CheckLeft(const Grant& grant, const HostOwners& hosts, HostOwners::Hold* hold, const AppEdit& edit) {
  if (!edit.state().desired) return Done{};
  const DesiredLrp& now = *edit.state().desired;
  static const Routes kNone;
  const Routes& before = edit.desired_before() ? edit.desired_before()->routes : kNone;
  if (now.routes.mapped == before.mapped) return Done{};
  if (Status may = grant.MayRoute(now.routes, before); !may) return may;
  return hold ? hold->Take(now.domain, now.routes, before) : hosts.Check(now.domain, now.routes, before);
}

void Tell(const Grant& grant, Reads& reads, const ProcessGuid& guid, const Status& status,
          const std::function<void(const Status&)>& end) {
  if (status || status.error().kind != ErrorKind::kDataLoss || grant.all()) return end(status);
  reads.Run([grant, guid, end, error = status.error()](Result<Reader*> reader) {
    end(reader ? grant.ErrorFor(**reader, guid, error) : reader.error());
  });
}

}  // namespace baton
