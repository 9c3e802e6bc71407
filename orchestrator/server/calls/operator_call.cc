#include "orchestrator/server/calls/operator_call.h"

#include "orchestrator/app/calls/refused_writes.h"

namespace baton {

OperatorCall::OperatorCall(ServerDependencies& dependencies, grpc::CallbackServerContext& context, const CallName& as,
                           const std::string& subject, LogLevel done)
    : s_(&dependencies), context_(&context), reactor_(context.DefaultReactor()), name_(as.name), done_(done),
      timed_(dependencies.metrics, as.name), asked_{.actor = ActorOf(dependencies, context),
                                                    .method = AskedAs(context, as.method),
                                                    .request_id = RequestIdOf(context),
                                                    .subject = SubjectOf(subject)},
      trace_(TraceOf(context)) {}

AuditEntry OperatorCall::Done(std::vector<std::string> changed) const {
  AuditEntry entry = asked_;
  entry.changed = std::move(changed);
  return entry;
}

void OperatorCall::End(const Status& status) const {
  const double took = timed_.End(status);
  if (status) {
    s_->log.Write(done_, name_,
                  {{"request_id", asked_.request_id},
                   {"subject", asked_.subject},
                   {"actor", asked_.actor},
                   {"seconds", took},
                   TraceField(trace_.trace_id())});
  } else {
    s_->log.Warn(name_, {{"request_id", asked_.request_id},
                         {"subject", asked_.subject},
                         {"actor", asked_.actor},
                         {"error", status.error().message},
                         TraceField(trace_.trace_id())});
    NoteRefusal(*s_, asked_, status.error());
  }
  Finish(*context_, *reactor_, status);
}

void OperatorCall::EndWritingDown(const Status& status, const std::string& subject) const {
  if (!status) return End(status);
  OperatorCall call = *this;
  if (!subject.empty()) call.asked_.subject = SubjectOf(subject);
  s_->registry.WriteDown(call.asked_, [call](const Status& written) {
    // It is done whatever becomes of this: it is tried again as refusals are.
    if (!written) call.s_->refused.Add(call.asked_);
    call.End(Status(baton::Done{}));
  });
}

}  // namespace baton
