#include "tools/baton/waiting/retiring.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "baton/v2/rolls_service.grpc.pb.h"
#include "tools/baton/views/describe.h"
#include "tools/baton/views/explain.h"
#include "tools/baton/waiting/waiting.h"

namespace baton::cli {
namespace {

class Retiring {
 public:
  Retiring(Session& session, std::string guid, const std::vector<RetiringStart>& starts)
      : session_(session), guid_(std::move(guid)) {
    for (const RetiringStart& one : starts) {
      starts_[one.actual_id] = one.instance_guid;
      slots_.insert(one.index);
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
    if (left == 0 && waits == 0) look.done = "app " + guid_ + ": done";
    const bool left_to_roll =
        std::ranges::any_of(app.reasons(), [](const auto& reason) { return reason.rule() == "retire.roll"; });
    if (app.roll().state() == v2::HELD && left_to_roll) {
      look.stuck = "app " + guid_ + ": " + std::to_string(left) + (left == 1 ? " instance" : " instances") +
                   " left, and the roll that is to replace them is HELD";
    }
    return look;
  }

 private:
  // A deleted app waits for nothing.
  v2::ExplainRollResponse Explanation() {
    v2::ExplainRollRequest request;
    request.set_process_guid(guid_);
    return session_.api.Find<v2::Rolls>("app " + guid_, &v2::Rolls::Stub::ExplainRoll, request)
        .value_or(v2::ExplainRollResponse());
  }

  // One that was started anew meanwhile is not the one that was asked to go.
  int Left() {
    v2::ListActualLRPsRequest request;
    request.set_process_guid(guid_);
    const auto rows = session_.api.List<v2::ActualLRPs>("instances", &v2::ActualLRPs::Stub::ListActualLRPs, request);
    return static_cast<int>(std::ranges::count_if(rows.actual_lrps(), [&](const v2::ActualLRP& lrp) {
      const auto asked = starts_.find(lrp.actual_id());
      return asked != starts_.end() && asked->second == lrp.instance_key().instance_guid();
    }));
  }

  Session& session_;
  std::string guid_;
  std::map<std::string, std::string> starts_;  // actual id -> the start that was asked to go
  std::set<int> slots_;
};

}  // namespace

int AwaitRetired(Session& session, const std::string& guid, const std::vector<RetiringStart>& starts) {
  Retiring retiring(session, guid, starts);
  return WaitFor(session, {"app " + guid, [&] { return retiring.LookOnce(); },
                           [&] { return Explain(ReadExplanation(session, guid), guid, session.io.now()); }});
}

}  // namespace baton::cli
