// How many calls with one answer each caller has under way, asked where a call can still be refused: before its handler. A call is
// counted from its headers on: gRPC holds what it has read of it long before a handler or an interceptor hears of it.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "orchestrator/base/result.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class IdentityCalls {
 public:
  using Steady = std::chrono::steady_clock;

  IdentityCalls(int most, Metrics& metrics) : most_(most), metrics_(metrics) {}

  // The headers of a call have come. RESOURCE_EXHAUSTED with the option that says how many.
  Status Admit(const std::string& who, Steady::time_point now);

  // A call that has begun, until it goes.
  class Place {
   public:
    Place() = default;
    Place(IdentityCalls& calls, std::string who) : calls_(&calls), who_(std::move(who)) {}
    Place(Place&& other) noexcept : calls_(std::exchange(other.calls_, nullptr)), who_(std::move(other.who_)) {}
    Place& operator=(Place&&) = delete;
    ~Place() {
      if (calls_) calls_->End(who_);
    }

   private:
    IdentityCalls* calls_ = nullptr;
    std::string who_;
  };
  // An admitted call begins. `lasts`: it is a stream, which has another limit.
  Place Begin(const std::string& who, bool lasts);

 private:
  // gRPC says nothing of a call that ends before it begins: one that has not begun after a while is not waited for.
  struct Counts {
    int under_way = 0;
    int awaited = 0;         // admitted in this second
    int awaited_before = 0;  // in the one before it
  };
  void End(const std::string& who);
  void Turn(Steady::time_point now);

  const int most_;
  Metrics& metrics_;
  std::mutex mutex_;
  Steady::time_point second_;
  std::map<std::string, Counts> counts_;
};

}  // namespace baton
