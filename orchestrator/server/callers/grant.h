// What the caller of one call may touch: apps of its domains, and host names that it was given. Asked of the app's rows: within the
// transaction that decides, where it is a write.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/app/apps/host_owners.h"
#include "orchestrator/model/app_edit.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class Grant {
 public:
  // Of this call's caller, as the access file is now. Without authentication, all.
  static Grant Of(const ServerDependencies& dependencies, const grpc::ServerContextBase& context);

  const Domains& domains() const { return domains_; }
  bool all() const { return domains_.all; }

  // NOT_FOUND for an app of a domain that the caller was not given, as if it did not exist. An app without rows passes:
  // the decision that follows reports that it does not exist.
  Status MayTouch(const AppState& app) const;
  // The same for reads. NOT_FOUND also if the app's domain is no longer known.
  Status MaySee(const AppState& app) const;
  Status MaySee(Reader& reader, const ProcessGuid& guid) const;
  bool MaySee(const std::string& domain) const { return domains_.Has(domain); }
  // As Reader::ReadApp. NOT_FOUND for a caller that may not see the app, also if its rows cannot be read.
  Result<AppRead> ReadApp(Reader& reader, const ProcessGuid& guid) const;
  // The error that this caller gets in place of `error`, which came from this app's rows.
  Error ErrorFor(Reader& reader, const ProcessGuid& guid, const Error& error) const;
  // FAILED_PRECONDITION where a route that the app has not had has a host name that the caller was not given.
  Status MayRoute(const Routes& routes, const Routes& before) const;

 private:
  // By the row's domain alone: nothing else of it has to be readable.
  bool Owns(Reader& reader, const ProcessGuid& guid) const;
  Error Hidden(const ProcessGuid& guid) const;

  Domains domains_{.all = true};
  std::shared_ptr<AccessGate> gate_;
  std::shared_ptr<const AccessRules> rules_;
  std::optional<Identity> caller_;
};

// Ends a call on this app with the status that this caller gets in place of `status`.
void Tell(const Grant& grant, Reads& reads, const ProcessGuid& guid, const Status& status,
          const std::function<void(const Status&)>& end);

// What a write leaves: `grant` allows its new routes, and `hold` has them for its domain. `hold` null: they are only looked at.
Status CheckLeft(const Grant& grant, const HostOwners& hosts, HostOwners::Hold* hold, const AppEdit& edit);

// A list of what is of domains: `make` gives what fetches the pages of one ("": of all). What the caller may see of what it asked for.
template <class Page, class Make>
std::function<Status(Reader&, Page&, bool&)> InDomains(const Domains& mine, const std::string& asked, Make make) {
  using Fetch = std::function<Status(Reader&, Page&, bool&)>;
  if (mine.all) return make(asked);
  std::vector<std::string> domains(mine.names.begin(), mine.names.end());
  if (!asked.empty()) domains = mine.Has(asked) ? std::vector<std::string>{asked} : std::vector<std::string>();
  return [domains = std::move(domains), make = std::move(make), at = std::size_t{0}, fetch = Fetch()](Reader& reader, Page& page,
                                                                                                 bool& last) mutable -> Status {
    last = at == domains.size();
    if (last) return Done{};
    if (!fetch) fetch = make(domains[at]);
    const Status status = fetch(reader, page, last);
    if (!status || !last) return status;
    fetch = Fetch();
    last = ++at == domains.size();
    return status;
  };
}

}  // namespace baton
