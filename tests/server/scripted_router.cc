#include "tests/server/scripted_router.h"

#include <algorithm>

#include "orchestrator/base/check.h"
#include "tools/client/hints.h"

namespace baton {
namespace {

template <class Endpoints>
bool Names(const Endpoints& endpoints, const std::string& actual_id) {
  return std::ranges::any_of(endpoints, [&](const auto& endpoint) { return endpoint.actual_id() == actual_id; });
}

}  // namespace

ScriptedRouter::ScriptedRouter(RunningService& service, const std::string& id) {
  Open(service.routes->Connect(&context_));
  v2::RouteConsumerMessage hello;
  hello.mutable_hello()->set_protocol_version(1);
  hello.mutable_hello()->set_consumer_id(id);
  Send(hello);
  CHECK(Await([](const v2::RouteMessage& message) { return message.has_snapshot(); }));
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

void ScriptedRouter::SayLoad(const std::string& actual_id, std::int64_t sessions, double requests_per_s) {
  v2::RouteConsumerMessage message;
  v2::InstanceLoad& load = *message.mutable_load()->add_instances();
  load.set_actual_id(actual_id);
  load.set_sessions(sessions);
  load.set_requests_per_s(requests_per_s);
  Send(message);
}

bool ScriptedRouter::WasToldToMeasure(const std::string& process_guid) {
  return Await([&](const v2::RouteMessage& message) {
    return std::ranges::count(message.snapshot().measured(), process_guid) > 0 ||
           std::ranges::count(message.change().measured(), process_guid) > 0;
  });
}

bool ScriptedRouter::WasToldNotToMeasure(const std::string& process_guid) {
  return Await([&](const v2::RouteMessage& message) {
    return std::ranges::count(message.change().unmeasured(), process_guid) > 0;
  });
}

void ScriptedRouter::KeepBeating() {
  v2::RouteConsumerMessage beat;
  beat.set_heartbeat(true);
  Beat(beat);
}

void ScriptedRouter::FallSilent() { StopBeating(); }

std::int64_t ScriptedRouter::EndedWithHint() {
  std::unique_lock lock(mutex_);
  CHECK(changed_.wait_for(lock, kPatience, [&] { return ended_; }));
  return HintsIn(context_).retry_after.count();
}

void ScriptedRouter::SayGoodbye() {
  v2::RouteConsumerMessage goodbye;
  goodbye.mutable_goodbye();
  Send(goodbye);
  const std::lock_guard lock(sending_);
  (void)stream_->WritesDone();
}

}  // namespace baton
