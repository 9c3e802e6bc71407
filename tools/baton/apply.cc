#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tools/baton/app_files.h"
#include "tools/baton/apply_request.h"
#include "tools/baton/follow.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/plan_view.h"
#include "tools/baton/proto_text.h"
#include "tools/baton/session.h"
#include "tools/baton/stored_app.h"

namespace baton::cli {
namespace {

// Of an update that finds that somebody else was faster.
constexpr int kTriesMost = 5;

struct Applied {
  std::string changes;  // a line each
  std::string words;
  std::string roll_id;
};

Applied Create(Session& session, const AppFile& file) {
  v2::DesireLRPRequest request;
  *request.mutable_desired_lrp() = file.app;
  request.set_idempotency_key(NewIdempotencyKey());
  const auto answer =
      session.api.Ask<v2::DesiredLRPs>("app " + file.app.process_guid(), &v2::DesiredLRPs::Stub::DesireLRP, request);
  const std::string& roll = answer.roll().roll_id();
  return {"", roll.empty() ? "created" : "created, roll " + roll + " opened", roll};
}

v2::PlanUpdateResponse AskForPlan(Session& session, const AppFile& file, bool is_there) {
  return session.api.Ask<v2::DesiredLRPs>("app " + file.app.process_guid(), &v2::DesiredLRPs::Stub::PlanUpdate,
                                          PlanFor(file, FlagsOf(session.arguments), is_there));
}

// Nothing: the app has changed since it was planned, by us and not by who gave --plan.
template <class Method, class Request>
std::optional<v2::UpdateDesiredLRPResponse> Ask(Session& session, const AppFile& file, Method method,
                                                const Request& request) {
  const std::string what = "app " + file.app.process_guid();
  if (!session.arguments.plan_token.empty()) return session.api.Ask<v2::DesiredLRPs>(what, method, request);
  return session.api.AskUnless<v2::DesiredLRPs>(grpc::StatusCode::ABORTED, what, method, request);
}

std::optional<v2::UpdateDesiredLRPResponse> Send(Session& session, const AppFile& file, const std::string& token) {
  const ApplyFlags flags = FlagsOf(session.arguments);
  if (!Replaces(file, flags)) {
    v2::UpdateDesiredLRPRequest request = UpdateFor(file, flags);
    request.mutable_update()->set_plan_token(token);
    request.set_idempotency_key(NewIdempotencyKey());
    return Ask(session, file, &v2::DesiredLRPs::Stub::UpdateDesiredLRP, request);
  }
  v2::ReplaceDesiredLRPRequest request;
  *request.mutable_desired_lrp() = file.app;
  request.set_plan_token(token);
  request.set_reactivate(true);
  request.set_idempotency_key(NewIdempotencyKey());
  return Ask(session, file, &v2::DesiredLRPs::Stub::ReplaceDesiredLRP, request);
}

// What is stored is what the file says, and no flag asks for more.
bool NothingToDo(const Session& session, const AppFile& file, const v2::DesiredLRP& stored) {
  const Arguments& a = session.arguments;
  const bool more = a.retry || a.accept_unroutable || !a.port_aliases.empty() || !a.plan_token.empty();
  return !more && IsAsStored(file, stored);
}

Applied Unchanged(const v2::DesiredLRP& stored) {
  const std::string& roll = stored.roll_id();
  return {"", roll.empty() ? "unchanged" : "unchanged, roll " + roll + " goes on", roll};
}

// Planned first: what is printed is what is done, and what the file leaves out is what is stored in that moment.
Applied ApplyOne(Session& session, const AppFile& given) {
  const std::string& guid = given.app.process_guid();
  const std::string& token = session.arguments.plan_token;
  for (int tries = 0; tries < kTriesMost; ++tries) {
    AppFile file = given;
    const auto stored = Complete(session, file);
    if (!stored && !token.empty()) {
      throw Failure(kFailed, "app " + guid + " is gone since it was planned: plan again");
    }
    if (!stored) return Create(session, file);
    if (NothingToDo(session, file, *stored)) return Unchanged(*stored);
    const v2::PlanUpdateResponse plan = AskForPlan(session, file, true);
    const auto answer = Send(session, file, token.empty() ? plan.plan_token() : token);
    if (!answer) continue;
    const std::string back = answer->returned() ? ", back to " + answer->desired_lrp().active_definition() : "";
    return {ChangesText(plan), UpdateWords(*answer, stored->roll_id()) + back, answer->roll().roll_id()};
  }
  throw Failure(kFailed, "app " + guid + " was changed by others " + std::to_string(kTriesMost) +
                             " times while it was applied: apply it again");
}

std::string PlannedWords(const v2::PlanUpdateResponse& plan, bool is_there) {
  if (!is_there) return "would be created";
  if (plan.opens_roll()) {
    return "would be updated, with a roll from " + plan.source_definition() + " to " + plan.target_definition();
  }
  return plan.changes_size() == 0 ? "unchanged" : "would be updated";
}

void DryRun(Session& session, AppFile file) {
  const auto stored = Complete(session, file);
  const Output output = session.arguments.output;
  const bool for_programs = output == Output::kJson || output == Output::kYaml;
  const std::string app = "app " + file.app.process_guid() + " ";
  if (stored && !for_programs && NothingToDo(session, file, *stored)) {
    session.io.out << app << Unchanged(*stored).words << "\n";
    return;
  }
  const v2::PlanUpdateResponse plan = AskForPlan(session, file, stored.has_value());
  if (for_programs) {
    session.io.out << (output == Output::kJson ? ToJson(plan) : "---\n" + ToYaml(plan));
  } else {
    session.io.out << (stored ? ChangesText(plan) : "") << app << PlannedWords(plan, stored.has_value()) << "\n";
  }
}

}  // namespace

int Apply(Session& session) {
  const std::vector<AppFile> files = ReadAppFiles(session);
  if (!session.arguments.plan_token.empty() && files.size() != 1) {
    throw Failure(kUsage, "--plan TOKEN is of one app, and the files give " + std::to_string(files.size()));
  }
  if (session.arguments.dry_run) {
    for (const AppFile& file : files) DryRun(session, file);
    return kDone;
  }
  std::vector<std::string> rolls;
  for (const AppFile& file : files) {
    const Applied applied = ApplyOne(session, file);
    session.io.out << applied.changes << "app " << file.app.process_guid() << " " << applied.words << "\n"
                   << std::flush;
    if (!applied.roll_id.empty()) rolls.push_back(applied.roll_id);
  }
  int exit_status = kDone;
  if (!session.arguments.wait) return exit_status;
  for (const std::string& roll : rolls) exit_status = std::max(exit_status, FollowRoll(session, roll));
  return exit_status;
}

}  // namespace baton::cli
