#include "tools/batond/call_records.h"

#include <chrono>

namespace baton::batond {

CallRecords::CallRecords(const std::string& url, Log& log, Metrics& metrics)
    : uses_(url), audit_(url), usage_(uses_, log, metrics, {}), refused_(audit_, log, metrics, {}) {}

void CallRecords::Lead(const Leadership& leadership) {
  uses_.Lead(leadership);
  audit_.Lead(leadership);
  usage_.Lead();
  refused_.Lead();
}

void CallRecords::Follow() {
  usage_.Follow();
  refused_.Follow();
}

void CallRecords::Settle(Duration timeout) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  refused_.Settle(timeout);
  usage_.Settle(std::chrono::duration_cast<Duration>(until - std::chrono::steady_clock::now()));
}

void CallRecords::Stop() {
  usage_.Stop();
  refused_.Stop();
}

}  // namespace baton::batond
