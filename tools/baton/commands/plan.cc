#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tools/baton/files/app_files.h"
#include "tools/baton/files/apply_request.h"
#include "tools/baton/files/stored_app.h"
#include "tools/baton/outcome.h"
#include "tools/baton/views/plan_view.h"
#include "tools/baton/yaml/proto_text.h"

namespace baton::cli {

int Plan(Session& session) {
  const Output output = session.arguments.output;
  const ApplyFlags flags = FlagsOf(session.arguments);
  for (AppFile& file : ReadAppFiles(session)) {
    const std::string& guid = file.app.process_guid();
    const StoredApp stored = Complete(session, file);
    if (!stored.unreadable.empty()) throw CannotCompare(guid, stored.unreadable);
    const auto plan = session.api.Ask<v2::DesiredLRPs>("app " + guid, &v2::DesiredLRPs::Stub::PlanUpdate,
                                                       PlanFor(file, flags, stored.app ? &*stored.app : nullptr));
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
