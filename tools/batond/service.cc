#include "tools/batond/service.h"

#include <future>

#include "orchestrator/model/version.h"
#include "sql/read/pg_event_log.h"
#include "sql/read/pg_routed_apps.h"
#include "sql/session/session.h"
#include "tools/batond/holder_name.h"
#include "tools/batond/key_file.h"

namespace baton::batond {
namespace {

using Steady = std::chrono::steady_clock;

constexpr char kLeaseName[] = "batond";
constexpr Duration kPollMax = milliseconds(100);          // so soon a standby sees that the leader has resigned
constexpr Duration kSettle = milliseconds(300);           // calls that are under way when it is told to stop
constexpr Duration kRecordsPatience = milliseconds(400);  // for what is recorded of calls to be written
constexpr Duration kShutdownPatience = milliseconds(500);  // answers that are on their way, after another may lead

Leader::Timing LeaderTiming(const ServiceOptions& o) {
  return {.cells = {.heartbeat = o.heartbeat, .lease = o.cell_lease, .stop_grace = o.stop_grace, .claim = o.claim},
          .routes = {.heartbeat = o.heartbeat, .lease = o.route_lease}};
}

}  // namespace

Service::Service(const ServiceOptions& options, const std::string& url, Log& log)
    : options_(options), url_(url), log_(log), serving_(log, metrics_), keys_(url, options.keys, cipher_, log),
      store_({.url = url,
              .writers = options.write_shards,
              .cipher = &cipher_,
              .queue = {.waiting = options.queue_max},
              .gate = &gate_,
              .metrics = &metrics_,
              .events = &committed_},
             log,
             [this] {
               const std::lock_guard lock(mutex_);
               if (election_) election_->NoticeDeposed();
             }),
      reads_(url, options.read_threads, log, cipher_, options.queue_max), registry_(url, log, cipher_),
      collector_(url, log, cipher_), verdict_client_(options.verdict_allow),
      auctioneer_(options.auctioneer.empty()
                      ? nullptr
                      : std::make_unique<GrpcAuctioneer>(options.auctioneer, options.auctioneer_credentials)),
      leader_(store_, reads_, [this] { return std::make_unique<PgRoutedApps>(url_, cipher_); }, registry_, verdict_client_,
              auctioneer_.get(), log_, metrics_, LeaderTiming(options)),
      sweep_(reads_, leader_, registry_, collector_, log, metrics_,
             {.interval = options.converge_every,
              .count_every = options.count_every,
              .history = options.history,
              .audit_kept = options.audit_kept,
              .losses = options.losses}),
      tail_([this] { return std::make_unique<PgEventLog>(url_, log_, cipher_, &committed_); }, log, metrics_,
            {.begin = [this](std::int64_t settled) { events_.Begin(settled); },
             .take = [this](const std::vector<EventRow>& rows, std::int64_t settled) { events_.Take(rows, settled); },
             .tick = [this] { events_.Tick(); },
             .end = [this] { events_.End(); }}),
      rotation_(keys_, log, metrics_, {}), records_(url, log, metrics_),
      upgrader_(url, options.database_owner, cipher_, gate_, log,
                {.mode = [this](const DataMode& data) { DataChanged(data); },
                 .taken_over = [this](const ProcessGuid& guid) { TakenOver(guid); }}),
      upgrade_(upgrader_, log, metrics_, {}),
      kept_lists_(static_cast<std::size_t>(options.list_memory_mb) << 20, metrics_),
      dependencies_{.leader = leader_,
                    .reads = reads_,
                    .log = log,
                    .metrics = metrics_,
                    .hub = hub_,
                    .events = events_,
                    .sweep = sweep_,
                    .registry = registry_,
                    .keys = rotation_,
                    .upgrade = upgrade_,
                    .usage = records_.usage(),
                    .refused = records_.refused(),
                    .history = options.history,
                    .serving = serving_,
                    .who_leads = [this]() -> std::optional<LeaseView> {
                      const std::lock_guard lock(mutex_);
                      return election_ ? election_->leader() : std::nullopt;
                    },
                    .self = [this] { return Self(); },
                    .data = [this] { return Data(); },
                    .app_version = kAppVersion,
                    .may_ask_verdict = [this](const std::string& address) { return verdict_client_.MayAsk(address); },
                    .kept_lists = &kept_lists_} {
  serving_.OnChange([this](Serving state) {
    metrics_.Set("baton_leading", AcceptsWrites(state) ? 1 : 0, {});
    if (server_) server_->SetServing(AcceptsWrites(state));
    if (announcer_) announcer_->Say();
    SayState();
  });
  metrics_.Set("baton_build_info", 1, std::string(kAppVersion) + " " + kSchemaSemver);
  metrics_.Set("baton_insecure", options.credentials ? 0 : 1, {});
  store_.SetListener(&leader_);
  store_.SetRouterNames(&leader_.routes().names());
  reads_.SetRouterNames(&leader_.routes().names());
  metrics_.BeforeLook([this] {
    if (options_.certificate_expires) {
      const std::chrono::duration<double> left = options_.certificate_expires() - std::chrono::system_clock::now();
      metrics_.Set("baton_tls_certificate_expires_seconds", left.count(), {});
    }
    for (const Priority priority : {Priority::kRolls, Priority::kCallers}) {
      metrics_.Set("baton_calls_waiting", static_cast<double>(store_.waiting(priority)), Name(priority));
    }
  });
  registry_.PassThrough(gate_);
  leader_.SetWatcher([this](const ProcessGuid& guid) { hub_.Notify(guid); });
  leader_.cells().OnSilent([this] { sweep_.RunSoon(); });
  leader_.cells().OnLaterEpoch([this](auto own, auto theirs) { keeper_->Witness(own, theirs); });
  leader_.OnEvents([this] { tail_.Wake(); });
  const auto of_others = [this] {
    committed_.ThereAreOthers();
    tail_.Wake();
  };
  registry_.OnEvent(of_others);
  collector_.OnEvent(of_others);
  cipher_.OnLow(PgKeyStore::kGrant / 2, [this] { rotation_.Wake(); });
}

Result<std::unique_ptr<Service>> Service::Start(const ServiceOptions& options, const std::string& url, Log& log) {
  std::unique_ptr<Service> service(new Service(options, url, log));
  if (Status status = service->TakeKeys(); !status) return status.error();
  if (Status status = service->Listen(); !status) return status.error();
  service->manager_.Ready();
  return service;
}

Status Service::TakeKeys() {
  const MemoryFile memory(options_.state_file);
  auto ring = TakeKeyFile(options_.keys, memory, log_);
  if (!ring) return ring.error();
  if (*ring) cipher_.Use(*std::move(ring), /*granted=*/0);
  keys_.OnSealedOnly([memory] { return memory.WriteSealedOnly(); });
  return Done{};
}

Status Service::Listen() {
  if (!options_.metrics.empty()) {
    if (Status status = metrics_.Expose(options_.metrics); !status) return status;
  }
  auto objects = ReadAccessFiles(options_);
  if (!objects) return objects.error();
  auto server = Server::Start(dependencies_, {.listen = options_.listen,
                                              .write_max = options_.stream_write,
                                              .bounds = {.streams_max = options_.streams_max},
                                              .reflection = options_.reflection,
                                              .credentials = options_.credentials,
                                              .trust_domain = options_.trust_domain,
                                              .access = std::move(objects->rules),
                                              .denied = std::move(objects->denied),
                                              .identity = options_.identity,
                                              .callers = options_.callers});
  if (!server) return server.error();
  server_ = *std::move(server);
  if (options_.credentials) access_files_ = FollowAccess(options_, log_, metrics_, *server_);
  lease_ = std::make_unique<PgLease>(url_, kLeaseName, HolderName(options_.id), Advertised());
  announcer_ = std::make_unique<Announcer>(url_, log_, [this] { return Self(); });
  keeper_ = std::make_unique<VersionKeeper>(url_, options_.database_owner, kLeaseName, MemoryFile(options_.state_file),
                                            options_.upgrade_online, log_, metrics_, KeeperAnswers());
  candidate_ = std::make_unique<Candidate>(*keeper_, keys_, upgrader_, registry_, leader_, log_);
  // A process that could never lead says so at once, and is gone.
  const auto duty = keeper_->Look();
  if (duty && *duty == VersionDuty::kServe) {
    if (Status keys = keys_.MayLead(); !keys) return keys;
  }
  const std::lock_guard lock(mutex_);
  election_ = std::make_unique<Election>(
      *lease_, log_,
      Election::Timing{.lease = options_.leader_lease,
                       .renew = options_.leader_lease / 5,
                       .poll = std::min(options_.leader_lease / 5, kPollMax),
                       .margin = options_.leader_lease / 8},
      Election::Events{.elected = [this](auto epoch, auto until) { Elected(epoch, until); },
                       .renewed = [this](auto until) { Renewed(until); },
                       .deposed = [this] { Deposed(); },
                       .may_stand = [this] { return candidate_->MayStand(); },
                       .looked =
                           [this](const auto& leader, const Status& may) {
                             Looked(leader, may);
                             Alive();
                           },
                       .asked =
                           [this](Duration took) {
                             metrics_.Observe("baton_lease_renewal_seconds", std::chrono::duration<double>(took).count(), {});
                             Alive();
                           }});
  return Done{};
}

std::string Service::Advertised() const { return options_.advertise.empty() ? server_->address() : options_.advertise; }

Member Service::Self() const {
  return {.id = HolderName(options_.id),
          .address = Advertised(),
          .schema = kSchemaMigration,
          .semver = kSchemaSemver,
          .app_version = kAppVersion,
          .state = std::string(Name(serving_.state())),
          .why = serving_.text()};
}

void Service::DataChanged(const DataMode& data) {
  {
    const std::lock_guard lock(data_mutex_);
    data_ = data;
  }
  std::int64_t epoch = 0;
  {
    const std::lock_guard lock(mutex_);
    epoch = epoch_;
  }
  if (epoch != 0) keeper_->Note(epoch, data);
}

DataMode Service::Data() const {
  const std::lock_guard lock(data_mutex_);
  return data_;
}

// Rows that no call of the store wrote: whoever keeps something of them in memory is told all of them.
void Service::TakenOver(const ProcessGuid& guid) { leader_.roller().TellAnew("taken_over", guid, "upgrade"); }

VersionKeeper::Answers Service::KeeperAnswers() {
  return {.may_serve = [this](auto epoch, const auto& store) { MayServe(epoch, store, ServingEvent::kMayServe); },
          .must_migrate = [this](std::int64_t) { serving_.Tell(ServingEvent::kMustMigrate); },
          .migrated = [this](auto epoch, const auto& store) { MayServe(epoch, store, ServingEvent::kMigrated); },
          .may_not_serve =
              [this](std::int64_t epoch, const std::string& why) {
                const std::lock_guard lock(mutex_);
                if (epoch_ != epoch) return;
                serving_.Tell(ServingEvent::kMayNotServe, why);
                if (election_) election_->GiveUp(why);
              },
          .progress = [this](const std::string& text) { serving_.Say(text); }};
}

Service::~Service() { (void)Stop(); }

Status Service::Stop() {
  if (serving_.state() == Serving::kStopped) return Done{};
  // First nothing new is taken, then what is under way is answered, then another may lead; streams end with it.
  manager_.Stopping();
  serving_.Tell(ServingEvent::kStop);
  store_.Settle(kSettle);
  records_.Settle(kRecordsPatience);
  const Status back = RollBack();
  std::unique_ptr<Election> election;
  {
    const std::lock_guard lock(mutex_);
    election = std::move(election_);
  }
  election.reset();
  if (keeper_) keeper_->Stop();
  announcer_.reset();
  access_files_.reset();
  if (server_) server_->Shutdown(kShutdownPatience);
  // What works for the leader on other threads has to be still before the leader goes.
  sweep_.Stop();
  rotation_.Stop();
  upgrade_.Stop();
  records_.Stop();
  tail_.Stop();
  verdict_client_.Stop();
  leader_.Stop();
  store_.Stop();
  metrics_.BeforeLook({});
  registry_.Stop();
  reads_.Stop();
  serving_.Tell(ServingEvent::kDrained);
  return back;
}

// By whoever leads: the lease is still its own, and nobody else writes any more.
Status Service::RollBack() {
  std::int64_t epoch = 0;
  {
    const std::lock_guard lock(mutex_);
    epoch = epoch_;
  }
  if (options_.rollback_on_drain_to == 0 || epoch == 0) return Done{};
  StopWork();
  std::promise<void> still;
  leader_.loop().Post([&still] { still.set_value(); });
  still.get_future().wait();
  const Status back = keeper_->RollBack(epoch, options_.rollback_on_drain_to);
  if (!back) log_.Error("not_rolled_back", {{"why", back.error().message}});
  return back;
}

void Service::Looked(const std::optional<LeaseView>& leader, const Status& may_stand) {
  if (!may_stand && may_stand.error().kind != ErrorKind::kUnavailable) {
    if (!serving_.Tell(ServingEvent::kMayNotServe, may_stand.error().message)) serving_.Say(may_stand.error().message);
  } else if (leader && leader->running) {
    serving_.Tell(ServingEvent::kAnotherKnown);
    candidate_->StandBy();
    serving_.Say(candidate_->keys_trouble());
  } else {
    const std::string why = may_stand ? "" : may_stand.error().message;
    if (!serving_.Tell(ServingEvent::kNobodyKnown, why)) serving_.Say(why);
  }
}

void Service::Elected(std::int64_t epoch, std::chrono::steady_clock::time_point until) {
  {
    const std::lock_guard lock(mutex_);
    epoch_ = epoch;
    until_ = until;
  }
  serving_.Tell(ServingEvent::kElected);
  keeper_->Check(epoch);
}

// On the keeper's thread; meanwhile the election may have been lost, and even won again.
void Service::MayServe(std::int64_t epoch, const StoreIdentity& store, ServingEvent why) {
  const auto leads = [&] {
    const std::lock_guard lock(mutex_);
    return epoch_ == epoch;
  };
  if (!leads()) return;
  // First of all: nothing may be sealed before it is counted, and nothing written where a key is missing.
  Status keys = keys_.Lead({kLeaseName, epoch});
  if (keys) keys = upgrader_.Lead({kLeaseName, epoch});
  const std::lock_guard lock(mutex_);
  if (epoch_ != epoch) return;
  if (!keys) {
    log_.Error("cannot_lead", {{"error", keys.error().message}});
    if (election_) election_->GiveUp("it cannot lead: " + keys.error().message, options_.leader_lease / 2);
    return;
  }
  serving_.Tell(why);
  registry_.Lead({kLeaseName, epoch});
  collector_.Lead({kLeaseName, epoch});
  // While two layouts are kept in step each is read as it is, and a migration writes all rows.
  const bool keep_copy = why == ServingEvent::kMayServe && Data().state == UpgradeState::kNone;
  leader_.Lead(epoch, store, keep_copy, [this, epoch] { Loaded(epoch); });
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
  upgrade_.Lead();
  records_.Lead({kLeaseName, epoch});
  tail_.Lead();
  serving_.Tell(ServingEvent::kLoaded);
}

void Service::Deposed() {
  {
    const std::lock_guard lock(mutex_);
    epoch_ = 0;
    serving_.Tell(ServingEvent::kDeposed);
  }
  keeper_->Drop();
  StopWork();
}

void Service::StopWork() {
  store_.Follow();
  sweep_.Follow();
  rotation_.Follow();
  upgrade_.Follow();
  records_.Follow();
  tail_.Follow();
  leader_.Follow();
  hub_.NotifyAll();
}

}  // namespace baton::batond
