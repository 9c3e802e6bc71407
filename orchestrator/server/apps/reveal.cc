#include "orchestrator/server/apps/reveal.h"

#include "orchestrator/app/calls/refused_writes.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/calls/api_call.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/wire/limits/text.h"

namespace baton {

wire::Show ShownTo(const Surroundings& surroundings, const grpc::ServerContextBase& context) {
  if (!surroundings.gate) return wire::Show::kLastWords;
  const auto caller = surroundings.gate->CallerOf(context);
  return caller && MayReadLastWords(caller->role) ? wire::Show::kLastWords : wire::Show::kNone;
}

Secrets SecretsFor(Surroundings& surroundings, const grpc::CallbackServerContext& context, bool asked, const char* method) {
  if (!asked) return {grpc::Status::OK, ShownTo(surroundings, context)};
  const auto caller = surroundings.gate ? surroundings.gate->CallerOf(context) : std::nullopt;
  if (!surroundings.gate || (caller && MayReveal(caller->role))) return {grpc::Status::OK, wire::Show::kAll};
  if (AskedInV1(context)) return {grpc::Status::OK, ShownTo(surroundings, context)};
  return {CheckField(surroundings, context, asked, kSeeSecrets, method), wire::Show::kNone};
}

void NoteReveal(Surroundings& surroundings, const grpc::CallbackServerContext& context, const Revealed& revealed,
                RevealBook::Rows rows) {
  const auto caller = surroundings.gate ? surroundings.gate->CallerOf(context) : std::nullopt;
  // A cell reads each start's; which apps a cell that lies had placed on it is in their history.
  const bool gathered = AskedInV1(context) || (caller && caller->role == Role::kCell);
  surroundings.refused.AddReveal({.actor = ActorOf(surroundings, context),
                                  .method = AskedAs(context, revealed.method),
                                  .guid = wire::Clean(revealed.guid.substr(0, wire::kNameBytesMost)),
                                  .request_id = RequestIdOf(context),
                                  .outcome = kRevealed,
                                  .subject = SubjectOf(revealed.subject)},
                                 gathered ? RevealBook::Rows::kOneAnHour : rows);
}

}  // namespace baton
