// A PostgreSQL as Debian's own programs make it (pg_createcluster), in a directory of its own. Needs root.
#pragma once

#include <string>

#include "tests/e2e/runbook.h"
#include "tools/stack/state_dir.h"

namespace baton {

class DebianCluster {
 public:
  DebianCluster();
  ~DebianCluster();

  // With an empty database "baton".
  void Start();
  std::string Path(const std::string& name) const { return dir_.path() + "/" + name; }
  std::string url() const {
    return "host=" + Path("socket") + " port=" + std::to_string(port_) + " user=postgres dbname=baton";
  }
  std::string data() const { return Path("db"); }
  std::string conf() const { return Path("etc/15/proof"); }
  // Of its first process.
  pid_t postmaster() const;

  // How pgbackrest finds it and its own directories; for a runbook and for the server's archive_command.
  void ExportTo(Runbook& runbook) const;

 private:
  stack::StateDir dir_;
  int port_;
};

}  // namespace baton
