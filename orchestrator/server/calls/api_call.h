// Calls of the API: their names, reads, and writes that are refused before they come as far as a command (api_write.h).
#pragma once

#include <string>

#include "orchestrator/server/apps/requests.h"
#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/calls/timed_call.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

struct CallName {
  const char* name;    // in logs and metrics: "update_desired_lrp"
  const char* method;  // of baton.v2: "DesiredLRPs/UpdateDesiredLRP"
};

// What a call is about, as the audit names it: cut, and of any text.
std::string SubjectOf(const std::string& text);

// Writes a refusal down beside the call: who wanted what, and why not.
void NoteRefusal(ServerDependencies& dependencies, const AuditEntry& asked, const Error& error);

// Ends a write that was refused before it came as far as the store.
grpc::ServerUnaryReactor* Refuse(ServerDependencies& dependencies, grpc::CallbackServerContext& context,
                                 grpc::ServerUnaryReactor& reactor, const CallName& as, const std::string& guid,
                                 const Status& status);

// Ends a read with its status, once: `name`, in metrics, "get_roll".
inline auto TimedEnd(ServerDependencies& s, grpc::CallbackServerContext& context, const char* name) {
  return [&context, reactor = context.DefaultReactor(), timed = TimedCall(s.metrics, name)](const Status& status) {
    timed.End(status);
    Finish(context, *reactor, status);
  };
}

// A unary read: `body` runs on a reading thread. `name`: in metrics. `valid`: what is wrong with the request beside its limits.
template <class Request, class Body>
grpc::ServerUnaryReactor* ReadCall(ServerDependencies& s, grpc::CallbackServerContext& context, const Request& request,
                                   const char* name, const Status& valid, Body body) {
  auto* reactor = context.DefaultReactor();
  const auto end = TimedEnd(s, context, name);
  const Status admitted = s.Admit(context, request);
  if (!admitted || !valid) return end(admitted ? valid : admitted), reactor;
  s.reads.Run([end, body = std::move(body)](Result<Reader*> reader) { end(reader ? body(**reader) : reader.error()); });
  return reactor;
}

}  // namespace baton
