#include "tests/e2e/debian_cluster.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/fakes/test_cluster.h"
#include "tests/schema/pg_tools.h"
#include "tools/embedded_postgres/command.h"
#include "tools/stack/free_port.h"

namespace baton {
namespace {

namespace fs = std::filesystem;

void MustRun(const std::vector<std::string>& command) {
  const auto done = RunCommand(command, {});
  ASSERT_TRUE(done.ok()) << done.error().message;
  ASSERT_EQ(done->exit_status, 0) << done->output;
}

std::vector<std::pair<std::string, std::string>> Variables(const DebianCluster& cluster, int port) {
  return {{"PGBACKREST_CONFIG", cluster.Path("pgbackrest.conf")},
          {"PGBACKREST_REPO1_PATH", cluster.Path("repo")},
          {"PGBACKREST_PG1_PATH", cluster.data()},
          {"PGBACKREST_PG1_SOCKET_PATH", cluster.Path("socket")},
          {"PGBACKREST_PG1_PORT", std::to_string(port)},
          {"PGBACKREST_LOG_PATH", cluster.Path("log")},
          {"PGBACKREST_LOCK_PATH", cluster.Path("lock")}};
}

}  // namespace

DebianCluster::DebianCluster() : dir_(ClusterRoot()), port_(stack::FreePort()) {
  fs::permissions(dir_.path(), fs::perms(0755));
  for (const char* name : {"socket", "repo", "log", "lock", "etc"}) fs::create_directory(Path(name));
  MustRun({"/bin/chown", "postgres:", Path("socket"), Path("repo"), Path("log"), Path("lock")});
}

DebianCluster::~DebianCluster() {
  static_cast<void>(RunCommand({"/usr/bin/env", "PG_CLUSTER_CONF_ROOT=" + Path("etc"), "pg_ctlcluster", "15", "proof",
                                "stop", "-m", "immediate"},
                               {}));
}

void DebianCluster::Start() {
  const std::string root = "PG_CLUSTER_CONF_ROOT=" + Path("etc");
  MustRun({"/usr/bin/env", root, "pg_createcluster", "15", "proof", "-d", data(), "-s", Path("socket"), "-p",
           std::to_string(port_), "-l", Path("server.log"), "--start-conf", "manual", "-o", "listen_addresses=", "--",
           "--auth=trust"});
  std::ofstream environment(conf() + "/environment");
  for (const auto& [name, value] : Variables(*this, port_)) environment << name << " = '" << value << "'\n";
  environment.close();
  MustRun({"/usr/bin/env", root, "pg_ctlcluster", "15", "proof", "start"});
  std::string beside = url();
  beside.replace(beside.find("dbname=baton"), 12, "dbname=postgres");
  testing::Psql(beside, "CREATE DATABASE baton");
}

pid_t DebianCluster::postmaster() const {
  std::ifstream file(data() + "/postmaster.pid");
  pid_t pid = 0;
  file >> pid;
  return pid;
}

void DebianCluster::ExportTo(Runbook& runbook) const {
  runbook.Export("PG_CLUSTER_CONF_ROOT", Path("etc"));
  for (const auto& [name, value] : Variables(*this, port_)) runbook.Export(name, value);
}

}  // namespace baton
