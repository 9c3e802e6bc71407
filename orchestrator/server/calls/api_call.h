// A call of the API on its way to the store: who asks, idempotency, log line and metrics, and the answer.
#pragma once

#include <string>

#include "orchestrator/ports/store.h"
#include "orchestrator/server/apps/one_definition.h"
#include "orchestrator/server/apps/requests.h"
#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/calls/timed_call.h"
#include "orchestrator/server/serving/surroundings.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/stored/hash.h"

namespace baton {

struct CallName {
  const char* name;    // in logs and metrics: "update_desired_lrp"
  const char* method;  // of baton.v2: "DesiredLRPs/UpdateDesiredLRP"
};

// What a call is about, as the audit names it: cut, and of any text.
std::string SubjectOf(const std::string& text);

// Writes a refusal down beside the call: who wanted what, and why not.
void NoteRefusal(Surroundings& surroundings, const AuditEntry& asked, const Error& error);

// Ends a write that was refused before it came as far as the store.
grpc::ServerUnaryReactor* Refuse(Surroundings& surroundings, grpc::CallbackServerContext& context,
                                 grpc::ServerUnaryReactor& reactor, const CallName& as, const std::string& guid,
                                 const Status& status);

// Ends `reactor` when it is done. `response` belongs to gRPC and lives until then.
template <class Request, class Response>
Call ApiCall(Surroundings& surroundings, grpc::CallbackServerContext& context, grpc::ServerUnaryReactor& reactor,
             const CallName& as, const ProcessGuid& guid, const Request& request, Response& response) {
  Call call;
  call.name = as.name;
  call.guid = guid;
  call.actor = ActorOf(surroundings, context);
  call.request_id = RequestIdOf(context);
  call.allowed = MayWrite(surroundings.data(), context);
  call.audited_as = AskedAs(context, as.method);
  call.urgency = Urgency::kCallers;
  call.abandoned = [&context] { return context.IsCancelled(); };
  call.idempotency_key = request.idempotency_key();
  if (!call.idempotency_key.empty()) {
    Request content = request;
    content.clear_idempotency_key();
    call.idempotency_key = OwnKey(surroundings, context, call.idempotency_key);
    call.request_hash = wire::Sha256Hex(call.name + wire::CanonicalBytes(content));
  }
  const wire::Show shown = ShownTo(surroundings, context);
  call.encode = [&response, shown] { return wire::Redact(response, shown), response.SerializeAsString(); };
  call.replay = [&response](const std::string& answer) { return response.ParseFromString(answer); };
  call.done = [&surroundings, &context, &reactor, &response, shown, timed = TimedCall(surroundings.metrics, as.name), name = call.name,
               guid, actor = call.actor, request_id = call.request_id, method = call.audited_as](const Status& status) {
    const double took = timed.End(status);
    wire::Redact(response, shown);
    if (status) {
      surroundings.log.Info(name,
                            {{"request_id", request_id}, {"app", guid.str()}, {"actor", actor}, {"seconds", took}});
    } else {
      surroundings.log.Warn(
          name, {{"request_id", request_id}, {"app", guid.str()}, {"actor", actor}, {"error", status.error().message}});
      NoteRefusal(surroundings, {.actor = actor, .method = method, .guid = guid.str(), .request_id = request_id},
                  status.error());
    }
    Finish(context, reactor, status);
  };
  return call;
}

// Ends a read with its status, once: `name`, in metrics, "get_roll".
inline auto TimedEnd(Surroundings& s, grpc::CallbackServerContext& context, const char* name) {
  return [&context, reactor = context.DefaultReactor(), timed = TimedCall(s.metrics, name)](const Status& status) {
    timed.End(status);
    Finish(context, *reactor, status);
  };
}

// A unary read: `body` runs on a reading thread. `name`: in metrics. `valid`: what is wrong with the request beside its limits.
template <class Request, class Body>
grpc::ServerUnaryReactor* ReadCall(Surroundings& s, grpc::CallbackServerContext& context, const Request& request,
                                   const char* name, const Status& valid, Body body) {
  auto* reactor = context.DefaultReactor();
  const auto end = TimedEnd(s, context, name);
  const Status admitted = s.Admit(context, request);
  if (!admitted || !valid) return end(admitted ? valid : admitted), reactor;
  s.reads.Run([end, body = std::move(body)](Result<Reader*> reader) { end(reader ? body(**reader) : reader.error()); });
  return reactor;
}

}  // namespace baton
