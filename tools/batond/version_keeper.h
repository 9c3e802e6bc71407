// The version law, kept: what the database is, whether this process may serve it, and its migration where that is due.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/base/ticker.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "schema/memory.h"
#include "schema/migrator/migrator.h"

namespace baton {
class Session;
}

namespace baton::batond {

class VersionKeeper {
 public:
  // On the keeper's thread, for the epoch that was asked for.
  struct Answers {
    std::function<void(std::int64_t epoch, const StoreIdentity& store)> may_serve;
    std::function<void(std::int64_t epoch)> must_migrate;
    std::function<void(std::int64_t epoch, const StoreIdentity& store)> migrated;
    std::function<void(std::int64_t epoch, const std::string& why)> may_not_serve;
    std::function<void(const std::string& text)> progress;
  };
  // `online`: data of an older layout is served as it is until an operator begins the upgrade; one that was begun is gone
  // on with in any case.
  // `owner`: as who may make tables, connected to while there is something to keep, and not longer; empty: `url`.
  VersionKeeper(std::string url, std::string owner, std::string lease, MemoryFile memory, bool online, Log& log, Metrics& metrics,
                Answers answers);
  ~VersionKeeper();

  // Elected with this epoch: one of the answers follows; `must_migrate` is followed by `migrated`, however long it takes.
  void Check(std::int64_t epoch);
  // Another one leads: what Check needs is opened, and stays so until then. Asked now and then, from any thread; brief.
  void StandBy();
  // Somebody outside has obeyed a leader of this store later than `epoch`, which is this process's own. Where the database
  // knows of none so late it has gone back: that is written into it, and `may_not_serve` follows.
  void Witness(std::int64_t epoch, std::int64_t later);
  // Deposed: what is under way stops at its next statement, and answers nothing.
  void Drop();
  void Stop() { ticker_.Stop(); }

  // The way back, on the caller's thread, by the leader of this epoch, which has let go of everything else.
  Status RollBack(std::int64_t epoch, std::int64_t to);

  // Another layout counts than before: whoever looks at the store later must not take it for one that has gone back.
  void Note(std::int64_t epoch, const DataMode& data);

  // From one thread; kServe also where an open upgrade is served. What would be to do for a leader, by a look that writes nothing. FAILED_PRECONDITION: the law's
  // refusal; UNAVAILABLE: the database does not answer.
  Result<VersionDuty> Look();

 private:
  Ticker::Wait Tick();
  // False: to be tried again.
  bool Keep(Session& session, std::int64_t epoch);
  bool Migrate(Session& session, std::int64_t epoch, bool only_contract);
  void Forget(Session& session, std::int64_t epoch, const Found& found);
  bool PrepareOnline(Session& session, std::int64_t epoch, const Found& found);
  MigratorOptions OptionsFor(std::int64_t epoch);
  void TellMustMigrate(std::int64_t epoch, const Found& found, const std::string& duty);
  bool Wanted(std::int64_t epoch);
  // An epoch that somebody outside has obeyed.
  struct Later {
    std::int64_t own = 0;
    std::int64_t theirs = 0;
    bool operator==(const Later&) const = default;
  };
  bool Believe(Session& session, const Later& later);
  // Nothing: the store could not be looked at.
  std::optional<StoreIdentity> Remember(Session& session, std::int64_t epoch);
  void Tell(const MigrationProgress& progress);

  const std::string url_;
  const std::string owner_;
  const std::string lease_;
  const MemoryFile memory_;
  const bool online_;
  Log& log_;
  Metrics& metrics_;
  Answers answers_;
  std::mutex mutex_;
  std::optional<std::int64_t> epoch_;  // that was asked for
  std::optional<Later> later_;         // to be looked into
  bool stands_by_ = false;             // said since the last tick
  std::int64_t told_ = 0;              // must_migrate, for which epoch; of the thread alone
  std::chrono::steady_clock::time_point logged_{};
  std::unique_ptr<Session> looker_;
  // Of the thread alone: what it keeps the version with, and how long it last waited for the next try.
  std::unique_ptr<Session> session_;
  Duration retry_;
  Ticker ticker_;
};

}  // namespace baton::batond
