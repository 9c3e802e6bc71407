#include "tests/fakes/postgres_pair.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "orchestrator/base/check.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/test_cluster.h"
#include "tools/embedded_postgres/command.h"
#include "tools/embedded_postgres/server_programs.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{60};

}  // namespace

PostgresPair::PostgresPair() : dir_(MakeClusterDir("baton-pair")), user_(ClusterUser()) {
  if (user_) CHECK(chown(dir_.c_str(), user_->uid, user_->gid) == 0);
  for (const int which : {0, 1}) Do({"/bin/mkdir", "-m", "0700", dir_ + "/" + std::to_string(which), SocketDir(which)});
  CopyClusterTo(dir_ + "/0");
  auto bin = FindServerPrograms(DataDir(0));
  CHECK(bin.ok());
  bin_ = *std::move(bin);
  Start(0);
  Do({bin_ + "/createdb", "-h", SocketDir(0), "-U", "baton", "pair"});
  Migrated(UrlOf(0));
  Do({bin_ + "/pg_basebackup", "-D", DataDir(1), "-R", "-X", "stream", "-c", "fast", "--no-sync", "-h", SocketDir(0),
      "-U", "baton"});
  Start(1);
  WaitForFollower(0, true);
  AwaitFollower(0);
}

PostgresPair::~PostgresPair() {
  for (const int which : {0, 1}) {
    if (fs::exists(DataDir(which) + "/postmaster.pid")) Kill(which);
  }
  fs::remove_all(dir_);
}

std::string PostgresPair::url() const {
  return "host=" + SocketDir(0) + "," + SocketDir(1) + " user=baton dbname=pair";
}

std::string PostgresPair::UrlOf(int which) const { return "host=" + SocketDir(which) + " user=baton dbname=pair"; }

void PostgresPair::Do(std::vector<std::string> command) const {
  const auto done = RunCommand(command, user_);
  const bool well = done.ok() && done->exit_status == 0;
  if (!well)
    std::fprintf(stderr, "%s: %s\n", command.front().c_str(), (done ? done->output : done.error().message).c_str());
  CHECK(well);
}

void PostgresPair::PgCtl(int which, std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {bin_ + "/pg_ctl", "-D", DataDir(which), "-w", "-t", "60"});
  Do(std::move(arguments));
}

void PostgresPair::Start(int which) const {
  PgCtl(which, {"start", "-l", dir_ + "/" + std::to_string(which) + "/postgres.log", "-o",
                "-c listen_addresses= -c unix_socket_directories=" + SocketDir(which) +
                    " -c fsync=off -c full_page_writes=off"});
}

void PostgresPair::Sql(int which, const std::string& statement) const {
  CHECK(OpenSession(UrlOf(which))->RunAlone(statement).ok());
}

void PostgresPair::WaitForFollower(int which, bool wait) const {
  Sql(which, std::string("ALTER SYSTEM SET synchronous_standby_names = '") + (wait ? "*'" : "'"));
  Sql(which, "SELECT pg_reload_conf()");
}

void PostgresPair::AwaitFollower(int which) const {
  CHECK(stack::WaitFor(kPatience, {},
                       [&] { return Exists(UrlOf(which), "pg_stat_replication WHERE sync_state = 'sync'"); }));
}

void PostgresPair::Stop(int which) const { PgCtl(which, {"stop", "-m", "fast"}); }

void PostgresPair::Kill(int which) const { PgCtl(which, {"stop", "-m", "immediate"}); }

void PostgresPair::SetReadOnly(int which, const std::string& how) const {
  Sql(which, "ALTER SYSTEM SET default_transaction_read_only = " + how);
  Sql(which, "SELECT pg_reload_conf()");
  // Each session takes it up with its next statement, after the postmaster has told it.
  CHECK(stack::WaitFor(kPatience, {}, [&] {
    return Exists(UrlOf(which), "pg_settings WHERE name = 'default_transaction_read_only' AND setting = '" + how + "'");
  }));
}

void PostgresPair::Promote(int which) const {
  PgCtl(which, {"promote"});
  WaitForFollower(which, false);
}

void PostgresPair::Follow(int which) const {
  const int primary = 1 - which;
  Do({"/usr/bin/touch", DataDir(which) + "/standby.signal"});
  // The last line that names it counts. A follower waits for nobody, and is no longer kept read-only.
  std::ofstream(DataDir(which) + "/postgresql.auto.conf", std::ios::app)
      << "primary_conninfo = 'host=" << SocketDir(primary) << " user=baton'\ndefault_transaction_read_only = off\n";
  Start(which);
  WaitForFollower(primary, true);
  AwaitFollower(primary);
}

}  // namespace baton
