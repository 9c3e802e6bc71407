// A dry run unless --yes is given: moving serving instances needs a confirmation.
#include <vector>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "tools/baton/admin/uneven.h"
#include "tools/baton/commands/reads.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/waiting/retiring.h"
#include "tools/words/table.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

class Rebalancing {
 public:
  explicit Rebalancing(Session& session) : session_(session), left_(session.arguments.most) {}

  int Run() {
    const bool named = !arguments().guid.empty();
    const std::vector<std::string> guids = named ? std::vector{arguments().guid} : Uneven();
    std::size_t looked_at = 0;
    for (; looked_at < guids.size() && left_ > 0; ++looked_at) Move(guids[looked_at], named);
    if (PrintedMessage(session_, all_)) return kDone;
    if (all_.moved_size() == 0 && !named) session_.io.out << "no app can be spread more evenly\n";
    if (all_.moved_size() > 0 && !arguments().yes) session_.io.out << "nothing was moved: --yes moves them\n";
    if (looked_at < guids.size()) {
      session_.io.out << "not looked at, because of --most " << arguments().most << ": "
                      << guids.size() - looked_at << " more apps that may be uneven\n";
    }
    return kDone;
  }

 private:
  const Arguments& arguments() const { return session_.arguments; }

  std::vector<std::string> Uneven() {
    return UnevenApps(ReadInstances(session_, "", {}), ReadCells(session_));
  }

  void Move(const std::string& guid, bool named) {
    v2::RebalanceInstancesRequest request;
    request.set_process_guid(guid);
    request.set_dry_run(!arguments().yes);
    request.set_most(left_);
    if (arguments().yes) request.set_idempotency_key(NewIdempotencyKey());
    const auto method = &v2::ActualLRPs::Stub::RebalanceInstances;
    // An app that is deleted meanwhile is not in the way of the others.
    const auto answer = named ? session_.api.Ask<v2::ActualLRPs>("app " + guid, method, request)
                              : session_.api.Find<v2::ActualLRPs>("app " + guid, method, request)
                                    .value_or(v2::RebalanceInstancesResponse());
    left_ -= answer.moved_size();
    if (!ForPrograms(session_) && (named || answer.moved_size() > 0)) Say(guid, answer);
    all_.MergeFrom(answer);
    if (!named) all_.clear_outcome();  // it is of one app
    if (arguments().yes && arguments().wait && answer.moved_size() > 0) Await(guid, answer);
  }

  void Say(const std::string& guid, const v2::RebalanceInstancesResponse& answer) {
    session_.io.out << "app " << guid << ": " << OneLine(answer.outcome()) << "\n";
    Table table{{"SLOT", "FROM", "TO", "WHY"}, {}};
    for (const auto& one : answer.moved()) {
      table.rows.push_back({std::to_string(one.index()), one.from_cell_id(), one.to_cell_id(), OneLine(one.why())});
    }
    if (!table.rows.empty()) session_.io.out << Render(table);
    session_.io.out << std::flush;
  }

  void Await(const std::string& guid, const v2::RebalanceInstancesResponse& answer) {
    std::vector<RetiringStart> starts;
    for (const auto& one : answer.moved()) starts.push_back({one.actual_id(), one.instance_guid(), one.index()});
    (void)AwaitRetired(session_, guid, starts);
  }

  Session& session_;
  int left_;
  v2::RebalanceInstancesResponse all_;
};

}  // namespace

int AdminRebalance(Session& session) { return Rebalancing(session).Run(); }

}  // namespace baton::cli
