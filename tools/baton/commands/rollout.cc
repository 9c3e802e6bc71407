#include "tools/baton/commands/rollout.h"

#include <utility>

#include "baton/v2/rolls_service.grpc.pb.h"
#include "tools/baton/commands/reads.h"
#include "tools/baton/files/apply_request.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/views/describe.h"
#include "tools/baton/views/listing.h"
#include "tools/baton/views/plan_view.h"
#include "tools/baton/views/roll_table.h"
#include "tools/baton/waiting/follow.h"
#include "tools/baton/yaml/proto_text.h"

namespace baton::cli {
namespace {

void PrintMessage(Session& session, const google::protobuf::Message& message) {
  session.io.out << (session.arguments.output == Output::kYaml ? ToYaml(message) : ToJson(message));
}

using ChangeRollMethod = grpc::Status (v2::Rolls::Stub::*)(grpc::ClientContext*, const v2::ChangeRollRequest&,
                                                           v2::ChangeRollResponse*);

int ChangeRoll(Session& session, ChangeRollMethod method, const std::string& done) {
  const std::string& guid = session.arguments.guid;
  v2::ChangeRollRequest request;
  request.set_process_guid(guid);
  request.set_reason(session.arguments.reason);
  request.set_idempotency_key(NewIdempotencyKey());
  const v2::Roll roll = session.api.Ask<v2::Rolls>("roll of app " + guid, method, request).roll();
  if (ForPrograms(session)) {
    PrintMessage(session, roll);
  } else {
    session.io.out << "roll " << (roll.roll_id().empty() ? "" : roll.roll_id() + " ") << "of app " << guid << " "
                   << done << "\n";
  }
  if (!session.arguments.watch || roll.roll_id().empty()) return kDone;
  return FollowRoll(session, roll.roll_id());
}

// What it would do, and nothing is done.
int PrintPlan(Session& session, const v2::PlanUpdateResponse& plan) {
  if (ForPrograms(session)) {
    PrintMessage(session, plan);
  } else {
    session.io.out << PlanText(session.arguments.guid, plan, session.arguments.output == Output::kWide);
  }
  return kDone;
}

int CancelRoll(Session& session) {
  if (!session.arguments.dry_run) {
    return ChangeRoll(session, &v2::Rolls::Stub::CancelRoll, "cancelled: it rolls back");
  }
  v2::PlanCancelRequest request;
  request.set_process_guid(session.arguments.guid);
  return PrintPlan(session, session.api.Ask<v2::Rolls>("roll of app " + session.arguments.guid,
                                                       &v2::Rolls::Stub::PlanCancel, request));
}

int PlanUndo(Session& session) {
  v2::PlanRollBackRequest request;
  request.set_process_guid(session.arguments.guid);
  request.set_definition_identifier(session.arguments.definition);
  return PrintPlan(
      session, session.api.Ask<v2::Rolls>("app " + session.arguments.guid, &v2::Rolls::Stub::PlanRollBack, request));
}

// As it is now: what it is, the slots, and how to see more.
void PrintStatus(Session& session, const v2::Roll& roll) {
  const std::int64_t now = session.io.now();
  session.io.out << HeadLine(roll) << "\n" << EndLine(roll, now) << "\n";
  if (roll.slots_size() > 0) session.io.out << "\n" << Render(SlotsTable(roll, {.now = now}));
  session.io.out << std::flush;
  if (const std::string advice = Advice(roll); !advice.empty()) session.io.err << "baton: " << advice << "\n";
}

int ShowRollStatus(Session& session) {
  const auto answer = ReadRoll(session, session.arguments.guid, false);
  if (session.arguments.watch) return FollowRoll(session, answer.roll().roll_id());
  ForPrograms(session) ? PrintMessage(session, answer) : PrintStatus(session, answer.roll());
  return ExitOf(answer.roll().state());
}

int ShowRollHistory(Session& session) {
  v2::ListRollsRequest request;
  request.set_process_guid(session.arguments.guid);
  request.set_with_finished(true);
  const auto rolls = ReadRolls(session, request);
  if (rolls.rolls_size() == 0) ReadApp(session, session.arguments.guid);  // reports a wrong name
  if (session.arguments.steps) {
    std::string apart;
    for (const auto& roll : rolls.rolls()) {
      const auto whole = ReadRoll(session, roll.roll_id(), true);
      if (ForPrograms(session)) {
        PrintMessage(session, whole);
      } else {
        session.io.out << std::exchange(apart, "\n") << Describe(whole, session.io.now());
      }
    }
  } else if (ForPrograms(session)) {
    PrintMessage(session, rolls);
  } else {
    const bool wide = session.arguments.output == Output::kWide;
    session.io.out << Render(RollsTable(rolls, {.now = session.io.now(), .wide = wide}));
  }
  return kDone;
}

int UndoRoll(Session& session) {
  if (session.arguments.dry_run) return PlanUndo(session);
  const std::string& guid = session.arguments.guid;
  const std::string before = ReadApp(session, guid).roll_id();
  v2::RollBackRequest request;
  request.set_process_guid(guid);
  request.set_definition_identifier(session.arguments.definition);
  request.set_reason(session.arguments.reason);
  request.set_idempotency_key(NewIdempotencyKey());
  const auto answer = session.api.Ask<v2::Rolls>("app " + guid, &v2::Rolls::Stub::RollBack, request);
  if (ForPrograms(session)) {
    PrintMessage(session, answer);
  } else {
    session.io.out << "app " << guid << " goes to " << answer.desired_lrp().active_definition() << ": "
                   << UpdateWords(answer, before) << "\n"
                   << std::flush;
  }
  if (!session.arguments.watch || answer.roll().roll_id().empty()) return kDone;
  return FollowRoll(session, answer.roll().roll_id());
}

struct RolloutVerb {
  const char* name;
  const char* help;
  int (*run)(Session&);
  bool changes;
};

constexpr RolloutVerb kRolloutVerbs[] = {
    {"status", "The app's open roll, else its latest one", ShowRollStatus, false},
    {"history", "All kept rolls of the app", ShowRollHistory, false},
    {"pause", "No further steps towards the target; repairs go on",
     [](Session& session) { return ChangeRoll(session, &v2::Rolls::Stub::PauseRoll, "paused"); }, true},
    {"resume", "Go on with a paused roll",
     [](Session& session) { return ChangeRoll(session, &v2::Rolls::Stub::ResumeRoll, "resumed"); }, true},
    {"promote", "Go on with a roll that waits at a stage",
     [](Session& session) { return ChangeRoll(session, &v2::Rolls::Stub::PromoteRoll, "promoted"); }, true},
    {"retry", "Go on with a held roll; failures count anew",
     [](Session& session) { return ChangeRoll(session, &v2::Rolls::Stub::RetryRoll, "tried again"); }, true},
    {"undo", "Roll to a proven definition from before", UndoRoll, true},
    {"cancel", "Give the open roll up and go back to its source", CancelRoll, true},
    {"explain", "What the roll and each slot waits for, and what would unblock it", RolloutExplain, false},
};

}  // namespace

void DeclareRollout(CLI::App& app, Arguments& a, Command& command) {
  CLI::App* rollout = app.add_subcommand("rollout", "See and steer the rolls of apps");
  rollout->require_subcommand(1);
  for (const RolloutVerb& verb : kRolloutVerbs) {
    CLI::App* added = rollout->add_subcommand(verb.name, verb.help);
    added->callback([&command, &verb] { command = verb.run; });
    added->add_option("APP", a.guid, "The app")->required();
    if (verb.changes) added->add_option("--reason", a.reason, "Why, for the history");
    if (verb.changes || verb.run == ShowRollStatus)
      added->add_flag("-w,--watch", a.watch, "Follow the roll to its end");
    if (verb.run == UndoRoll || verb.run == CancelRoll)
      added->add_flag("--dry-run", a.dry_run, "Only say what would be done, as `baton plan` does")->excludes("--watch");
    if (verb.run == ShowRollHistory) added->add_flag("--steps", a.steps, "Every step of every roll, too");
    if (verb.run == UndoRoll)
      added->add_option("--to", a.definition,
                        "Definition; default: the healthy one, or the proven one before it where that is active");
  }
}

}  // namespace baton::cli
