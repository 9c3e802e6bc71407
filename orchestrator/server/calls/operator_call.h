// A write that is of no app, on its way: who asks, its log line, its metrics, its entry in the audit, and the answer.
#pragma once

#include <string>

#include "orchestrator/ports/log.h"
#include "orchestrator/server/calls/api_call.h"
#include "orchestrator/server/calls/timed_call.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class OperatorCall {
 public:
  // `subject`: "cell z1-3", as the caller named it. `done`: how a call that was done is logged.
  OperatorCall(ServerDependencies& dependencies, grpc::CallbackServerContext& context, const CallName& as,
               const std::string& subject, LogLevel done = LogLevel::kInfo);

  // For who writes it down with the change: what was done.
  AuditEntry Done(std::vector<std::string> changed) const;
  // It is over, once. What was done was written down with the change, a refusal is beside the call.
  void End(const Status& status) const;
  // The same of a call that changes no rows of its own, or too many for one transaction: the answer waits until what was
  // done is written down. `subject` empty: as it was.
  void EndWritingDown(const Status& status, const std::string& subject = {}) const;

 private:
  ServerDependencies* s_;
  grpc::CallbackServerContext* context_;
  grpc::ServerUnaryReactor* reactor_;
  const char* name_;
  LogLevel done_;
  TimedCall timed_;
  AuditEntry asked_;
  TraceParent trace_;
};

}  // namespace baton
