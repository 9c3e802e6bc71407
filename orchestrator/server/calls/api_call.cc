#include "orchestrator/server/calls/api_call.h"

#include "orchestrator/app/calls/refused_writes.h"
#include "orchestrator/model/names.h"
#include "orchestrator/wire/limits/text.h"

namespace baton {
namespace {

constexpr std::size_t kReasonBytesMost = 300;
constexpr std::size_t kSubjectBytesMost = 300;  // a kind, and a name of 255

}  // namespace

std::string SubjectOf(const std::string& text) { return wire::Clean(text.substr(0, kSubjectBytesMost)); }

void NoteRefusal(Surroundings& surroundings, const AuditEntry& asked, const Error& error) {
  if (!IsRefusal(error)) return;
  AuditEntry entry = asked;
  // Text that is no UTF-8, or holds NUL, comes no further: a character may have been cut in two here.
  for (std::string* text : {&entry.actor, &entry.method, &entry.request_id, &entry.subject}) *text = wire::Clean(*text);
  entry.guid = wire::Clean(entry.guid.substr(0, wire::kNameBytesMost));
  entry.outcome = Name(error.kind);
  entry.reason = wire::Clean(error.message.substr(0, kReasonBytesMost));
  surroundings.refused.Add(std::move(entry));
}

grpc::ServerUnaryReactor* Refuse(Surroundings& surroundings, grpc::CallbackServerContext& context,
                                 grpc::ServerUnaryReactor& reactor, const CallName& as, const std::string& guid,
                                 const Status& status) {
  NoteRefusal(surroundings,
              {.actor = ActorOf(surroundings, context),
               .method = AskedAs(context, as.method),
               .guid = guid,
               .request_id = RequestIdOf(context)},
              status.error());
  TimedCall(surroundings.metrics, as.name).End(status);
  Finish(context, reactor, status);
  return &reactor;
}

}  // namespace baton
