#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tools/baton/app_files.h"
#include "tools/baton/apply_request.h"
#include "tools/baton/outcome.h"
#include "tools/baton/plan_view.h"
#include "tools/baton/proto_text.h"
#include "tools/baton/session.h"

namespace baton::cli {
namespace {

// As `apply` would send it.
v2::PlanUpdateRequest RequestFor(Session& session, const AppFile& file) {
  const std::string& guid = file.app.process_guid();
  v2::GetDesiredLRPRequest known;
  known.set_process_guid(guid);
  v2::PlanUpdateRequest request;
  request.set_process_guid(guid);
  if (!session.api.Find<v2::DesiredLRPs>("app " + guid, &v2::DesiredLRPs::Stub::GetDesiredLRP, known)) {
    *request.mutable_create() = file.app;
  } else if (const ApplyFlags flags = FlagsOf(session.arguments); Replaces(file, flags)) {
    *request.mutable_replace() = file.app;
    request.set_reactivate(true);
  } else {
    *request.mutable_update() = UpdateFor(file, flags).update();
  }
  return request;
}

}  // namespace

int Plan(Session& session) {
  const Output output = session.arguments.output;
  for (const AppFile& file : ReadAppFiles(session)) {
    const std::string& guid = file.app.process_guid();
    const auto plan =
        session.api.Ask<v2::DesiredLRPs>("app " + guid, &v2::DesiredLRPs::Stub::PlanUpdate, RequestFor(session, file));
    if (output == Output::kJson || output == Output::kYaml) {
      session.io.out << (output == Output::kJson ? ToJson(plan) : "---\n" + ToYaml(plan));
      continue;
    }
    session.io.out << PlanText(guid, plan, output == Output::kWide);
    if (plan.plan_token().empty()) continue;
    session.io.out << "\nPlan token: " << plan.plan_token()
                   << "\n  (the same apply with --plan TOKEN does this, and only if nothing has changed until then)\n";
  }
  return kDone;
}

}  // namespace baton::cli
