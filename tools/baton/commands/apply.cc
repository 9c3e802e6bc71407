#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "baton/v2/rolls_service.grpc.pb.h"
#include "tools/baton/files/app_files.h"
#include "tools/baton/files/apply_request.h"
#include "tools/baton/files/stored_app.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/views/plan_view.h"
#include "tools/baton/waiting/follow.h"
#include "tools/baton/waiting/waiting.h"
#include "tools/baton/yaml/proto_text.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

// The attempts of an update that meets a concurrent one.
constexpr int kTriesMax = 5;

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

const v2::DesiredLRP* AppOf(const StoredApp& stored) { return stored.app ? &*stored.app : nullptr; }

struct Planned {
  std::optional<v2::PlanUpdateResponse> plan;
  std::string unreadable;  // why there is none; empty, too: the app has changed since it was read
};

// An app whose rows cannot be read (DATA_LOSS) has no plan, and a file that replaces all of it mends them.
Planned AskForPlan(Session& session, const v2::PlanUpdateRequest& request) {
  const std::string what = "app " + request.process_guid();
  Planned planned;
  const grpc::Status status = session.api.Answer<v2::DesiredLRPs>(what, &v2::DesiredLRPs::Stub::PlanUpdate, request,
                                                                  planned.plan.emplace());
  if (status.ok()) return planned;
  if (status.error_code() == grpc::StatusCode::ABORTED) return {};
  if (status.error_code() == grpc::StatusCode::DATA_LOSS) return {std::nullopt, OneLine(status.error_message())};
  throw FailureOf(status, what, session.api.connection().options());
}

// Without a forecast: it would not be shown.
Planned AskForChanges(Session& session, const AppFile& file, const v2::DesiredLRP* stored) {
  v2::PlanUpdateRequest request = PlanFor(file, FlagsOf(session.arguments), stored);
  request.set_changes_only(true);
  return AskForPlan(session, request);
}

// Nothing: the app has changed since it was read or planned, by others and not by who gave --plan.
template <class Method, class Request>
std::optional<v2::UpdateDesiredLRPResponse> AskUnlessChanged(Session& session, const AppFile& file, Method method,
                                                             const Request& request) {
  const std::string what = "app " + file.app.process_guid();
  if (!session.arguments.plan_token.empty()) return session.api.Ask<v2::DesiredLRPs>(what, method, request);
  return session.api.AskUnless<v2::DesiredLRPs>(grpc::StatusCode::ABORTED, what, method, request);
}

std::optional<v2::UpdateDesiredLRPResponse> Send(Session& session, const AppFile& file, const v2::DesiredLRP* stored,
                                                 const std::string& token) {
  const ApplyFlags flags = FlagsOf(session.arguments);
  if (!Replaces(file, flags)) {
    v2::UpdateDesiredLRPRequest request = UpdateFor(file, flags, stored);
    request.mutable_update()->set_plan_token(token);
    request.set_idempotency_key(NewIdempotencyKey());
    return AskUnlessChanged(session, file, &v2::DesiredLRPs::Stub::UpdateDesiredLRP, request);
  }
  v2::ReplaceDesiredLRPRequest request = ReplaceFor(file, stored);
  request.set_plan_token(token);
  request.set_idempotency_key(NewIdempotencyKey());
  return AskUnlessChanged(session, file, &v2::DesiredLRPs::Stub::ReplaceDesiredLRP, request);
}

// What is stored is what the file says, and no flag asks for more.
bool NothingToDo(const Session& session, const AppFile& file, const v2::DesiredLRP& stored) {
  const Arguments& a = session.arguments;
  const bool more = a.retry || a.accept_unroutable || !a.port_aliases.empty() || !a.plan_token.empty();
  return !more && IsAsStored(file, stored);
}

// Also where the open roll cannot be read.
Applied Unchanged(Session& session, const v2::DesiredLRP& stored) {
  const std::string& roll_id = stored.roll_id();
  if (roll_id.empty()) return {"", "unchanged", ""};
  v2::GetRollRequest request;
  request.set_roll_id(roll_id);
  v2::GetRollResponse answer;
  const grpc::Status status = session.api.Answer<v2::Rolls>("roll " + roll_id, &v2::Rolls::Stub::GetRoll, request, answer);
  if (!status.ok()) return {"", "unchanged; its roll " + roll_id + " cannot be read: " + OneLine(status.error_message()), roll_id};
  if (IsFinished(answer.roll().state())) return {"", "unchanged", roll_id};  // meanwhile
  return {"", "unchanged, " + RollWords(answer.roll()), roll_id};
}

std::string NotCompared(const std::string& why) { return "  what is stored cannot be compared: " + why + "\n"; }

// Throws Failure where an app that cannot be compared must not be replaced.
void CheckMends(const Session& session, const AppFile& file, const std::string& why) {
  const bool whole = Replaces(file, FlagsOf(session.arguments)) && session.arguments.plan_token.empty();
  if (!whole) throw CannotCompare(file.app.process_guid(), why);
}

// Blindly, as it cannot be compared. Nothing: it has changed since it was read.
std::optional<Applied> Mend(Session& session, const AppFile& file, const StoredApp& stored, const std::string& why) {
  CheckMends(session, file, why);
  const auto answer = Send(session, file, AppOf(stored), "");
  if (!answer) return std::nullopt;
  AppFile again = file;
  if (const std::string still = Complete(session, again).unreadable; !still.empty()) {
    throw Failure(kFailed, "app " + file.app.process_guid() + " is replaced, and its definition still cannot be read (" +
                               still + "): give it another definition_identifier");
  }
  const std::string words = UpdateWords(*answer, stored.app ? stored.app->roll_id() : "");
  const std::size_t roll = std::min(words.find(','), words.size());
  return Applied{NotCompared(why), "replaced" + words.substr(roll), answer->roll().roll_id()};
}

std::optional<Applied> Update(Session& session, const AppFile& file, const v2::DesiredLRP& stored,
                              const v2::PlanUpdateResponse& plan) {
  const std::string& token = session.arguments.plan_token;
  const auto answer = Send(session, file, &stored, token.empty() ? plan.plan_token() : token);
  if (!answer) return std::nullopt;
  const std::string back = answer->returned() ? ", back to " + answer->desired_lrp().active_definition() : "";
  return Applied{ChangesText(plan), UpdateWords(*answer, stored.roll_id()) + back, answer->roll().roll_id()};
}

// Planned first: what is printed is what is done, and what the file leaves out is what is stored in that moment. Nothing:
// it was changed by others meanwhile.
std::optional<Applied> ApplyOnce(Session& session, AppFile file) {
  const StoredApp stored = Complete(session, file);
  if (!stored.unreadable.empty()) return Mend(session, file, stored, stored.unreadable);
  if (!stored.app && !session.arguments.plan_token.empty()) {
    throw Failure(kFailed, "app " + file.app.process_guid() + " is gone since it was planned: plan again");
  }
  if (!stored.app) return Create(session, file);
  if (NothingToDo(session, file, *stored.app)) return Unchanged(session, *stored.app);
  const Planned planned = AskForChanges(session, file, &*stored.app);
  if (planned.plan) return Update(session, file, *stored.app, *planned.plan);
  return planned.unreadable.empty() ? std::nullopt : Mend(session, file, stored, planned.unreadable);
}

Applied ApplyOne(Session& session, const AppFile& file) {
  for (int tries = 0; tries < kTriesMax; ++tries) {
    if (const auto applied = ApplyOnce(session, file)) return *applied;
  }
  throw Failure(kFailed, "app " + file.app.process_guid() + " was changed by others " + std::to_string(kTriesMax) +
                             " times while it was applied: apply it again");
}

// A flag asks for more than the file says, and finds that it is so.
std::string UnchangedWords(const Arguments& arguments) {
  std::string words = "unchanged";
  if (arguments.retry) words += "; --retry: no roll to this definition is held or has failed";
  if (!arguments.port_aliases.empty()) words += "; --port-alias: the routes lead there already";
  return words;
}

std::string PlannedWords(const Arguments& arguments, const v2::PlanUpdateResponse& plan, bool is_there) {
  if (!is_there) return "would be created";
  if (plan.opens_roll()) {
    return "would be updated, with a roll from " + plan.source_definition() + " to " + plan.target_definition();
  }
  return plan.changes_size() == 0 ? UnchangedWords(arguments) : "would be updated";
}

// As JSON or YAML it is the whole plan.
void DryRunForPrograms(Session& session, const AppFile& file, const StoredApp& stored) {
  const std::string& guid = file.app.process_guid();
  if (!stored.unreadable.empty()) throw CannotCompare(guid, stored.unreadable);
  const auto plan = session.api.Ask<v2::DesiredLRPs>("app " + guid, &v2::DesiredLRPs::Stub::PlanUpdate,
                                                     PlanFor(file, FlagsOf(session.arguments), AppOf(stored)));
  session.io.out << (session.arguments.output == Output::kJson ? ToJson(plan) : "---\n" + ToYaml(plan));
}

// False: the app was changed by others between two looks at it.
bool DryRunOnce(Session& session, AppFile file) {
  const StoredApp stored = Complete(session, file);
  if (ForPrograms(session)) return DryRunForPrograms(session, file, stored), true;
  const std::string app = "app " + file.app.process_guid() + " ";
  if (stored.app && NothingToDo(session, file, *stored.app)) {
    session.io.out << app << Unchanged(session, *stored.app).words << "\n";
    return true;
  }
  Planned planned{std::nullopt, stored.unreadable};
  if (planned.unreadable.empty()) planned = AskForChanges(session, file, AppOf(stored));
  if (!planned.unreadable.empty()) {
    CheckMends(session, file, planned.unreadable);
    session.io.out << NotCompared(planned.unreadable) << app << "would be replaced\n";
  } else if (planned.plan) {
    session.io.out << (stored.app ? ChangesText(*planned.plan) : "") << app
                   << PlannedWords(session.arguments, *planned.plan, stored.app.has_value()) << "\n";
  }
  return planned.plan || !planned.unreadable.empty();
}

void DryRun(Session& session, const AppFile& file) {
  for (int tries = 0; tries < kTriesMax; ++tries) {
    if (DryRunOnce(session, file)) return;
  }
  throw Failure(kFailed, "app " + file.app.process_guid() + " was changed by others " + std::to_string(kTriesMax) +
                             " times while it was looked at: try it again");
}

// The time of --timeout is over, and `from` is the first app of which batond has not answered.
[[noreturn]] void EndUnapplied(Session& session, const std::vector<AppFile>& files, std::size_t from,
                               const std::string& away) {
  const auto left = [&] {
    std::string text = "app " + files[from].app.process_guid() + ": whether it is applied is not known: " +
                       (away.empty() ? "batond has not answered in time" : away) + "\n";
    for (std::size_t i = from + 1; i < files.size(); ++i) text += "app " + files[i].app.process_guid() + " is not applied\n";
    return text;
  };
  EndUndone(session, {"apply", std::to_string(from) + " of " + std::to_string(files.size()) + " apps are applied", "", left});
}

// Where it waits it bears that batond is away, once that one was there. An app that was applied although the answer was
// lost is "unchanged" then.
Applied ApplyInTime(Session& session, const std::vector<AppFile>& files, std::size_t i) {
  if (!session.arguments.wait || i == 0) return ApplyOne(session, files[i]);
  Patience patience(session);
  while (!TimeIsUp(session)) {
    if (const auto applied = patience.Try([&] { return ApplyOne(session, files[i]); })) return *applied;
    patience.Rest();
  }
  EndUnapplied(session, files, i, patience.away());
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
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Applied applied = ApplyInTime(session, files, i);
    session.io.out << applied.changes << "app " << files[i].app.process_guid() << " " << applied.words << "\n"
                   << std::flush;
    if (!applied.roll_id.empty()) rolls.push_back(applied.roll_id);
  }
  int exit_status = kDone;
  if (!session.arguments.wait) return exit_status;
  for (const std::string& roll : rolls) exit_status = std::max(exit_status, FollowRoll(session, roll));
  return exit_status;
}

}  // namespace baton::cli
