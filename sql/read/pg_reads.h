// A pool of threads that read from PostgreSQL, each with a connection of its own.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "orchestrator/ports/log.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/ports/router_names.h"
#include "sql/session/worker.h"

namespace baton {

class PgReads final : public Reads {
 public:
  PgReads(const std::string& url, int threads, Log& log, const Cipher& cipher = PlainCipher(),
          std::size_t queue_max = SessionWorker::kQueueMax);  // of a thread
  // What pages of one app go by, too. Before the first call.
  void SetRouterNames(const RouterNames* routers) { routers_ = routers; }
  void Run(std::function<void(Result<Reader*>)> work) override;
  void Get(const ProcessGuid& guid, Got got) override;
  // After it, nothing that was given to Run is under way.
  void Stop();

 private:
  struct Wanted {
    ProcessGuid guid;
    Got got;
  };
  void TakeWanted(Result<Reader*> reader);
  static void Answer(Result<Reader*> reader, const std::vector<Wanted>& wanted);

  Log& log_;
  const RouterNames* routers_ = nullptr;
  const std::size_t queue_max_;  // of those that are wanted
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::deque<Wanted> wanted_;
  int getting_ = 0;  // how many are at it
  std::vector<std::unique_ptr<SessionWorker>> workers_;
};

}  // namespace baton
