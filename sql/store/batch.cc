#include "sql/store/batch.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>

#include "orchestrator/wire/differences/changed_fields.h"
#include "orchestrator/wire/stored/placeholder.h"
#include "sql/read/app_reader.h"
#include "sql/store/app_writer.h"
#include "sql/store/dual_writer.h"

namespace baton {
namespace {

class Batch {
 public:
  Batch(Session& session, const Leadership& leadership, IdSource& ids, const AppCommands& calls,
        const std::set<ProcessGuid>& unpublished, AppLoad::Lock lock, KnownApps* known_apps)
      : session_(session), leadership_(leadership), calls_(calls), unpublished_(unpublished), known_apps_(known_apps),
        whole_(unpublished) {
    moment_.ids = &ids;
    outcomes_.assign(calls.size(), Status(Done{}));
    for (const auto& call : calls) {
      if (!call->header().instance) whole_.insert(call->header().guid);
    }
    load_.lock = lock;
    load_.apps.assign(whole_.begin(), whole_.end());
    if (known_apps_) {
      known_ = known_apps_->Take(load_.apps, leadership_.epoch, KnownApps::Clock::now());
      if (lock != AppLoad::Lock::kApps) known_.clear();
      load_.known = &known_;
    }
    std::set<ActualId> instances;
    for (const auto& call : calls) {
      const CommandHeader& header = call->header();
      if (header.instance && !whole_.contains(header.guid)) instances.insert(*header.instance);
    }
    load_.instances.assign(instances.begin(), instances.end());
    std::set<ActualId> defined;
    for (const auto& call : calls) {
      const CommandHeader& header = call->header();
      const bool with = header.instance && header.with_definition && instances.contains(*header.instance);
      if (with) defined.insert(*header.instance);
    }
    load_.with_definition.assign(defined.begin(), defined.end());
  }

  // What is read first: all that is decided from.
  std::vector<Session::Step> Reads() {
    std::vector<Session::Step> steps = StepsOf(load_);
    reads_of_apps_ = steps.size();
    if (!whole_.empty()) std::ranges::move(FleetReadSteps(), std::back_inserter(steps));
    ArrayParam keys;
    for (const auto& call : calls_) {
      const std::string& key = call->header().idempotency_key;
      if (!key.empty()) keys.Text(key);
    }
    if (!keys.empty()) steps.push_back({"ReadAnswers", {keys.str()}});
    return steps;
  }

  // `rows`: what they gave.
  void Run(TimePoint now, std::span<const Rows> rows) {
    moment_.now = now;
    rows_of_apps_ = rows.first(reads_of_apps_);
    loaded_ = TakeApps(session_, load_, rows_of_apps_);
    rows = rows.subspan(reads_of_apps_);
    if (!whole_.empty()) {
      TakeFleet(session_, loaded_.apps, rows.first(kFleetReads), moment_);
      rows = rows.subspan(kFleetReads);
    }
    if (!rows.empty()) TakeAnswers(rows.front());
    // Reports of single instances last, as if they had come last: no cell is told to start what the same commit takes away.
    const auto is_report = [](const CommandHeader& call) { return call.instance && call.priority == Priority::kRolls; };
    for (const bool reports : {false, true}) {
      for (std::size_t i = 0; i < calls_.size(); ++i) {
        if (is_report(calls_[i]->header()) == reports) outcomes_[i] = Decide(*calls_[i]);
      }
    }
    changes_.guards = GuardsOf(changes_, load_, rows_of_apps_);
    if (known_apps_) known_.merge(NewlyKnown(loaded_, load_, rows_of_apps_, known_apps_->limits().rows_min));
    WriteBatch(session_, changes_, now, &events_);
    if (leadership_.dual_writer) leadership_.dual_writer->Write(session_, changes_, whole_);
  }

  void Count(std::map<ConsumerId, TimePoint> counted_since) { moment_.counted_since = std::move(counted_since); }

  std::vector<Status> TakeOutcomes() { return std::move(outcomes_); }
  std::vector<EventRow> TakeEvents() { return std::move(events_); }

  // After Tell: it takes rows out of what that tells.
  void KeepKnown() {
    if (!known_apps_) return;
    known_apps_->Put(KnownAfter(loaded_, changes_, std::move(known_), leadership_.epoch), KnownApps::Clock::now());
  }

  void Tell(CommitListener& listener) const {
    const AppChanges none;
    std::set<ProcessGuid> to_publish = unpublished_;
    for (const auto& [guid, rows] : loaded_.mended) {
      if (changes_.apps.contains(guid)) to_publish.insert(guid);  // nobody was told of it while it was broken
    }
    for (const ProcessGuid& guid : to_publish) {
      if (loaded_.broken.contains(guid)) continue;
      const auto changed = changes_.apps.find(guid);
      listener.OnCommitted({guid, changed == changes_.apps.end() ? none : changed->second.changes,
                            loaded_.apps.at(guid), /*whole=*/true, /*full_snapshot=*/true});
    }
    for (const auto& [guid, one] : changes_.apps) {
      if (one.changes.empty() || to_publish.contains(guid)) continue;
      listener.OnCommitted({guid, one.changes, *one.after, whole_.contains(guid)});
    }
  }

 private:
  void TakeAnswers(const Rows& rows) {
    for (const auto row : rows) {
      auto answer = session_.cipher().Open({"idempotency_keys", "answer", row.Text("idempotency_key")}, row.Bytes("answer"));
      answers_.emplace(row.Text("idempotency_key"), Answer{row.Text("request_hash"), std::move(answer)});
    }
  }

  Status Decide(AppCommand& command) {
    const CommandHeader& call = command.header();
    if (!call.idempotency_key.empty()) {
      if (const auto known = answers_.find(call.idempotency_key); known != answers_.end()) {
        if (known->second.request_hash != call.request_hash) {
          return Error{ErrorKind::kAborted, "idempotency_key was used for another request: give each request its own"};
        }
        const Result<std::string>& answer = known->second.answer;
        if (answer && command.Replay(*answer)) return Done{};
        return Error{ErrorKind::kDataLoss, "this was done before, and the answer that is kept under its idempotency_key cannot be read" +
                                               (answer ? std::string() : " (" + answer.error().message + ")") +
                                               ": read the app to see what became of it"};
      }
    }
    const std::optional<Error> was_broken = call.mends ? Mend(call.guid) : std::nullopt;
    if (const auto fault = loaded_.broken.find(call.guid); fault != loaded_.broken.end()) return fault->second;
    AppState& state = loaded_.apps[call.guid];
    state.guid = call.guid;
    AppEdit edit(state, moment_, call.actor);
    if (was_broken) wire::AddPlaceholders(edit, loaded_.mended[call.guid].lost);
    Status status = command.Decide(edit);
    if (!status) {
      edit.Undo();
      if (was_broken) LeaveBroken(call.guid, *was_broken);
      return status;
    }
    const bool changed = edit.ChangedByDecision();
    if (!call.audited_as.empty()) {
      changes_.audit.push_back({.actor = call.actor,
                                .method = call.audited_as,
                                .guid = call.guid.str(),
                                .request_id = call.request_id,
                                .changed = wire::ChangedFields(edit.desired_before(), state)});
    }
    AppChanges changes = edit.Finish();
    if (call.priority == Priority::kCallers) changes.CausedBy(call.trace);
    command.Answer({state, moment_, changes, changed});
    auto& one = changes_.apps[call.guid];
    one.after = &state;
    one.changes.Merge(std::move(changes));
    WriteMended(call.guid, state, one.changes);
    if (!call.idempotency_key.empty()) {
      const std::string answer = command.Encode();
      answers_.insert_or_assign(call.idempotency_key, Answer{call.request_hash, answer});
      changes_.answers.push_back({call.idempotency_key, call.name, call.request_hash, answer});
    }
    return status;
  }

  // Its rows are read once more, each as far as it can be. What was wrong with them; nothing: they were not mended.
  std::optional<Error> Mend(const ProcessGuid& guid) {
    const auto broken = loaded_.broken.find(guid);
    if (broken == loaded_.broken.end()) return std::nullopt;
    if (!known_.empty()) throw StatementFault{kNotAsRead, "all is read to mend " + guid.str()};
    AppLoad load = load_;
    load.mend = true;
    LoadedApps again = TakeApps(session_, load, rows_of_apps_);
    if (again.broken.contains(guid)) return std::nullopt;  // what nothing can be put in the place of
    const Error fault = broken->second;
    loaded_.broken.erase(broken);
    loaded_.apps.at(guid) = std::move(again.apps.at(guid));
    loaded_.mended[guid] = std::move(again.mended[guid]);
    return fault;
  }

  // The call that would have mended it was refused: the next one of the batch must not go by what was put in its place.
  void LeaveBroken(const ProcessGuid& guid, const Error& fault) {
    loaded_.broken.emplace(guid, fault);
    loaded_.mended.erase(guid);
  }

  // What is still there of it, although the call has changed nothing in it.
  void WriteMended(const ProcessGuid& guid, const AppState& state, AppChanges& changes) const {
    const auto mended = loaded_.mended.find(guid);
    if (mended == loaded_.mended.end()) return;
    changes.desired = changes.desired || mended->second.desired;
    changes.roll = changes.roll || mended->second.roll;
    for (const ActualId& id : mended->second.actuals) {
      if (state.actuals.contains(id)) changes.changed.insert(id);
    }
  }

  struct Answer {
    std::string request_hash;
    Result<std::string> answer;  // or why it cannot be read
  };

  Session& session_;
  const Leadership& leadership_;
  const AppCommands& calls_;
  const std::set<ProcessGuid>& unpublished_;
  KnownApps* const known_apps_;
  Moment moment_;
  std::set<ProcessGuid> whole_;  // read with all their rows
  AppLoad load_;
  KnownRows known_;  // without their instances, while the batch runs
  std::size_t reads_of_apps_ = 0;
  std::span<const Rows> rows_of_apps_;  // while the transaction runs
  std::map<std::string, Answer> answers_;
  LoadedApps loaded_;
  BatchChanges changes_;
  std::vector<EventRow> events_;
  std::vector<Status> outcomes_;
};

}  // namespace

BatchResult RunBatch(Session& session, const Leadership& leadership, IdSource& ids, const AppCommands& calls,
                     std::set<ProcessGuid>& unpublished, const BatchPeers& peers, bool again) {
  const auto lock = again || !unpublished.empty() ? AppLoad::Lock::kInstancesToo : AppLoad::Lock::kApps;
  BatchResult result;
  for (const auto& call : calls) {
    if (call->header().full_snapshot) unpublished.insert(call->header().guid);
  }
  Batch batch(session, leadership, ids, calls, unpublished, lock, peers.known);
  const FencedEnd end =
      TransactFenced(session, leadership, batch.Reads(), [&](Session&, TimePoint now, std::vector<Rows> rows) {
        if (peers.routers) batch.Count(peers.routers->CountedSince());
        batch.Run(now, rows);
      });
  result.error = end.error;
  if (result.error.fault == Fault::kInDoubt) {
    for (const auto& call : calls) unpublished.insert(call->header().guid);
  }
  if (!result.error.ok()) return result;
  if (!end.leads) {
    unpublished.clear();  // whoever leads next begins with all rows
    result.end = BatchEnd::kNotLeading;
    return result;
  }
  if (peers.events) peers.events->Put(batch.TakeEvents());  // before whoever reads them is woken
  if (peers.listener) batch.Tell(*peers.listener);
  batch.KeepKnown();
  unpublished.clear();
  result.end = BatchEnd::kCommitted;
  result.outcomes = batch.TakeOutcomes();
  return result;
}

}  // namespace baton
