// Two PostgreSQLs, one of which follows the other by streaming replication, synchronously: what a failover needs,
// without what decides on one. Their names are their numbers, 0 and 1; 0 is the primary first.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tools/system/spawn.h"

namespace baton {

class PostgresPair {
 public:
  // Migrated, and what is committed is on both.
  PostgresPair();
  ~PostgresPair();
  PostgresPair(const PostgresPair&) = delete;
  PostgresPair& operator=(const PostgresPair&) = delete;

  // Both of them, as `--database` takes it; what else it says is the reader's affair.
  std::string url() const;
  std::string UrlOf(int which) const;

  // "fast": what it has written is with the other one.
  void Stop(int which) const;
  // kill -9 of all of its processes.
  void Kill(int which) const;
  // It takes no writes from now on, in sessions that are open as well; they stay open.
  void MakeReadOnly(int which) const { SetReadOnly(which, "on"); }
  void MakeWritable(int which) const { SetReadOnly(which, "off"); }
  // It becomes the primary, and waits for nobody until the other one follows it again.
  void Promote(int which) const;
  // One that was stopped is started as the other one's replica, and has caught up.
  void Follow(int which) const;

 private:
  std::string SocketDir(int which) const { return dir_ + "/" + std::to_string(which) + ".socket"; }
  std::string DataDir(int which) const { return dir_ + "/" + std::to_string(which) + "/data"; }
  // As who runs PostgreSQL. It ends well, or the test ends.
  void Do(std::vector<std::string> command) const;
  void PgCtl(int which, std::vector<std::string> arguments) const;
  void Start(int which) const;
  void Sql(int which, const std::string& statement) const;
  void SetReadOnly(int which, const std::string& how) const;
  // Until the other one streams from it, synchronously.
  void AwaitFollower(int which) const;
  void WaitForFollower(int which, bool wait) const;

  std::string dir_;
  std::string bin_;
  std::optional<UnixUser> user_;
};

}  // namespace baton
