// The Postgres store: calls are queued, and a writer takes what queued while the last batch ran, as CallQueue says. No
// timer: an idle store answers at once, a busy one batches by itself. One writer is enough while little waits: two
// would share no commit, and each pays for all of a batch's statements. Others write beside it where much waits, or
// where what is under way takes long, as it may wait for a row that somebody has locked.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/ports/store.h"
#include "sql/store/batch.h"
#include "sql/store/call_queue.h"
#include "sql/store/write_gate.h"

namespace baton {

class PgStore final : public Store {
 public:
  struct Options {
    std::string url;
    int writers = 1;  // connections
    const Cipher* cipher = &PlainCipher();
    CallQueue::Limits queue = {};
    WriteGate* gate = nullptr;     // null: writes never stop
    Metrics* metrics = nullptr;    // null: nobody wants to know what was refused
    CommittedEvents* events = nullptr;  // null: who follows them reads the table
    KnownApps::Limits known = {};
  };
  // `deposed` is told once when the fence finds that another leads; on a writer's thread.
  PgStore(Options options, Log& log, std::function<void()> deposed);
  ~PgStore() override;

  void SetListener(CommitListener* listener) { listener_ = listener; }
  void SetRouterNames(const RouterNames* routers) { routers_ = routers; }
  // From here on calls are taken, under this epoch, until Follow or the local deadline: the lease as this machine's own
  // clock knows it, counted from before its renewal was sent.
  void Lead(const Leadership& leadership);
  void ExtendUntil(std::chrono::steady_clock::time_point until);
  void Follow();
  // Until everything that was submitted before is answered, or the time is over.
  void Settle(Duration most);
  // Answers what is queued and ends its threads: the listener is not told anything any more.
  void Stop();

  void Submit(std::unique_ptr<AppCommand> command) override;

  struct Counts {
    std::uint64_t batches = 0;
    std::uint64_t calls = 0;
    std::uint64_t retries = 0;
    std::uint64_t in_doubt = 0;
  };
  Counts counts() const;
  // Calls that wait at the moment.
  std::size_t waiting(Priority priority) const;

 private:
  struct Writer;
  void Work(Writer& writer);
  // Until the writer is to begin a batch, or all is over. `lock` is of mutex_, which is free meanwhile.
  void AwaitBatch(Writer& writer, std::unique_lock<std::mutex>& lock);
  void PassGate(Writer& writer, AppCommands calls);
  void RunCalls(Writer& writer, AppCommands calls, DualWriter* dual_writer);
  void AfterFailure(Writer& writer, AppCommands calls, DualWriter* dual_writer, const SessionError& error);
  bool MayWrite() const;

  Options options_;
  Log& log_;
  std::function<void()> deposed_;
  CommitListener* listener_ = nullptr;
  const RouterNames* routers_ = nullptr;
  mutable std::mutex leadership_mutex_;
  Leadership leadership_;
  KnownApps known_{options_.known};  // of all writers: an app is with one of them at a time
  std::atomic<bool> leading_{false};
  std::atomic<std::int64_t> until_{0};  // steady clock, in its own ticks
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> batches_{0};
  std::atomic<std::uint64_t> calls_{0};
  std::atomic<std::uint64_t> retries_{0};
  std::atomic<std::uint64_t> in_doubt_{0};
  mutable std::mutex mutex_;  // of all below
  std::condition_variable wake_;
  std::condition_variable idle_;
  CallQueue queue_;
  int writing_ = 0;                     // batches that are under way
  CallQueue::Clock::time_point began_;  // the newest of them
  std::vector<std::unique_ptr<Writer>> writers_;
};

}  // namespace baton
