// Counts the calls of the API, by version, method and caller: in memory as they come, and every few seconds into the
// database where this process leads. On a thread of its own. A process that is killed takes what it counted since then
// with it.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orchestrator/base/ticker.h"
#include "orchestrator/ports/api_usage_store.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class ApiUsage {
 public:
  using Steady = std::chrono::steady_clock;
  struct Options {
    Duration every = seconds(5);
    std::size_t rows_max = 4096;  // in memory, by name; what does not find room is counted as kOtherCallers
  };
  struct Report {
    std::vector<ApiUse> uses;
    bool stored = true;  // false: the data has no place for them; these are the ones in memory
  };
  using Answer = std::function<void(const Result<Report>&)>;

  ApiUsage(ApiUsageStore& store, Log& log, Metrics& metrics, Options options);

  // A call begins. From any thread, and brief. `method` has to stay for as long as this does.
  void Count(const ApiMethod& method, std::string_view caller);

  // Only calls between the two are kept; the metric counts all.
  void Lead();
  void Follow();
  // What is counted is written down, if that can be done within `timeout`: before another leads.
  void Settle(Duration timeout);
  void Stop() { ticker_.Stop(); }

  // From any thread; the answer comes on the thread of this, and has every call so far. UNAVAILABLE where this process
  // does not lead.
  void Look(Answer answer);

 private:
  struct Key {
    const ApiMethod* method;
    std::string caller;
  };
  struct KeyView {
    const ApiMethod* method;
    std::string_view caller;
  };
  struct Hash {
    using is_transparent = void;
    template <class K>
    std::size_t operator()(const K& key) const {
      return std::hash<std::string_view>()(key.caller) ^ (std::hash<const void*>()(key.method) * 31);
    }
  };
  struct Equal {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return a.method == b.method && a.caller == b.caller;
    }
  };
  struct Tally {
    std::int64_t calls = 0;
    Steady::time_point first{};
    Steady::time_point last{};
  };
  using Tallies = std::unordered_map<Key, Tally, Hash, Equal>;

  void Add(Tallies& to, const KeyView& key, const Tally& tally) const;
  void Gather();
  Ticker::Wait Tick();
  Result<bool> Flush();
  Result<Report> Read();
  void Told(const std::string& trouble);

  ApiUsageStore& store_;
  Log& log_;
  Metrics& metrics_;
  const Options options_;
  std::string trouble_;  // of the last flush, as it was logged; of the thread alone

  std::mutex counting_;
  Tallies counted_;  // since they were gathered

  std::mutex mutex_;
  Tallies kept_;  // gathered, and not in the database yet
  bool leading_ = false;
  std::vector<Answer> asked_;
  Ticker ticker_;
};

}  // namespace baton
