#include "tests/server/event_follower.h"

namespace baton {

EventFollower::EventFollower(v2::Events::Stub& events, v2::SubscribeRequest request) : stub_(events) {
  reader_ = std::thread([this, request = std::move(request)] { Read(request); });
}

EventFollower::~EventFollower() {
  context_.TryCancel();
  if (reader_.joinable()) reader_.join();
}

void EventFollower::Read(const v2::SubscribeRequest& request) {
  const auto stream = stub_.Subscribe(&context_, request);
  for (v2::SubscribeResponse answer; stream->Read(&answer);) {
    const std::lock_guard lock(mutex_);
    Take(answer);
  }
  end_ = stream->Finish();
  const std::lock_guard lock(mutex_);
  over_ = true;
}

void EventFollower::Take(const v2::SubscribeResponse& answer) {
  for (const auto& app : answer.snapshot().desired_lrps()) apps_[app.process_guid()] = app;
  for (const auto& lrp : answer.snapshot().actual_lrps()) actuals_[lrp.actual_id()] = lrp;
  for (const v2::Event& event : answer.events()) {
    events_.push_back(event);
    if (event.has_actual_after()) actuals_[event.actual_after().actual_id()] = event.actual_after();
    if (event.kind() == "actual_removed") actuals_.erase(event.actual_before().actual_id());
    if (event.has_desired_after()) apps_[event.process_guid()] = event.desired_after();
    if (event.kind() == "desired_removed") apps_.erase(event.process_guid());
  }
  ++answers_;
  sequence_ = answer.sequence();
  caught_up_ = answer.caught_up();
  complete_ |= answer.snapshot_complete();
}

std::vector<v2::Event> EventFollower::events() {
  const std::lock_guard lock(mutex_);
  return events_;
}
std::size_t EventFollower::count() {
  const std::lock_guard lock(mutex_);
  return events_.size();
}
std::vector<std::string> EventFollower::kinds() {
  std::vector<std::string> kinds;
  for (const v2::Event& event : events()) kinds.push_back(event.kind());
  return kinds;
}
std::int64_t EventFollower::sequence() {
  const std::lock_guard lock(mutex_);
  return sequence_;
}
bool EventFollower::caught_up() {
  const std::lock_guard lock(mutex_);
  return caught_up_;
}
int EventFollower::answers() {
  const std::lock_guard lock(mutex_);
  return answers_;
}
bool EventFollower::over() {
  const std::lock_guard lock(mutex_);
  return over_;
}
bool EventFollower::complete() {
  const std::lock_guard lock(mutex_);
  return complete_;
}
std::map<std::string, v2::ActualLRP> EventFollower::actuals() {
  const std::lock_guard lock(mutex_);
  return actuals_;
}
std::map<std::string, v2::DesiredLRPSchedulingInfo> EventFollower::apps() {
  const std::lock_guard lock(mutex_);
  return apps_;
}

grpc::Status EventFollower::Ended() {
  reader_.join();
  return end_;
}

v2::SubscribeRequest EventFollower::After(std::int64_t sequence) {
  v2::SubscribeRequest request;
  request.set_after_sequence(sequence);
  return request;
}
v2::SubscribeRequest EventFollower::Snapshot() {
  v2::SubscribeRequest request;
  request.set_snapshot(true);
  return request;
}

}  // namespace baton
