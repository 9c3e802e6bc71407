#include "tools/web/live/feed.h"

#include "tools/web/calls/caller.h"

namespace baton::web {
namespace {

// batond has something to say every three seconds.
constexpr std::chrono::seconds kSilenceMost(8);
constexpr std::chrono::milliseconds kFirstRetry(100);
constexpr std::chrono::milliseconds kMostRetry(1000);

}  // namespace

Feed::Feed(LeaderCalls& calls, bool certificate, Listener listener)
    : calls_(calls), certificate_(certificate), listener_(std::move(listener)), wait_(calls.loop()),
      silence_(calls.loop()), backoff_(kFirstRetry, kMostRetry) {}

void Feed::Stop() {
  stopped_ = true;
  wait_.cancel();
  silence_.cancel();
  call_.reset();
}

void Feed::Connect() {
  ++tries_;
  auto request = std::make_shared<v2::SubscribeRequest>();
  if (sequence_ < 0) {
    whole_ = false;
    request->set_snapshot(true);
    listener_.snapshot();
  } else {
    request->set_after_sequence(sequence_);
  }
  const Question question{.path = "/baton.v2.Events/Subscribe",
                          .request = request,
                          .answer = &v2::SubscribeResponse::default_instance(),
                          .metadata = CallerMetadata({"page", Role::kViewer}, certificate_)};
  call_ = calls_.Follow(
      question, [this](const MessagePtr& message) { Told(message); }, [this](const Ending& ending) { Ended(ending); });
  Watch();
}

void Feed::Told(const MessagePtr& message) {
  const auto& told = static_cast<const v2::SubscribeResponse&>(*message);
  tries_ = 0;
  backoff_.Reset();
  Watch();
  listener_.told(told);
  if (told.snapshot_complete()) whole_ = true;
  // Before the snapshot's end there is nothing to resume from.
  if (whole_ || sequence_ >= 0) sequence_ = std::max(sequence_, told.sequence());
  if (std::exchange(away_, false)) listener_.back();
  call_->Next();
}

void Feed::Ended(const Ending& ending) {
  const std::unique_ptr<MessageCall> over = std::move(call_);
  silence_.cancel();
  if (stopped_) return;
  if (!std::exchange(away_, true)) listener_.away(ending.status.error_message());
  if (ending.status.error_code() == grpc::StatusCode::OUT_OF_RANGE) sequence_ = -1;
  const bool named = calls_.TryNext(ending.hints.leader);
  // At once where somebody was named, and once around all addresses.
  std::chrono::milliseconds wait = named || tries_ <= calls_.count() ? std::chrono::milliseconds(10) : backoff_.Next();
  if (ending.hints.retry_after.count() > 0 && !named) wait = std::min(ending.hints.retry_after, kMostRetry);
  wait_.expires_after(wait);
  wait_.async_wait([this](const boost::system::error_code& fault) {
    if (!fault && !stopped_) Connect();
  });
}

void Feed::Watch() {
  silence_.expires_after(kSilenceMost);
  silence_.async_wait([this](const boost::system::error_code& fault) {
    if (fault || stopped_ || !call_) return;
    Ended({grpc::Status(grpc::StatusCode::UNAVAILABLE,
                        "batond has said nothing for " + std::to_string(kSilenceMost.count()) + " s")});
  });
}

}  // namespace baton::web
