// A database with real states in it: made through the store by the use cases themselves, without a service.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "orchestrator/model/app_state.h"
#include "sql/store/pg_store.h"
#include "tests/fakes/silent_log.h"
#include "tests/fakes/standing_lease.h"
#include "tests/fakes/test_call.h"
#include "tools/definitions/run.h"

namespace baton::testing {

inline constexpr char kSecretValue[] = "s3cr3t-environment-value";
inline constexpr char kSecretPassword[] = "s3cr3t-image-password";

// A definition as the API takes it in: hashed, with the first secret in its environment. `bytes` makes it larger.
DefinitionInput Version(const std::string& name, std::size_t bytes = 0);

class SeededStore : public CommitListener {
 public:
  explicit SeededStore(const std::string& url);

  void Desire(const std::string& app, int instances, const std::string& version, const std::string& domain = "test");
  // Opens a roll, and makes its first instances; nothing starts.
  void Update(const std::string& app, const std::string& version);
  void Remove(const std::string& app);
  // A definition alone, that nothing refers to.
  void Insert(const std::string& app, const DefinitionInput& input);
  // A cell said no to one of the app's instances that have none.
  void Reject(const std::string& app, const std::string& words);
  void Pin(const std::string& app, const std::string& version);
  // Claims and starts what waits, stops what is ordered to, until the app stands still.
  void Settle(const std::string& app);
  void Roll(const std::string& app, const std::string& version) { Update(app, version), Settle(app); }

  AppState Read(const std::string& app);
  void Script(const std::string& sql);
  const std::string& url() const { return url_; }

  void OnCommitted(const Committed&) override {}

 private:
  void Do(TestCall call);
  void Do(const std::string& app, const std::function<Status(AppEdit&)>& decide);
  void Plan(const std::string& app);
  void Report(const std::string& app, const ActualLrp& lrp);

  std::string url_;
  StandingLease lease_;
  SilentLog log_;
  std::unique_ptr<Session> session_;
  PgStore store_;
};

struct Printed {
  definitions::DefinitionsExit code = definitions::kExitFine;
  std::string out;
  std::string err;
};
Printed Print(definitions::DefinitionsOptions options);

}  // namespace baton::testing
