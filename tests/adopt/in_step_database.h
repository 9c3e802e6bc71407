// A database of 1.1 with some apps whose rows were split into those of 2.x, and a store that works on these while it keeps
// the old ones in step.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/model/app_state.h"
#include "schema/legacy/apps/app.h"
#include "schema/legacy/compare.h"
#include "schema/legacy/dual_writer.h"
#include "sql/store/pg_store.h"
#include "tests/fakes/silent_log.h"
#include "tests/fakes/standing_lease.h"
#include "tests/fakes/test_call.h"

namespace baton::testing {

// Its words and its definition: valid, with `seed`'s content.
DefinitionInput AnyDefinition(int seed);

class InStepDatabase {
 public:
  explicit InStepDatabase(const std::vector<LegacyApp>& apps, bool triggers = true);
  ~InStepDatabase();

  const std::string& url() const { return url_; }
  void Within(const std::function<void(Session&)>& body);
  // In the order of submission for each app; those of several apps may share a batch.
  std::vector<Status> Do(std::vector<TestCall> calls);
  Status Do(TestCall call);
  // A use case, then the planner.
  Status Plan(const ProcessGuid& guid, const std::function<Status(AppEdit&)>& decide = {});

  AppState Read(const ProcessGuid& guid);
  baton::Compared Compare(const std::vector<ProcessGuid>& guids);
  // Names that were taken, with whether a foreign write was among them: "shop foreign", "shop own".
  std::vector<std::string> TakeChanges(int most = 1000);
  std::vector<LegacyApp> OldApps();

 private:
  std::string url_;
  std::unique_ptr<Session> session_;
  std::optional<StandingLease> lease_;
  LegacyDualWriter dual_writer_;
  SilentLog log_;
  std::unique_ptr<PgStore> store_;
};

}  // namespace baton::testing
