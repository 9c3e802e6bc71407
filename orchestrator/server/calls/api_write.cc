#include "orchestrator/server/calls/api_write.h"

#include "orchestrator/app/apps/one_definition.h"
#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/callers/identity_limits.h"

namespace baton {

// Its log line, metrics, audit of a refusal, and answer.
class ApiWrite::Ending {
 public:
  Ending(const ApiCall& call, const CommandHeader& header, google::protobuf::Message& response)
      : call_(call), header_(header), response_(response), shown_(ShownTo(call.dependencies, call.context)),
        timed_(call.dependencies.metrics, call.as.name) {}

  // As the caller may see it.
  std::string Encode() const { return wire::Redact(response_, shown_), response_.SerializeAsString(); }

  void With(const Status& status) const {
    const double took = timed_.End(status);
    wire::Redact(response_, shown_);
    Log& log = call_.dependencies.log;
    const std::string& app = header_.guid.str();
    if (status) {
      log.Info(header_.name, {{"request_id", header_.request_id},
                              {"app", app},
                              {"actor", header_.actor},
                              {"seconds", took},
                              TraceField(header_.trace.trace_id())});
    } else {
      const std::string& error = status.error().message;
      log.Warn(header_.name, {{"request_id", header_.request_id},
                              {"app", app},
                              {"actor", header_.actor},
                              {"error", error},
                              TraceField(header_.trace.trace_id())});
      NoteRefusal(call_.dependencies,
                  {.actor = header_.actor, .method = header_.audited_as, .guid = app, .request_id = header_.request_id},
                  status.error());
    }
    Finish(call_.context, call_.reactor, status);
  }

 private:
  const ApiCall call_;
  const CommandHeader header_;
  google::protobuf::Message& response_;
  const wire::Show shown_;
  const TimedCall timed_;
};

ApiWrite::ApiWrite(const ApiCall& call, CommandHeader header, google::protobuf::Message& response)
    : AppCommand(std::move(header)), call_(call), response_(response),
      grant_(Grant::Of(call.dependencies, call.context)), hold_(call.dependencies.leader.hosts()),
      ending_(std::make_shared<const Ending>(call, this->header(), response)) {}

void ApiWrite::Submit(std::unique_ptr<ApiWrite> write) {
  ServerDependencies& dependencies = write->call_.dependencies;
  Status may = Done{};
  if (dependencies.identity_limits) {
    may = dependencies.identity_limits->TakeWrite(NameOf(dependencies, write->call_.context),
                                                  IdentityLimits::Steady::now());
  }
  if (may) may = write->May();
  if (!may) return write->End(may);
  dependencies.leader.roller().Do(std::move(write));
}

Status ApiWrite::May() const { return MayWrite(call_.dependencies.data(), AskedInV1(call_.context)); }

Status ApiWrite::Decide(AppEdit& edit) {
  if (!MakesTheApp()) {
    if (Status may = grant_.MayTouch(edit.state()); !may) return may;
  }
  if (Status changed = Change(edit); !changed) return changed;
  return CheckLeft(grant_, call_.dependencies.leader.hosts(), &hold_, edit);
}

std::string ApiWrite::Encode() { return ending_->Encode(); }

void ApiWrite::End(const Status& status) {
  Tell(grant_, call_.dependencies.reads, header().guid, status,
       [ending = ending_](const Status& told) { ending->With(told); });
}

CommandHeader HeaderWithoutKey(const ApiCall& call, const std::string& guid) {
  return {.name = call.as.name,
          .guid = ProcessGuid(guid),
          .actor = ActorOf(call.dependencies, call.context),
          .request_id = RequestIdOf(call.context),
          .trace = TraceOf(call.context),
          .audited_as = AskedAs(call.context, call.as.method),
          .priority = Priority::kCallers,
          .patience = TimeLeft(call.context)};
}

}  // namespace baton
