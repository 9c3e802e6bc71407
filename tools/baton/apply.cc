#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tools/baton/app_files.h"
#include "tools/baton/apply_request.h"
#include "tools/baton/follow.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/proto_text.h"
#include "tools/baton/session.h"

namespace baton::cli {
namespace {

struct Applied {
  std::string words;
  v2::Roll roll;
};

Applied Create(Session& session, const AppFile& file) {
  v2::DesireLRPRequest request;
  *request.mutable_desired_lrp() = file.app;
  request.set_idempotency_key(NewIdempotencyKey());
  const auto answer =
      session.api.Ask<v2::DesiredLRPs>("app " + file.app.process_guid(), &v2::DesiredLRPs::Stub::DesireLRP, request);
  const std::string& roll = answer.roll().roll_id();
  return {roll.empty() ? "created" : "created, roll " + roll + " opened", answer.roll()};
}

v2::UpdateDesiredLRPResponse Send(Session& session, const AppFile& file, const ApplyFlags& flags) {
  const std::string what = "app " + file.app.process_guid();
  if (!Replaces(file, flags)) {
    v2::UpdateDesiredLRPRequest request = UpdateFor(file, flags);
    request.mutable_update()->set_plan_token(session.arguments.plan_token);
    request.set_idempotency_key(NewIdempotencyKey());
    return session.api.Ask<v2::DesiredLRPs>(what, &v2::DesiredLRPs::Stub::UpdateDesiredLRP, request);
  }
  v2::ReplaceDesiredLRPRequest request;
  *request.mutable_desired_lrp() = file.app;
  request.set_plan_token(session.arguments.plan_token);
  request.set_reactivate(true);
  request.set_idempotency_key(NewIdempotencyKey());
  return session.api.Ask<v2::DesiredLRPs>(what, &v2::DesiredLRPs::Stub::ReplaceDesiredLRP, request);
}

Applied ApplyOne(Session& session, const AppFile& file) {
  v2::GetDesiredLRPRequest request;
  request.set_process_guid(file.app.process_guid());
  const auto known = session.api.Find<v2::DesiredLRPs>("app " + file.app.process_guid(),
                                                       &v2::DesiredLRPs::Stub::GetDesiredLRP, request);
  if (!known && !session.arguments.plan_token.empty()) {
    throw Failure(kFailed, "app " + file.app.process_guid() + " is gone since it was planned: plan again");
  }
  if (!known) return Create(session, file);
  const v2::DesiredLRP& before = known->desired_lrp();
  if (before.domain() != file.app.domain()) {
    throw Failure(kFailed, file.place + ": app " + file.app.process_guid() + " is of domain " + before.domain() +
                               ", not " + file.app.domain() + ": an app keeps its domain for life");
  }
  const auto answer = Send(session, file, FlagsOf(session.arguments));
  const std::string back = answer.returned() ? ", back to " + answer.desired_lrp().active_definition() : "";
  return {UpdateWords(answer, before.roll_id()) + back, answer.roll()};
}

int Show(Session& session, const std::vector<AppFile>& files) {
  for (const AppFile& file : files) {
    session.io.out << (session.arguments.output == Output::kJson ? ToJson(file.app) : "---\n" + ToYaml(file.app));
  }
  return kDone;
}

}  // namespace

int Apply(Session& session) {
  const std::vector<AppFile> files = ReadAppFiles(session);
  if (session.arguments.dry_run) return Show(session, files);
  if (!session.arguments.plan_token.empty() && files.size() != 1) {
    throw Failure(kUsage, "--plan TOKEN is of one app, and the files give " + std::to_string(files.size()));
  }
  std::vector<std::string> rolls;
  for (const AppFile& file : files) {
    const Applied applied = ApplyOne(session, file);
    session.io.out << "app " << file.app.process_guid() << " " << applied.words << "\n" << std::flush;
    if (!applied.roll.roll_id().empty()) rolls.push_back(applied.roll.roll_id());
  }
  int exit_status = kDone;
  if (!session.arguments.wait) return exit_status;
  for (const std::string& roll : rolls) exit_status = std::max(exit_status, FollowRoll(session, roll));
  return exit_status;
}

}  // namespace baton::cli
