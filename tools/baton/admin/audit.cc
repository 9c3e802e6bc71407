#include <algorithm>

#include "baton/v2/admin_service.grpc.pb.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/views/audit_view.h"

namespace baton::cli {

int AdminAudit(Session& session) {
  const Arguments& arguments = session.arguments;
  v2::ListAuditRequest request;
  request.set_process_guid(arguments.app);
  request.set_actor(arguments.audit_actor);
  request.set_most(arguments.audit_max);
  const std::int64_t ago = arguments.since_ms * 1'000'000;
  if (arguments.since_ms > 0) request.set_since(std::max<std::int64_t>(session.io.now() - ago, 0));
  const auto audit = session.api.List<v2::Admin>("audit", &v2::Admin::Stub::ListAudit, request);
  if (PrintedMessage(session, audit)) return kDone;
  if (audit.entries().empty()) {
    session.io.out << "Nobody has asked for such a change in the time that is kept.\n";
    return kDone;
  }
  session.io.out << Words(audit, arguments.output == Output::kWide);
  if (audit.entries_size() == arguments.audit_max) {
    session.io.out << "\nThe newest " << arguments.audit_max << "; --most 0 lists all.\n";
  }
  return kDone;
}

}  // namespace baton::cli
