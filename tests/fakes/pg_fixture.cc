#include "tests/fakes/pg_fixture.h"

#include "orchestrator/base/check.h"
#include "schema/migrator/migrator.h"
#include "tests/fakes/test_postgres.h"

namespace baton {
namespace {

TestPostgres& OfThisProcess() {
  static TestPostgres postgres;
  return postgres;
}

void MustMigrate(Session& session) {
  const Status status = Migrate(session);
  if (!status) std::fprintf(stderr, "%s\n", status.error().message.c_str());
  CHECK(status.ok());
}

}  // namespace

std::string FreshDatabase() { return OfThisProcess().NewDatabase(); }

std::string MigratedDatabase() {
  std::string url = OfThisProcess().NewDatabase(OfThisProcess().migrated());
  const auto session = OpenSession(url);
  MustMigrate(*session);  // what is set for the database
  CHECK(session->RunAlone("UPDATE store SET store_id = gen_random_uuid()").ok());
  return url;
}

std::string Migrated(std::string url) {
  MustMigrate(*OpenSession(url));
  return url;
}

bool Exists(const std::string& url, const std::string& from) {
  return OpenSession(url)
      ->Transact(
          Session::Isolation::kReadCommitted,
          [&](Session& s) {
            s.RunScript("DO $$ BEGIN IF NOT EXISTS (SELECT FROM " + from + ") THEN RAISE 'nothing'; END IF; END $$");
            return true;
          })
      .ok();
}

bool SomebodyWaits(const std::string& url, int least) {
  return Exists(url, "pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() OFFSET " +
                         std::to_string(least - 1));
}

std::unique_ptr<Session> OpenSession(const std::string& url) {
  auto session = Session::Open(url);
  if (!session) std::fprintf(stderr, "%s\n", session.error().message.c_str());
  return *std::move(session);
}

}  // namespace baton
