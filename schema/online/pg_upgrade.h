// The online upgrade over PostgreSQL, for the leader. The older layout is authoritative until the switch. Every write
// goes to both layouts in one transaction (schema/legacy/dual_writer.h). This class copies what other programs wrote,
// compares both layouts shard by shard, and then switches. After a kill it resumes from its stored record.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "orchestrator/ports/log.h"
#include "orchestrator/ports/upgrader.h"
#include "schema/legacy/dual_writer.h"
#include "schema/migrator/migrator.h"
#include "schema/online/law.h"
#include "schema/online/record.h"
#include "sql/session/kept_session.h"
#include "sql/store/fence.h"
#include "sql/store/write_gate.h"

namespace baton {

class PgUpgrade final : public Upgrader {
 public:
  struct Hooks {
    std::function<void(const DataMode&)> mode;            // of every change, and at the beginning
    std::function<void(const ProcessGuid&)> taken_over;  // its rows were written by no call of the store
  };
  // `owner`: as who may make tables, connected to while an upgrade is on its way; empty: `url`.
  PgUpgrade(const std::string& url, const std::string& owner, const Cipher& cipher, WriteGate& gate, Log& log, Hooks hooks);

  // Another one leads: what Lead needs is opened. Asked now and then; waits for no step that is under way.
  void StandBy();
  // Of a process that has just been elected, before it writes anything: from here on writes keep both layouts in step
  // where the record wants it.
  Status Lead(const Leadership& leadership);

  Result<UpgradeView> Look() override;
  Status Begin(const UpgradeWish& wish) override;
  Status RollBack() override;
  Status Finish() override;
  Result<bool> Step(int rows_max) override;

 private:
  // How far the shard is that is being worked on; of this process alone: another begins it again.
  struct Cursor {
    int shard = -1;
    ProcessGuid after;
    std::int64_t rows_done = 0;
    std::vector<std::string> faults;
    std::map<ProcessGuid, std::string> compared;  // writes that a page has seen already
    void Take(std::vector<std::string> more);
  };
  using Steady = std::chrono::steady_clock;
  static constexpr Duration kStopMax = milliseconds(1500);  // of writes

  Status Read(const std::function<void(Session&)>& body);
  Status Write(const std::function<Status(Session&)>& body);
  Result<UpgradeView> ReadRecord();
  // The same, and writes and callers go by it from here on.
  Result<UpgradeView> Record();
  void GoBy(const UpgradeView& record);
  static Error WritesDoNotEnd();
  Status Move(UpgradeView& upgrade, UpgradeEvent event, const std::function<void(Session&)>& also = {});
  bool TwoLayouts(const UpgradeView& upgrade) const;
  DualWriter* DualWriterOf(const UpgradeView& upgrade);
  // `known`: else callers write what both layouts can say until the record was read again.
  void Tell(const UpgradeView& upgrade, bool known = true);

  Status CountShards(const UpgradeView& upgrade);
  Result<bool> Sync(UpgradeView& upgrade, int rows_max);
  Status SyncPage(UpgradeView& upgrade, UpgradeShard& shard, int rows_max);
  Status Prepare(UpgradeView& upgrade);
  // Apps that were written since, by anybody or by others alone: how many are left.
  enum class Origin { kAny, kExternal };
  Result<std::size_t> CatchUp(const UpgradeView& upgrade, int apps_max, Origin origin,
                              std::map<int, std::vector<std::string>>& faults);
  Status Forget(const std::map<ProcessGuid, std::string>& marks);
  Status CheckApps(const UpgradeView& upgrade, const std::vector<ProcessGuid>& apps, std::vector<std::string>& faults);
  Status Mend(const UpgradeView& upgrade, const std::vector<ProcessGuid>& apps, std::vector<std::string>& faults);
  Status SwitchOver(UpgradeView& upgrade);
  Status SwitchStopped(UpgradeView& upgrade, Steady::time_point began);
  // False: another program has written since both layouts were compared, or is writing now.
  Result<bool> EndSwitch(UpgradeView& upgrade);
  // What the migrator writes for it is fenced as its own writes are.
  MigratorOptions Fenced() const;
  Status Contract();

  WriteGate& gate_;
  Log& log_;
  const Hooks hooks_;
  LegacyDualWriter legacy_;
  std::mutex mutex_;
  Leadership leadership_;
  std::optional<UpgradeState> told_;  // to callers; nothing: it has to be read first
  KeptSession session_;
  KeptSession owner_;
  Cursor cursor_;
  Steady::time_point retry_failed_{};
};

}  // namespace baton
