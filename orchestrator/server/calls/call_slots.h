// How many calls of one kind are under way at once: those that hold rows of many apps, or make the database work for long.
// One too many is refused at once and told when to come back.
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "orchestrator/base/result.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class CallSlots {
 public:
  // `name`: "lists", in the refusal and in baton_calls_refused_total. `slots` and `metrics` outlive each Slot.
  CallSlots(int most, const char* name) : most_(most), name_(name) {}
  CallSlots(const CallSlots&) = delete;
  CallSlots& operator=(const CallSlots&) = delete;

  // One place, until it goes.
  class Slot {
   public:
    Slot() = default;
    explicit Slot(std::atomic<int>& taken) : taken_(&taken) {}
    Slot(Slot&& other) noexcept : taken_(std::exchange(other.taken_, nullptr)) {}
    Slot& operator=(Slot&& other) noexcept {
      std::swap(taken_, other.taken_);
      return *this;
    }
    ~Slot() {
      if (taken_) --*taken_;
    }

   private:
    std::atomic<int>* taken_ = nullptr;
  };

  // RESOURCE_EXHAUSTED where all are taken.
  Result<Slot> Take(Metrics& metrics) {
    if (++taken_ <= most_) return Slot(taken_);
    --taken_;
    metrics.Count("baton_calls_refused_total", name_);
    return Error{ErrorKind::kResourceExhausted,
                 std::to_string(most_) + " " + name_ + " are under way already: ask again later", milliseconds(500)};
  }

 private:
  const int most_;
  const char* const name_;
  std::atomic<int> taken_{0};
};

}  // namespace baton
