#include "tools/cell/cell.h"

#include <unistd.h>

#include <random>
#include <utility>

#include "orchestrator/base/uuid.h"
#include "orchestrator/wire/stored/content_hash.h"
#include "tools/cell/abilities.h"
#include "tools/cell/instances/output_tail.h"
#include "tools/cell/machine/cgroup2.h"
#include "tools/cell/machine/instance_scope.h"
#include "tools/cell/messages.h"
#include "tools/system/make_dir.h"

namespace baton::cell {
namespace {

using Phase = InstancePhase;
using std::chrono::milliseconds;

constexpr std::size_t kReportsMax = 1000;  // a message
constexpr milliseconds kRetryFirst{50};
constexpr milliseconds kRetryMax{2000};

// Under systemd in a scope, which may have limits; else below our own cgroup, which may have them where it is ours
// alone. A unit says "scope": its own cgroup must stay one that systemd can start it in again.
Cgroups OpenCgroups(const CellOptions& options, Log& log) {
  if (options.cgroup == "none") return {};
  const bool scope_only = options.cgroup == "scope";
  if (!options.cgroup.empty() && !scope_only) return Cgroups::Below(options.cgroup);
  const Result<std::string> scope = OpenInstanceScope(options.id, Cgroup2Mount());
  if (scope) {
    log.Info("scope_opened", {{"directory", *scope}});
    return Cgroups::Below(*scope);
  }
  log.Info("scope_not_opened", {{"why", scope.error().message}});
  return scope_only ? Cgroups() : Cgroups::BelowOwn();
}

Outbox::Subject SubjectOf(const InstanceRunner& runner) {
  return {runner.record().order.actual_id, runner.record().instance_guid};
}

}  // namespace

Cell::Cell(shim::EventLoop& loop, Log& log, Metrics& metrics, CellOptions options)
    : loop_(loop), log_(log), metrics_(metrics), options_(std::move(options)), programs_(loop), watcher_(loop),
      prober_(loop, options_.address), ports_(options_.ports, CanListen, std::random_device{}()),
      cgroups_(OpenCgroups(options_, log)), trash_(options_.dir + "/trash"),
      definitions_(options_.dir + "/definitions"), tools_{loop,    log,    options_, programs_, watcher_,
                                                          prober_, ports_, cgroups_, trash_},
      dead_(trash_), session_(loop, log, *this, options_.batond, options_.dir, options_.credentials),
      retry_backoff_(kRetryFirst, kRetryMax), fetch_backoff_(kRetryFirst, kRetryMax) {
  // What cannot be made is noticed where something is written there.
  [[maybe_unused]] const std::string instances = MakeDir(InstancesPath(options_.dir), 0711);
  [[maybe_unused]] const std::string cache = MakeDir(options_.dir + "/cache", 0700);
}

Cell::~Cell() = default;

void Cell::Start() {
  for (FoundInstance& found : FindInstances(options_.dir)) {
    if (found.record.state.phase == Phase::kForgotten) {
      dead_.Add(found.dir);
    } else {
      Adopt(std::move(found.record));
    }
  }
  log_.Info("cell_started", {{"cell_id", options_.id}, {"dir", options_.dir}, {"instances", runners_.size()}});
  if (options_.allow_root_apps && geteuid() == 0) {
    log_.Warn("root_apps_allowed", {{"cell_id", options_.id}, {"why", "--allow-root-apps: what an app's code does, it does as root"}});
  }
  Measure();
  if (options_.accept_store) session_.AcceptAnyStore();
  session_.Start();
}

void Cell::Adopt(InstanceRecord record) {
  const std::string guid = record.instance_guid;
  auto& runner = runners_[guid] = std::make_unique<InstanceRunner>(tools_, *this, std::move(record));
  runner->Resume();
}

void Cell::Leave(std::function<void()> left) {
  left_ = std::move(left);
  session_.End([this] {
    if (!options_.stop_instances_on_exit) return left_();
    stops_instances_ = true;
    for (InstanceRunner* runner : Runners()) runner->Handle(event::CellLeaves{});
    FinishIfDone();
  });
}

void Cell::FinishIfDone() {
  if (!left_) return;
  for (const auto& [guid, runner] : runners_) {
    if (runner->HasProcesses()) return;
  }
  loop_.Post(std::exchange(left_, nullptr));
}

std::vector<InstanceRunner*> Cell::Runners() const {
  std::vector<InstanceRunner*> all;
  for (const auto& [guid, runner] : runners_) all.push_back(runner.get());
  return all;
}

v2::CellHello Cell::Hello() {
  v2::CellHello hello = GreetingOf(options_, cgroups_.enforces());
  for (const auto& [guid, runner] : runners_) {
    if (runner->state().phase == Phase::kForgotten) continue;
    *hello.add_instances() = InHand(runner->record(), options_.address);
    AddPorts(hello, runner->record());
  }
  return hello;
}

v2::CellHeartbeat Cell::Heartbeat() {
  v2::CellHeartbeat beat;
  *beat.mutable_available() = AsMessage(CurrentRoom().Free());
  return beat;
}

void Cell::Connected() {
  metrics_.Set("baton_cell_connected", 1);
  FlushSoon();
  FetchAgain();
}

void Cell::Disconnected() {
  outbox_.StreamLost();
  metrics_.Set("baton_cell_connected", 0);
  metrics_.Count("baton_cell_connections_lost_total");
}

Room Cell::CurrentRoom() const {
  Room room{options_.capacity, {}};
  for (const auto& [guid, runner] : runners_) {
    const Phase phase = runner->state().phase;
    if (phase != Phase::kEnded && phase != Phase::kForgotten) room.Take(runner->record().order.resources);
  }
  return room;
}

InstanceRunner* Cell::Find(const std::string& actual_id) {
  for (const auto& [guid, runner] : runners_) {
    if (runner->record().order.actual_id == actual_id && runner->state().phase != Phase::kForgotten) {
      return runner.get();
    }
  }
  return nullptr;
}

void Cell::Run(const v2::RunOrder& order) {
  if (InstanceRunner* known = Find(order.actual_id())) return known->Handle(event::RunOrdered{});
  InstanceRecord record;
  record.order = OrderOf(order);
  record.instance_guid = RandomUuid();
  record.ordered_at_ms = shim::WallMillis();
  if (const auto lack = Lacks(order, record.order.resources)) return Reject(order, *lack);
  const std::string guid = record.instance_guid;
  auto& runner = runners_[guid] = std::make_unique<InstanceRunner>(tools_, *this, std::move(record));
  const Status begun = runner->Begin();
  if (begun) {
    metrics_.Count("baton_cell_starts_total");
    return MeasureSoon();
  }
  runners_.erase(guid);
  Reject(order, {Lack::kCell, begun.error().message});
}

// Checks what is known before the claim. If the definition is not here yet, the rest is checked at the launch.
std::optional<Shortage> Cell::Lacks(const v2::RunOrder& order, const Resources& resources) {
  if (auto lack = CurrentRoom().Lacks(resources)) return lack;
  const DefinitionPtr definition = definitions_.Find(order.content_hash());
  if (!definition) return std::nullopt;
  if (auto lack = CannotEnact(*definition, MeansOf(options_, geteuid() == 0), order.egress_unenforced())) {
    return Shortage{Lack::kOther, *lack};
  }
  const auto wanted = static_cast<std::size_t>(definition->run_info().ports_size());
  if (wanted <= ports_.Left()) return std::nullopt;
  return TooLittle(Lack::kHostPorts, static_cast<std::int64_t>(wanted), static_cast<std::int64_t>(ports_.Left()));
}

void Cell::Reject(const v2::RunOrder& order, const Shortage& shortage) {
  const std::string& reason = shortage.text;
  metrics_.Count("baton_cell_rejected_total");
  log_.Warn(
      "rejected",
      {{"actual_id", order.actual_id()}, {"app", order.process_guid()}, {"index", order.index()}, {"reason", reason}});
  v2::CellReport report;
  report.set_actual_id(order.actual_id());
  report.set_instance_guid(RandomUuid());
  report.mutable_rejected()->set_reason(reason);
  report.mutable_rejected()->set_lack(AsMessage(shortage.lack));
  outbox_.Put({order.actual_id(), ""}, ++loose_facts_, std::move(report));
  FlushSoon();
}

void Cell::Stop(const v2::StopOrder& order) {
  InstanceRunner* known = Find(order.actual_id());
  const bool meant = known && (order.instance_guid().empty() || order.instance_guid() == known->record().instance_guid);
  const std::int64_t grace_ms = order.grace_ms() > 0 ? order.grace_ms() : options_.grace_ms;
  if (meant) return known->Handle(event::StopOrdered{grace_ms});
  v2::CellReport report;
  report.set_actual_id(order.actual_id());
  report.set_instance_guid(order.instance_guid());
  report.mutable_stopped();
  outbox_.Put({order.actual_id(), ""}, ++loose_facts_, std::move(report));
  FlushSoon();
}

void Cell::ShowOutput(const v2::OutputAsk& ask) {
  v2::CellMessage message;
  v2::CellOutput& answer = *message.mutable_output();
  answer.set_ask_id(ask.ask_id());
  const auto found = runners_.find(ask.instance_guid());
  if (found == runners_.end() || found->second->record().order.actual_id != ask.actual_id()) {
    answer.set_error("it has no such instance (any more)");
  } else {
    const std::string log = found->second->dir().Log();
    const OutputTail tail = ask.after().empty() ? LastOutput(log, ask.lines()) : OutputAfter(log, ask.after());
    answer.set_output(tail.bytes);
    answer.set_place(tail.place);
    answer.set_more(tail.more);
    answer.set_lost(tail.lost);
  }
  session_.Send(std::move(message));
}

void Cell::Result(const v2::CellReportResult& result) {
  using Outcome = v2::CellReportResult;
  if (result.outcome() != Outcome::APPLIED && result.outcome() != Outcome::UNCHANGED &&
      result.outcome() != Outcome::REFUSED) {
    const bool waiting = outbox_.postponed();
    outbox_.Postpone(result.report_id());
    if (waiting || !outbox_.postponed()) return;
    loop_.After(retry_backoff_.Next(), [this] {
      outbox_.Retry();
      Flush();
    });
    return;
  }
  retry_backoff_.Reset();
  const std::optional<Outbox::Answered> answered = outbox_.Answer(result.report_id());
  FlushSoon();  // a newer fact may have waited for this answer
  if (!answered) return;
  const auto found = runners_.find(answered->subject.instance_guid);
  if (found == runners_.end()) return;
  const bool refused = result.outcome() == Outcome::REFUSED;
  if (refused) {
    metrics_.Count("baton_cell_reports_refused_total");
    log_.Warn("report_refused", {{"actual_id", answered->subject.actual_id},
                                 {"app", found->second->record().order.process_guid},
                                 {"index", found->second->record().order.index},
                                 {"message", result.message()}});
  }
  found->second->Handle(refused ? InstanceEvent(event::Refused{}) : event::Accepted{answered->fact_number});
}

void Cell::Report(InstanceRunner& runner) {
  outbox_.Put(SubjectOf(runner), runner.state().fact.number, ReportOf(runner.record(), options_));
  FlushSoon();
}

void Cell::Withdraw(InstanceRunner& runner) { outbox_.Drop(SubjectOf(runner)); }

void Cell::FlushSoon() {
  if (std::exchange(flush_posted_, true)) return;
  loop_.Post([this] { Flush(); });  // what happens in one round goes in one message
}

void Cell::Flush() {
  flush_posted_ = false;
  while (session_.connected()) {
    std::vector<v2::CellReport> reports = outbox_.Take(kReportsMax);
    if (reports.empty()) return;
    v2::CellMessage message;
    for (v2::CellReport& report : reports) *message.mutable_reports()->add_reports() = std::move(report);
    session_.Send(std::move(message));
  }
}

void Cell::Fetch(InstanceRunner& runner) {
  const InstanceOrder& order = runner.record().order;
  if (DefinitionPtr definition = definitions_.Find(order.content_hash)) {
    return runner.TakeDefinition(std::move(definition));
  }
  // Without a leader: asked when there is one.
  if (!session_.connected() || !fetching_.insert(order.content_hash).second) return;
  v2::GetDefinitionRequest request;
  request.set_process_guid(order.process_guid);
  request.set_incarnation(order.incarnation);
  request.set_definition_identifier(order.definition_identifier);
  request.set_reveal_secrets(true);
  session_.Fetch(request, order.content_hash);
}

std::set<std::string> Cell::DefinitionsInUse() const {
  std::set<std::string> hashes;
  for (const auto& [guid, runner] : runners_) hashes.insert(runner->record().order.content_hash);
  return hashes;
}

void Cell::Definition(const std::string& content_hash, baton::Result<v2::LRPDefinition> definition) {
  fetching_.erase(content_hash);
  if (definition && IsContent(*definition, content_hash)) {
    falsified_.erase(content_hash);
    fetch_backoff_.Reset();
    const DefinitionPtr kept = definitions_.Keep(std::move(definition).value(), DefinitionsInUse());
    for (InstanceRunner* runner : WhoWant(content_hash)) runner->TakeDefinition(kept);
    return;
  }
  if (!definition && definition.error().kind == ErrorKind::kNotFound) {
    for (InstanceRunner* runner : WhoWant(content_hash)) runner->Handle(event::CannotRun{"its definition is gone"});
    return;
  }
  log_.Warn("definition_not_fetched",
            {{"content_hash", content_hash}, {"error", definition ? "another content" : definition.error().message}});
  // Once more: the app may have been replaced between the order and the question.
  if (definition && !falsified_.insert(content_hash).second) {
    falsified_.erase(content_hash);
    const std::string why = "its definition has another content than the order says: " + content_hash +
                            " is ordered, " + wire::ContentHash(*definition) + " came";
    for (InstanceRunner* runner : WhoWant(content_hash)) runner->Handle(event::Lacks{why, Lack::kOther});
    return;
  }
  loop_.After(fetch_backoff_.Next(), [this] { FetchAgain(); });
}

std::vector<InstanceRunner*> Cell::WhoWant(const std::string& content_hash) const {
  std::vector<InstanceRunner*> wanting;
  for (InstanceRunner* runner : Runners()) {
    if (runner->wants_definition() && runner->record().order.content_hash == content_hash) wanting.push_back(runner);
  }
  return wanting;
}

void Cell::FetchAgain() {
  for (InstanceRunner* runner : Runners()) {
    if (runner->wants_definition()) Fetch(*runner);
  }
}

void Cell::Forget(InstanceRunner& runner) {
  outbox_.Drop(SubjectOf(runner));
  dead_.Add(runner.dir());
  auto node = runners_.extract(runner.record().instance_guid);
  forgotten_.push_back(std::move(node.mapped()));
  MeasureSoon();
  loop_.Post([this] { forgotten_.clear(); });
}

void Cell::PhaseChanged(InstanceRunner& runner) {
  const InstanceState& state = runner.state();
  if (state.phase == Phase::kEnded && state.fact.kind == Fact::Kind::kCrashed)
    metrics_.Count("baton_cell_crashes_total");
  MeasureSoon();
  if (stops_instances_) FinishIfDone();
}

void Cell::MeasureSoon() {
  if (std::exchange(measure_posted_, true)) return;
  loop_.Post([this] { Measure(); });  // once for all that happens in one round
}

void Cell::Measure() {
  measure_posted_ = false;
  std::map<Phase, int> instances;
  for (const auto& [guid, runner] : runners_) ++instances[runner->state().phase];
  for (auto phase = Phase::kClaiming; phase != Phase::kForgotten;
       phase = static_cast<Phase>(static_cast<int>(phase) + 1)) {
    metrics_.Set("baton_cell_instances", instances[phase], Name(phase));
  }
  const Room room = CurrentRoom();
  const auto set = [this](std::string_view name, const Resources& resources) {
    metrics_.Set(name, static_cast<double>(resources.memory_mb), "memory_mb");
    metrics_.Set(name, static_cast<double>(resources.disk_mb), "disk_mb");
    metrics_.Set(name, static_cast<double>(resources.pids), "pids");
    metrics_.Set(name, static_cast<double>(resources.containers), "containers");
  };
  set("baton_cell_capacity", room.capacity);
  set("baton_cell_taken", room.taken);
  set("baton_cell_free", room.Free());
}

}  // namespace baton::cell
