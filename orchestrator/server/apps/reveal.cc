#include "orchestrator/server/apps/reveal.h"

#include "orchestrator/app/calls/refused_writes.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/calls/api_call.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/wire/limits/text.h"

namespace baton {

wire::Show ShownTo(const ServerDependencies& dependencies, const grpc::ServerContextBase& context) {
  if (!dependencies.gate) return wire::Show::kLastWords;
  const auto caller = dependencies.gate->CallerOf(context);
  return caller && MayReadLastWords(caller->role) ? wire::Show::kLastWords : wire::Show::kNone;
}

Secrets SecretsFor(ServerDependencies& dependencies, const grpc::CallbackServerContext& context, bool asked,
                   const char* method) {
  if (!asked) return {grpc::Status::OK, ShownTo(dependencies, context)};
  const auto caller = dependencies.gate ? dependencies.gate->CallerOf(context) : std::nullopt;
  if (!dependencies.gate || (caller && MayReveal(caller->role))) return {grpc::Status::OK, wire::Show::kAll};
  if (AskedInV1(context)) return {grpc::Status::OK, ShownTo(dependencies, context)};
  return {CheckField(dependencies, context, asked, kSeeSecrets, method), wire::Show::kNone};
}

void NoteReveal(ServerDependencies& dependencies, const grpc::CallbackServerContext& context, const Revealed& revealed,
                RevealBook::Rows rows) {
  const auto caller = dependencies.gate ? dependencies.gate->CallerOf(context) : std::nullopt;
  // A cell reads each start's; which apps a cell that lies had placed on it is in their history.
  const bool gathered = AskedInV1(context) || (caller && caller->role == Role::kCell);
  dependencies.refused.AddReveal({.actor = ActorOf(dependencies, context),
                                  .method = AskedAs(context, revealed.method),
                                  .guid = wire::Clean(revealed.guid.substr(0, wire::kNameBytesMax)),
                                  .request_id = RequestIdOf(context),
                                  .outcome = kRevealed,
                                  .subject = SubjectOf(revealed.subject)},
                                 gathered ? RevealBook::Rows::kOneAnHour : rows);
}

}  // namespace baton
