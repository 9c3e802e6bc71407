#include "tests/bench/durable_postgres.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "orchestrator/base/check.h"
#include "schema/migrator/migrator.h"
#include "tests/fakes/pg_fixture.h"
#include "tools/stack/leftovers.h"

namespace baton::bench {

namespace {

std::vector<std::string>& Settings() {
  static std::vector<std::string> settings;
  return settings;
}

constexpr char kParent[] = "/var/tmp";
constexpr char kName[] = "baton-bench-";  // then the process's id, and something that is its own

// Of runs that were killed, or failed: their PostgreSQL goes on.
void EndLeftovers() {
  for (const auto& entry : std::filesystem::directory_iterator(kParent)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kName)) continue;
    const pid_t pid = std::atoi(name.c_str() + std::strlen(kName));
    if (pid > 0 && kill(pid, 0) != 0 && errno == ESRCH) {
      stack::KillPostgresProcesses(entry.path());
      std::filesystem::remove_all(entry.path());
    }
  }
}

}  // namespace

void DurablePostgres::SetSettings(std::vector<std::string> settings) { Settings() = std::move(settings); }

DurablePostgres::DurablePostgres(std::vector<std::string> settings) {
  settings.insert(settings.end(), Settings().begin(), Settings().end());
  EndLeftovers();
  std::string path = std::string(kParent) + "/" + kName + std::to_string(getpid()) + "-XXXXXX";
  CHECK(mkdtemp(path.data()) != nullptr);
  dir_ = path;
  auto started = EmbeddedPostgres::Start({.dir = dir_, .settings = std::move(settings)});
  CHECK(started.ok());
  postgres_ = *std::move(started);
  CHECK(Migrate(*OpenSession(url())).ok());
}

DurablePostgres::~DurablePostgres() {
  (void)postgres_->Stop();
  std::filesystem::remove_all(dir_);
}

pid_t DurablePostgres::pid() const {
  pid_t pid = 0;
  std::ifstream(dir_ + "/data/postmaster.pid") >> pid;
  CHECK(pid > 0);
  return pid;
}

void DurablePostgres::Vacuum() {
  const std::string command = "psql -q -d '" + url() + "' -c 'VACUUM ANALYZE'";
  CHECK(std::system(command.c_str()) == 0);
}

void DurablePostgres::Sql(const std::string& script) {
  const auto session = OpenSession(url());
  const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0");
    s.RunScript(script);
    return true;
  });
  if (!error.ok()) std::fprintf(stderr, "%s\n", error.detail.c_str());
  CHECK(error.ok());
}

}  // namespace baton::bench
