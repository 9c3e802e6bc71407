// The files in which a PostgreSQL says that it serves a cluster (postmaster.pid) and a socket (.s.PGSQL.5432.lock).
// They stay where the server or its machine died.
#pragma once

#include <optional>
#include <string>

#include "tools/system/spawn.h"

namespace baton {

class ServerLock {
 public:
  static ServerLock OfCluster(const std::string& data) { return {data + "/postmaster.pid", data}; }
  // Of the socket in a directory, of a server for `data`.
  static ServerLock OfSocket(const std::string& dir, const std::string& data) {
    return {dir + "/.s.PGSQL.5432.lock", data};
  }

  const std::string& path() const { return path_; }
  // Whether the server that wrote it is there; a look at two files, no more.
  bool ServerRuns() const;
  // That server, to wait for its end; nothing: it is not there.
  std::optional<Process> Server() const;
  // Where that server has its socket; empty where it has not said so yet.
  std::string SocketDir() const;
  // Whether it keeps PostgreSQL from starting though no server runs: its number is another process's by now, as after a
  // machine was started again; or that of a dead one that nobody has waited for; or it is empty, as where power was
  // lost while it was written.
  bool BlocksStart() const;

 private:
  ServerLock(std::string path, std::string data) : path_(std::move(path)), data_(std::move(data)) {}

  std::string path_;
  std::string data_;
};

}  // namespace baton
