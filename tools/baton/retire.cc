#include <algorithm>
#include <map>
#include <set>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "baton/v2/rolls_service.grpc.pb.h"
#include "tools/baton/describe.h"
#include "tools/baton/explain.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/waiting.h"
#include "tools/baton/words.h"

namespace baton::cli {
namespace {

std::string Instances(int count) { return std::to_string(count) + (count == 1 ? " instance" : " instances"); }

std::string Words(const v2::RetireInstancesResponse& answer) {
  if (answer.instances() == 0) return "no instance is replaced: none runs that is meant";
  if (answer.outcome().empty()) {  // of a batond that does not say how
    return Instances(answer.instances()) + (answer.instances() == 1 ? " is" : " are") + " replaced";
  }
  return Instances(answer.instances()) + ": " + OneLine(answer.outcome());
}

// Until none of them is there any more, and their slots are served.
class Retiring {
 public:
  Retiring(Session& session, const v2::RetireInstancesResponse& answer) : session_(session) {
    for (const auto& one : answer.retired()) {
      starts_[one.actual_id()] = one.instance_guid();
      slots_.insert(one.index());
    }
  }

  Look LookOnce() {
    const auto app = Explanation();
    const int all = static_cast<int>(starts_.size());
    const int left = Left();
    const auto waits = std::ranges::count_if(app.unserved(), [&](int index) { return slots_.contains(index); });
    Look look;
    look.progress = std::to_string(all - left) + " of " + std::to_string(all) + " are gone" +
                    (left == 0 && waits > 0 ? ", " + std::to_string(waits) + " replacements are not ready" : "");
    if (left == 0 && waits == 0) look.done = "app " + guid() + ": done";
    const bool left_to_roll =
        std::ranges::any_of(app.reasons(), [](const auto& reason) { return reason.rule() == "retire.roll"; });
    if (app.roll().state() == v2::HELD && left_to_roll) {
      look.stuck = "app " + guid() + ": " + Instances(left) + " left, and the roll that is to replace them is HELD";
    }
    return look;
  }

 private:
  const std::string& guid() const { return session_.arguments.guid; }

  // A deleted app waits for nothing.
  v2::ExplainRollResponse Explanation() {
    v2::ExplainRollRequest request;
    request.set_process_guid(guid());
    return session_.api.Find<v2::Rolls>("app " + guid(), &v2::Rolls::Stub::ExplainRoll, request)
        .value_or(v2::ExplainRollResponse());
  }

  // One that was started anew meanwhile is not the one that was asked to go.
  int Left() {
    v2::ListActualLRPsRequest request;
    request.set_process_guid(guid());
    const auto rows = session_.api.List<v2::ActualLRPs>("instances", &v2::ActualLRPs::Stub::ListActualLRPs, request);
    return static_cast<int>(std::ranges::count_if(rows.actual_lrps(), [&](const v2::ActualLRP& lrp) {
      const auto asked = starts_.find(lrp.actual_id());
      return asked != starts_.end() && asked->second == lrp.instance_key().instance_guid();
    }));
  }

  Session& session_;
  std::map<std::string, std::string> starts_;  // actual id -> the start that was asked to go
  std::set<int> slots_;
};

}  // namespace

int Retire(Session& session) {
  const Arguments& arguments = session.arguments;
  v2::RetireInstancesRequest request;
  request.set_process_guid(arguments.guid);
  request.set_definition_identifier(arguments.definition);
  request.set_idempotency_key(NewIdempotencyKey());
  const auto answer =
      session.api.Ask<v2::ActualLRPs>("app " + arguments.guid, &v2::ActualLRPs::Stub::RetireInstances, request);
  if (!PrintedMessage(session, answer)) session.io.out << "app " << arguments.guid << ": " << Words(answer) << "\n";
  session.io.out << std::flush;
  if (!arguments.wait || answer.instances() == 0) return kDone;
  if (answer.retired_size() == 0) {
    throw Failure(kFailed, "this batond does not say which instances it replaces: --wait cannot tell when it is done");
  }
  Retiring retiring(session, answer);
  return WaitFor(session,
                 {"app " + arguments.guid, [&] { return retiring.LookOnce(); },
                  [&] { return Explain(ReadExplanation(session, arguments.guid), arguments.guid, session.io.now()); }});
}

}  // namespace baton::cli
