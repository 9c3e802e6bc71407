#include "orchestrator/server/calls/api_call.h"

#include "orchestrator/app/calls/refused_writes.h"
#include "orchestrator/model/names.h"
#include "orchestrator/wire/limits/text.h"

namespace baton {
namespace {

constexpr std::size_t kReasonBytesMax = 300;
constexpr std::size_t kSubjectBytesMax = 300;  // a kind, and a name of 255

}  // namespace

std::string SubjectOf(const std::string& text) { return wire::Clean(text.substr(0, kSubjectBytesMax)); }

void NoteRefusal(ServerDependencies& dependencies, const AuditEntry& asked, const Error& error) {
  if (!IsRefusal(error)) return;
  AuditEntry entry = asked;
  // Text that is no UTF-8, or holds NUL, comes no further: a character may have been cut in two here.
  for (std::string* text : {&entry.actor, &entry.method, &entry.request_id, &entry.subject}) *text = wire::Clean(*text);
  entry.guid = wire::Clean(entry.guid.substr(0, wire::kNameBytesMax));
  entry.outcome = Name(error.kind);
  entry.reason = wire::Clean(error.message.substr(0, kReasonBytesMax));
  dependencies.refused.Add(std::move(entry));
}

grpc::ServerUnaryReactor* Refuse(ServerDependencies& dependencies, grpc::CallbackServerContext& context,
                                 grpc::ServerUnaryReactor& reactor, const CallName& as, const std::string& guid,
                                 const Status& status) {
  NoteRefusal(dependencies,
              {.actor = ActorOf(dependencies, context),
               .method = AskedAs(context, as.method),
               .guid = guid,
               .request_id = RequestIdOf(context)},
              status.error());
  TimedCall(dependencies.metrics, as.name).End(status);
  Finish(context, reactor, status);
  return &reactor;
}

}  // namespace baton
