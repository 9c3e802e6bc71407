#include "tests/fakes/pg_fixture.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <pqxx/pqxx>

#include "orchestrator/model/check.h"
#include "schema/migrator.h"
#include "tools/embedded_postgres/embedded_postgres.h"

namespace baton {
namespace {

class Cluster {
 public:
  Cluster() {
    char path[] = "/tmp/baton-test-XXXXXX";
    CHECK(mkdtemp(path) != nullptr);
    dir_ = path;
    auto started = EmbeddedPostgres::Start({.dir = dir_, .durable = false});
    if (!started) std::fprintf(stderr, "%s\n", started.error().message.c_str());
    postgres_ = *std::move(started);
  }
  ~Cluster() {
    (void)postgres_->StopImmediately();
    std::filesystem::remove_all(dir_);
  }
  std::string NewDatabase() {
    const std::string name = "test_" + std::to_string(++databases_);
    pqxx::connection connection(postgres_->url());
    pqxx::nontransaction(connection).exec("CREATE DATABASE " + name);
    std::string url = postgres_->url();
    return url.replace(url.find("dbname=baton"), 12, "dbname=" + name);
  }

 private:
  std::string dir_;
  std::unique_ptr<EmbeddedPostgres> postgres_;
  int databases_ = 0;
};

}  // namespace

std::string FreshDatabase() {
  static Cluster cluster;
  return cluster.NewDatabase();
}

std::string MigratedDatabase() {
  const std::string url = FreshDatabase();
  const Status status = Migrate(*OpenSession(url));
  if (!status) std::fprintf(stderr, "%s\n", status.error().message.c_str());
  CHECK(status.ok());
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

bool SomebodyWaits(const std::string& url) {
  return Exists(url, "pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()");
}

std::unique_ptr<Session> OpenSession(const std::string& url) {
  auto session = Session::Open(url);
  if (!session) std::fprintf(stderr, "%s\n", session.error().message.c_str());
  return *std::move(session);
}

}  // namespace baton
