#include "baton/v2/admin_service.grpc.pb.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/views/api_usage_view.h"

namespace baton::cli {

int AdminApiUsage(Session& session) {
  v2::GetApiUsageRequest request;
  request.set_api_version(session.arguments.api_version);
  const auto usage = session.api.Ask<v2::Admin>("api-usage", &v2::Admin::Stub::GetApiUsage, request);
  const std::int64_t now = session.io.now();
  if (!PrintedMessage(session, usage)) session.io.out << Words(usage, now);
  const int days = session.arguments.idle_days;
  return days == 0 || IdleFor(days, usage, request.api_version().empty(), now) ? kDone : kFailed;
}

}  // namespace baton::cli
