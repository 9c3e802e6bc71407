#include "orchestrator/app/leader/leader.h"

#include <algorithm>

#include "orchestrator/app/apps/measures.h"
#include "orchestrator/model/names.h"

namespace baton {
namespace {

LogLevel LevelOf(const RollStep& step) {
  return step.kind == StepKind::kAttemptFailed ? LogLevel::kWarn : LogLevel::kInfo;
}

bool WentWell(RollState state) {
  return state == RollState::kCompleted || state == RollState::kSuperseded || state == RollState::kYielded;
}

// Why an attempt failed is the cell's sentence, and below it what the app wrote last, which may be a password. That is sealed
// in the database and shown to who may see it; a log has other readers.
std::string Logged(const std::string& text) {
  const std::size_t end = text.find('\n');
  return end == std::string::npos ? text : text.substr(0, end) + " [what the app wrote last is not logged]";
}

// How a roll ended, or that it waits for somebody, in one line; the steps say the rest.
void LogOutcomes(Log& log, const Committed& committed, const std::vector<TraceParent>& traces) {
  const auto write = [&](LogLevel level, const char* event, const Roll& roll) {
    TraceParent trace;  // of its last step
    for (std::size_t i = 0; i < traces.size(); ++i) {
      if (committed.changes.steps[i].roll_id == roll.id) trace = traces[i];
    }
    log.Write(level, event,
              {{"app", committed.guid.str()},
               {"roll", roll.id.str()},
               {"state", Name(roll.state)},
               {"definition", roll.target.str()},
               {"reason", Logged(roll.reason)},
               TraceField(trace.trace_id())});
  };
  for (const Roll& roll : committed.changes.closed_rolls) {
    write(WentWell(roll.state) ? LogLevel::kInfo : LogLevel::kWarn, "roll_finished", roll);
  }
  const std::optional<Roll>& open = committed.after.roll;
  const bool became = std::ranges::any_of(committed.changes.steps, [&](const RollStep& step) {
    return open && step.roll_id == open->id && step.kind == StepKind::kState;
  });
  if (became && open->state == RollState::kHeld) write(LogLevel::kWarn, "roll_held", *open);
}

}  // namespace

Leader::Leader(Store& store, Reads& reads, RoutedCopy::MakeApps make_apps, Registry& registry, VerdictClient& verdict_client,
               Auctioneer* auctioneer, Log& log, Metrics& metrics, Timing timing)
    : registry_(registry), log_(log), metrics_(metrics), timing_(timing),
      roller_(store, loop_, log, metrics,
              [this](const Effects& effects) {
                for (const PlacementRequest& request : effects.to_place) cells_.Place(request, effects.asked_at);
                for (const StopRequest& request : effects.to_stop) cells_.Stop(request);
                if (!effects.plan.ask) return;
                VerdictQuestion question = *effects.plan.ask;
                question.trace = traces_.Of(question.guid);
                verdicts_.Ask(question);
              }),
      cells_(roller_, loop_, reads, registry, auctioneer, log, metrics, timing.cells),
      routes_(roller_, loop_, registry, log, metrics, timing.routes), verdicts_(roller_, loop_, verdict_client, log),
      copy_(std::move(make_apps),
            {.clear = [this] { routes_.Clear(), hosts_.Clear(); },
             .take = [this](const AppState& app) { routes_.Load(app), hosts_.Set(app); }},
            loop_, log, metrics) {}

Leader::~Leader() { Stop(); }

void Leader::Stop() {
  copy_.Stop();
  loop_.Stop();
}

void Leader::OnCommitted(const Committed& committed) {
  const std::vector<TraceParent> traces = traces_.OfSteps(committed);
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const RollStep& step = committed.changes.steps[i];
    log_.Write(LevelOf(step), "roll_step",
               {{"app", committed.guid.str()},
                {"roll", step.roll_id.str()},
                {"kind", Name(step.kind)},
                {"index", step.index},
                {"actual_id", step.actual_id.str()},
                {"definition", step.definition.str()},
                {"text", Logged(step.text)},
                {"actor", step.actor},
                TraceField(traces[i].trace_id())});
  }
  LogOutcomes(log_, committed, traces);
  for (const Measure& one : MeasuresOf(committed.changes)) {
    if (one.took) {
      metrics_.Observe(one.metric, std::chrono::duration<double>(*one.took).count(), one.label);
    } else {
      metrics_.Count(one.metric, one.label);
    }
  }
  routes_.OnCommitted(committed);
  // A commit may be answered for only after another one leads, of whose commits it knows nothing.
  if (leads_ && committed.whole && (committed.full_snapshot || committed.changes.desired)) hosts_.Set(committed.after);
  if (on_events_) on_events_();
  if (watcher_) loop_.Post([this, guid = committed.guid] { watcher_(guid); });
}

void Leader::StandBy(bool may_lead) { may_lead ? copy_.StandBy() : copy_.Drop(); }

// No commit can come in before all is loaded: writers are let in only then, and the last leader's are fenced off.
void Leader::Lead(std::int64_t epoch, StoreIdentity store, bool keep_copy, std::function<void()> ready) {
  leads_ = true;
  loop_.Post([this, epoch, store = std::move(store), keep_copy, ready = std::move(ready)] {
    store_ = store;
    routes_.Lead(epoch);
    copy_.Lead(keep_copy, [this, epoch, ready, life = ++life_, began = Loop::Steady::now()](std::int64_t read) {
      if (life != life_) return;
      const std::chrono::duration<double> took = Loop::Steady::now() - began;
      log_.Info("apps_loaded", {{"read", read}, {"seconds", took.count()}});
      LoadEgress(life, [this, epoch, ready] { Begin(epoch, ready); });
    });
  });
}

void Leader::LoadEgress(int life, std::function<void()> loaded) {
  registry_.ReadEgress([this, life, loaded = std::move(loaded)](const Result<EgressPolicy>& egress) {
    loop_.Post([this, life, loaded, egress] {
      if (life != life_) return;
      if (!egress) {
        log_.Warn("loading_failed", {{"error", egress.error().message}});
        return loop_.After(milliseconds(200), [this, life, loaded] {
          if (life == life_) LoadEgress(life, loaded);
        });
      }
      cells_.SetEgress(*egress);
      loaded();
    });
  });
}

void Leader::SetEgress(const std::string& domain, std::optional<UnenforcedEgress> unenforced, const AuditEntry& audited,
                       Registry::EgressAnswer done) {
  registry_.SetEgress(domain, unenforced, audited, [this, done = std::move(done)](const Result<EgressPolicy>& egress) {
    loop_.Post([this, done, egress] {
      if (egress) {
        cells_.SetEgress(*egress);
      } else if (egress.error().kind == ErrorKind::kUnavailable) {
        LoadEgress(life_, [] {});  // it may have been committed all the same
      }
      done(egress);
    });
  });
}

void Leader::Egress(std::function<void(const EgressPolicy&)> done) {
  loop_.Post([this, done = std::move(done)] { done(cells_.egress()); });
}

void Leader::Begin(std::int64_t epoch, const std::function<void()>& ready) {
  registry_.GiveGrace(timing_.cells.lease, timing_.routes.lease,
                      [this, epoch, ready, life = life_](const Status& status) {
                        loop_.Post([this, epoch, ready, life, status] {
                          if (life != life_) return;
                          if (!status) {
                            log_.Warn("grace_not_given", {{"error", status.error().message}});
                            return loop_.After(milliseconds(200), [this, epoch, ready, life] {
                              if (life == life_) Begin(epoch, ready);
                            });
                          }
                          ready();
                          routes_.Loaded();
                          cells_.Lead(epoch, store_);
                          roller_.Lead();
                          log_.Info("leading", {{"epoch", epoch}});
                        });
                      });
}

void Leader::Follow() {
  leads_ = false;
  loop_.Post([this] {
    copy_.Drop();
    ++life_;
    roller_.Follow();
    cells_.Follow();
    routes_.Follow();
    verdicts_.Follow();
    traces_.Clear();
  });
}

}  // namespace baton
