#include "tests/server/scripted_router.h"

#include <algorithm>

#include "orchestrator/model/check.h"

namespace baton {
namespace {

constexpr auto kPatience = std::chrono::seconds(20);

template <class Endpoints>
bool Names(const Endpoints& endpoints, const std::string& actual_id) {
  return std::ranges::any_of(endpoints, [&](const auto& endpoint) { return endpoint.actual_id() == actual_id; });
}

}  // namespace

ScriptedRouter::ScriptedRouter(RunningService& service, const std::string& id) {
  stream_ = service.routes->Connect(&context_);
  v2::RouteConsumerMessage hello;
  hello.mutable_hello()->set_protocol_version(1);
  hello.mutable_hello()->set_consumer_id(id);
  Send(hello);
  listener_ = std::thread([this] { Listen(); });
  CHECK(Await([](const v2::RouteMessage& message) { return message.has_snapshot(); }));
}

ScriptedRouter::~ScriptedRouter() {
  context_.TryCancel();
  listener_.join();
  if (heart_.joinable()) heart_.join();
}

void ScriptedRouter::Listen() {
  for (v2::RouteMessage message; stream_->Read(&message);) {
    const std::lock_guard lock(mutex_);
    heard_.push_back(message);
    changed_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

bool ScriptedRouter::Await(const std::function<bool(const v2::RouteMessage&)>& heard) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [&] { return std::ranges::any_of(heard_, heard); });
}

bool ScriptedRouter::WasToldToServe(const std::string& actual_id) {
  return Await([&](const v2::RouteMessage& message) {
    return Names(message.snapshot().endpoints(), actual_id) || Names(message.change().added(), actual_id);
  });
}

bool ScriptedRouter::WasToldToDrain(const std::string& actual_id) {
  return Await([&](const v2::RouteMessage& message) {
    return Names(message.snapshot().draining(), actual_id) || Names(message.change().draining(), actual_id);
  });
}

void ScriptedRouter::Send(const v2::RouteConsumerMessage& message) {
  const std::lock_guard lock(sending_);
  (void)stream_->Write(message);
}

void ScriptedRouter::Apply() {
  v2::RouteConsumerMessage message;
  {
    const std::lock_guard lock(mutex_);
    const v2::RouteMessage& last = heard_.back();
    *message.mutable_applied()->mutable_revision() =
        last.has_snapshot() ? last.snapshot().revision() : last.change().revision();
  }
  Send(message);
}

void ScriptedRouter::Drained(const std::string& actual_id) {
  v2::RouteConsumerMessage message;
  message.mutable_drained()->add_actual_ids(actual_id);
  Send(message);
}

void ScriptedRouter::KeepBeating() {
  heart_ = std::thread([this] {
    v2::RouteConsumerMessage beat;
    beat.set_heartbeat(true);
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(50), [this] { return ended_ || silent_; })) {
      lock.unlock();
      Send(beat);
      lock.lock();
    }
  });
}

void ScriptedRouter::FallSilent() {
  {
    const std::lock_guard lock(mutex_);
    silent_ = true;
    changed_.notify_all();
  }
  heart_.join();
}

void ScriptedRouter::SayGoodbye() {
  v2::RouteConsumerMessage goodbye;
  goodbye.mutable_goodbye();
  Send(goodbye);
  const std::lock_guard lock(sending_);
  (void)stream_->WritesDone();
}

}  // namespace baton
