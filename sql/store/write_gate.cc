#include "sql/store/write_gate.h"

#include "orchestrator/base/check.h"

namespace baton {

WriteGate::Passage WriteGate::Enter() {
  const std::lock_guard lock(mutex_);
  if (stopped_) return {*this, false, nullptr, why_};
  ++under_way_;
  return {*this, true, dual_writer_, {}};
}

void WriteGate::Wait(Duration most) {
  std::unique_lock lock(mutex_);
  opened_.wait_for(lock, most, [this] { return !stopped_; });
}

WriteGate::Passage::~Passage() {
  if (!may_) return;
  const std::lock_guard lock(gate_.mutex_);
  --gate_.under_way_;
  gate_.left_.notify_all();
}

WriteGate::Stop::Stop(WriteGate& gate, std::string why, std::optional<Duration> most) : gate_(gate) {
  std::unique_lock lock(gate_.mutex_);
  CHECK(!gate_.stopped_);
  gate_.stopped_ = true;
  gate_.why_ = std::move(why);
  const auto left = [this] { return gate_.under_way_ == 0; };
  most ? void(holds_ = gate_.left_.wait_for(lock, *most, left)) : gate_.left_.wait(lock, left);
}

WriteGate::Stop::~Stop() {
  const std::lock_guard lock(gate_.mutex_);
  gate_.stopped_ = false;
  gate_.opened_.notify_all();
}

void WriteGate::Stop::SetDualWriter(DualWriter* dual_writer) {
  CHECK(holds_);
  const std::lock_guard lock(gate_.mutex_);
  gate_.dual_writer_ = dual_writer;
}

}  // namespace baton
