#include "tools/router/link/routes_link.h"

#include <algorithm>

#include "tools/client/channel.h"

namespace baton::router {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A batond that accepts the stream answers with the table; one that does not within this is not leading, or hangs.
constexpr milliseconds kSnapshotLimit{15'000};
constexpr seconds kLeaveLimit{1};
constexpr std::size_t kRefusedLoggedMax = 20;

}  // namespace

RoutesLink::RoutesLink(RouteConsumer consumer, Mailbox& mailbox, Log& log)
    : consumer_(std::move(consumer)), search_(consumer_.batond, milliseconds(2000)), mailbox_(mailbox), log_(log) {}

RoutesLink::News RoutesLink::Step(Time now) {
  News news;
  for (const Letter& letter : mailbox_.TakeAll()) {
    if (const auto* said = std::get_if<StreamSaid>(&letter)) {
      if (!said->data.empty()) log_.Info("data_upgrade", {{"data", said->data}});
      if (stream_ && said->stream == stream_->number() && !closing_) OnMessage(said->message, now, news);
    } else {
      OnEnd(std::get<StreamEnded>(letter), now);
    }
  }
  if (!stream_ && !leaving_ && now >= connect_at_) Connect(now);
  if (stream_ && !closing_ && !snapshot_seen_ && now >= snapshot_due_) EndStream("no snapshot within the limit");
  if (stream_ && !closing_ && snapshot_seen_ && now >= heartbeat_at_) Say(HeartbeatMessage(), now);
  return news;
}

RoutesLink::Time RoutesLink::NextWake() const {
  if (leaving_) return leave_by_;
  if (!stream_) return connect_at_;
  if (closing_) return Time::max();  // its end is a letter
  return snapshot_seen_ ? heartbeat_at_ : snapshot_due_;
}

bool RoutesLink::SayApplied(Time now) {
  if (!connected() || said_ == table_->revision()) return false;
  said_ = table_->revision();
  Say(AppliedMessage(*said_), now);
  log_.Debug("routes_applied", {{"epoch", said_->epoch}, {"revision", said_->number}});
  return true;
}

void RoutesLink::SayDrained(const std::vector<std::string>& actual_ids, Time now) {
  if (!stream_ || closing_ || !snapshot_seen_) return;
  Say(DrainedMessage(actual_ids), now);
  for (const std::string& actual_id : actual_ids) log_.Info("endpoint_drained", {{"actual_id", actual_id}});
}

void RoutesLink::SayLoad(const std::vector<InstanceLoad>& loads, Time now) {
  if (connected()) Say(LoadMessage(loads), now);
}

void RoutesLink::Leave(bool goodbye, Time now) {
  leaving_ = true;
  leave_by_ = now + kLeaveLimit;
  if (!stream_ || closing_) return;
  if (goodbye) Say(GoodbyeMessage(), now);
  closing_ = true;
  stream_->Finish();
  log_.Info("routes_left", {{"goodbye", goodbye}});
}

bool RoutesLink::Left(Time now) const { return leaving_ && (!stream_ || now >= leave_by_); }

void RoutesLink::Connect(Time now) {
  std::shared_ptr<grpc::Channel>& channel = channels_[search_.address()];
  if (!channel) channel = Dial(search_.address(), consumer_.credentials);
  snapshot_seen_ = false;
  closing_ = false;
  said_.reset();
  snapshot_due_ = now + search_.Patience(kSnapshotLimit);
  stream_ = std::make_unique<RoutesStream>(channel, ++streams_, mailbox_);
  stream_->Send(HelloMessage(consumer_.id));
}

void RoutesLink::OnMessage(const v2::RouteMessage& message, Time now, News& news) {
  if (message.has_snapshot()) return OnSnapshot(message.snapshot(), now, news);
  if (message.has_change()) return OnChange(message.change(), news);
  log_.Warn("routes_unknown_message");
}

void RoutesLink::OnSnapshot(const v2::RouteSnapshot& snapshot, Time now, News& news) {
  const RouteRevisionId revision = RevisionOf(snapshot.revision());
  if (revision.epoch < epoch_max_) {
    log_.Warn("routes_lower_epoch", {{"epoch", revision.epoch}, {"seen", epoch_max_}});
    return EndStream("a snapshot of a deposed leader");
  }
  epoch_max_ = revision.epoch;
  if (!table_) table_.emplace();
  std::vector<RefusedRoute> refused;
  const std::vector<RouteEndpoint> endpoints = EndpointsOf(snapshot, consumer_.router_group, refused);
  table_->Replace(revision, endpoints, RoutesOf(snapshot, consumer_.router_group, refused),
                  {snapshot.measured().begin(), snapshot.measured().end()});
  LogRefused(refused);
  if (snapshot.heartbeat_interval_ms() > 0) heartbeat_every_ = milliseconds(snapshot.heartbeat_interval_ms());
  heartbeat_at_ = now + heartbeat_every_;
  snapshot_seen_ = true;
  news.table = true;
  news.stream = true;
  search_.Found();
  log_.Info("routes_snapshot", {{"batond", search_.address()},
                                {"epoch", revision.epoch},
                                {"revision", revision.number},
                                {"routes", table_->routes().size()},
                                {"mapped", table_->mapped().size()},
                                {"endpoints", table_->EndpointCount()}});
}

void RoutesLink::OnChange(const v2::RouteChange& change, News& news) {
  const RouteRevisionId revision = RevisionOf(change.revision());
  if (!snapshot_seen_) return EndStream("a change before the snapshot");
  // A gap is none ("not always by 1"), but another epoch, or a step back, means that the table here is not the
  // leader's.
  if (revision.epoch != table_->revision().epoch || revision.number <= table_->revision().number) {
    log_.Warn("routes_out_of_order", {{"epoch", revision.epoch},
                                      {"revision", revision.number},
                                      {"present_epoch", table_->revision().epoch},
                                      {"present_revision", table_->revision().number}});
    return EndStream("a change out of order");
  }
  std::vector<RefusedRoute> refused;
  const RouteDelta delta = DeltaOf(change, consumer_.router_group, refused);
  LogRefused(refused);
  table_->Change(revision, delta);
  news.table = true;
  log_.Debug("routes_change", {{"revision", revision.number},
                               {"added", delta.added.size()},
                               {"draining", delta.draining.size()},
                               {"removed", delta.removed.size()},
                               {"mapped", delta.mapped.size()},
                               {"unmapped", delta.unmapped.size()}});
}

void RoutesLink::OnEnd(const StreamEnded& end, Time now) {
  if (!stream_ || end.stream != stream_->number()) return;
  stream_.reset();
  if (leaving_) return;
  const std::string ended = search_.address();
  // A connection keeps the certificate that it began with: one that is renewed is shown by the next connection alone.
  if (end.code == static_cast<int>(grpc::StatusCode::UNAUTHENTICATED)) channels_.erase(ended);
  const milliseconds wait = search_.Lost(end.hints);
  connect_at_ = now + wait;
  // Each refused attempt is logged, too, but only the end of a working stream is a warning.
  log_.Write(snapshot_seen_ ? LogLevel::kWarn : LogLevel::kInfo, "routes_stream_ended",
             {{"batond", ended},
              {"code", end.code},
              {"error", end.message},
              {"again_in_ms", static_cast<std::int64_t>(wait.count())}});
  snapshot_seen_ = false;
}

void RoutesLink::EndStream(const std::string& why) {
  log_.Warn("routes_stream_dropped", {{"batond", search_.address()}, {"why", why}});
  closing_ = true;
  stream_->Cancel();
}

void RoutesLink::Say(v2::RouteConsumerMessage message, Time now) {
  stream_->Send(std::move(message));
  heartbeat_at_ = now + heartbeat_every_;  // any message counts as one
}

void RoutesLink::LogRefused(const std::vector<RefusedRoute>& refused) const {
  for (std::size_t i = 0; i < std::min(refused.size(), kRefusedLoggedMax); ++i) {
    log_.Error(refused[i].actual_id.empty() ? "route_refused" : "endpoint_not_served",
               {{"route", refused[i].route}, {"actual_id", refused[i].actual_id}, {"reason", refused[i].reason}});
  }
  if (refused.size() > kRefusedLoggedMax) log_.Error("endpoints_not_served", {{"endpoints", refused.size()}});
}

}  // namespace baton::router
