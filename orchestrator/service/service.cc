#include "orchestrator/service/service.h"

#include <unistd.h>

#include "schema/migrator.h"
#include "schema/version.h"
#include "sql/pg_event_log.h"
#include "sql/session.h"

namespace baton {
namespace {

constexpr char kLeaseName[] = "batond";
constexpr Duration kShutdownPatience = seconds(3);
constexpr Duration kRetryLeast = milliseconds(100);
constexpr Duration kRetryMost = seconds(2);

std::string HolderName(const std::string& id) {
  if (!id.empty()) return id;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return std::string(host) + ":" + std::to_string(getpid());
}

Leader::Timing LeaderTiming(const ServiceOptions& o) {
  return {.cells = {.heartbeat = o.heartbeat, .lease = o.cell_lease, .stop_grace = o.stop_grace},
          .routes = {.heartbeat = o.heartbeat, .lease = o.route_lease}};
}

}  // namespace

Status CheckKeyFile(const ServiceOptions& options) {
  if (options.keys.empty()) return Done{};
  const auto ring = KeyRing::Load(options.keys);
  return ring ? Status(Done{}) : Status(ring.error());
}

Status PrepareDatabase(const std::string& url, Log& log, const std::function<bool(Duration)>& stopped) {
  for (Duration wait = kRetryLeast;; wait = std::min(wait * 2, kRetryMost)) {
    const auto session = Session::Open(url);
    const Status ready = session ? Migrate(**session) : Status(session.error());
    if (ready || ready.error().kind != ErrorKind::kUnavailable) return ready;
    log.Warn("database_away", {{"error", ready.error().message}, {"again_in_ms", Millis(wait)}});
    if (stopped(wait)) return ready;
  }
}

Service::Service(const ServiceOptions& options, const std::string& url, Log& log)
    : options_(options), url_(url), log_(log), keys_(url, options.keys, cipher_, log),
      store_({.url = url, .shards = options.write_shards, .cipher = &cipher_}, log,
                                                      [this] {
                                                        const std::lock_guard lock(mutex_);
                                                        if (election_) election_->NoticeDeposed();
                                                      }),
      reads_(url, options.read_threads, log, cipher_), registry_(url, log, cipher_), collector_(url, log, cipher_),
      auctioneer_(options.auctioneer.empty() ? nullptr : std::make_unique<GrpcAuctioneer>(options.auctioneer)),
      leader_(store_, reads_, registry_, asker_, auctioneer_.get(), log_, metrics_, LeaderTiming(options)),
      sweep_(reads_, leader_, registry_, collector_, log, metrics_,
             {.interval = options.converge_every, .history = options.history, .losses = options.losses}),
      tail_([this] { return std::make_unique<PgEventLog>(url_, log_, cipher_); }, log, metrics_,
            {.begin = [this](std::int64_t settled) { events_.Begin(settled); },
             .take = [this](const std::vector<EventRow>& rows, std::int64_t settled) { events_.Take(rows, settled); },
             .tick = [this] { events_.Tick(); },
             .end = [this] { events_.End(); }}),
      rotation_(keys_, log, metrics_, {}),
      surroundings_{.leader = leader_,
                    .reads = reads_,
                    .log = log,
                    .metrics = metrics_,
                    .hub = hub_,
                    .events = events_,
                    .sweep = sweep_,
                    .registry = registry_,
                    .keys = rotation_,
                    .history = options.history,
                    .leading = [this] { return leading_.load(); },
                    .who_leads = [this]() -> std::optional<LeaseView> {
                      const std::lock_guard lock(mutex_);
                      return election_ ? election_->leader() : std::nullopt;
                    }} {
  store_.SetListener(&leader_);
  leader_.SetWatcher([this](const ProcessGuid& guid) { hub_.Notify(guid); });
  leader_.cells().OnSilent([this] { sweep_.RunSoon(); });
  leader_.OnEvents([this] { tail_.Wake(); });
  registry_.OnEvent([this] { tail_.Wake(); });
  collector_.OnEvent([this] { tail_.Wake(); });
  cipher_.OnLow(PgKeyStore::kGrant / 2, [this] { rotation_.Wake(); });
}

Result<std::unique_ptr<Service>> Service::Start(const ServiceOptions& options, const std::string& url, Log& log) {
  std::unique_ptr<Service> service(new Service(options, url, log));
  if (Status status = service->TakeKeys(); !status) return status.error();
  if (Status status = service->Listen(); !status) return status.error();
  return service;
}

// A process that could never lead says so at once, and is gone.
Status Service::TakeKeys() {
  if (!options_.keys.empty()) {
    auto ring = KeyRing::Load(options_.keys);
    if (!ring) return ring.error();
    cipher_.Use(*std::move(ring), /*granted=*/0);
  }
  return keys_.MayLead();
}

Status Service::Listen() {
  if (!options_.metrics.empty()) {
    if (Status status = metrics_.Expose(options_.metrics); !status) return status;
  }
  auto server = Server::Start(surroundings_, {.listen = options_.listen, .app_version = kAppVersion});
  if (!server) return server.error();
  server_ = *std::move(server);
  lease_ = std::make_unique<PgLease>(url_, kLeaseName, HolderName(options_.id), server_->address());
  const std::lock_guard lock(mutex_);
  election_ = std::make_unique<Election>(
      *lease_, log_,
      Election::Timing{
          .lease = options_.leader_lease, .renew = options_.leader_lease / 5, .margin = options_.leader_lease / 8},
      Election::Events{.elected = [this](auto epoch, auto until) { Elected(epoch, until); },
                       .renewed = [this](auto until) { Renewed(until); },
                       .deposed = [this] { Deposed(); },
                       .may_stand = [this] { return keys_.MayLead(); }});
  return Done{};
}

Service::~Service() {
  // First the calls, while all that answers them still runs; then the election, which resigns.
  if (server_) {
    server_->SetServing(false);
    server_->Shutdown(kShutdownPatience);
  }
  std::unique_ptr<Election> election;
  {
    const std::lock_guard lock(mutex_);
    election = std::move(election_);
  }
  election.reset();
  // What works for the leader on other threads has to be still before the leader goes.
  sweep_.Stop();
  rotation_.Stop();
  tail_.Stop();
  asker_.Stop();
  leader_.loop().Stop();
  store_.Stop();
  registry_.Stop();
  reads_.Stop();
}

void Service::Elected(std::int64_t epoch, std::chrono::steady_clock::time_point until) {
  {
    const std::lock_guard lock(mutex_);
    epoch_ = epoch;
    until_ = until;
  }
  // First of all: nothing may be sealed before it is counted, and nothing written where a key is missing.
  if (const Status keys = keys_.Lead({kLeaseName, epoch}); !keys) {
    log_.Error("cannot_lead", {{"error", keys.error().message}});
    const std::lock_guard lock(mutex_);
    if (election_) election_->NoticeDeposed();
    return;
  }
  registry_.Lead({kLeaseName, epoch});
  collector_.Lead({kLeaseName, epoch});
  leader_.Lead(epoch, [this, epoch] { Loaded(epoch); });
}

void Service::Renewed(std::chrono::steady_clock::time_point until) {
  const std::lock_guard lock(mutex_);
  until_ = until;
  store_.ExtendUntil(until);
}

// On the loop's thread; meanwhile the election may have been lost.
void Service::Loaded(std::int64_t epoch) {
  const std::lock_guard lock(mutex_);
  if (epoch_ != epoch) return;
  store_.ExtendUntil(until_);
  store_.Lead({kLeaseName, epoch});
  sweep_.Lead();
  rotation_.Lead();
  tail_.Lead();
  leading_ = true;
  metrics_.Set("baton_leading", 1, {});
  server_->SetServing(true);
}

void Service::Deposed() {
  {
    const std::lock_guard lock(mutex_);
    epoch_ = 0;
    leading_ = false;
    metrics_.Set("baton_leading", 0, {});
    server_->SetServing(false);
    store_.Follow();
  }
  sweep_.Follow();
  rotation_.Follow();
  tail_.Follow();
  leader_.Follow();
  hub_.NotifyAll();
}

}  // namespace baton
