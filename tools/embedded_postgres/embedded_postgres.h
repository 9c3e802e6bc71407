// A PostgreSQL of our own in a directory: made, started, stopped. It listens on a Unix socket in a directory that only
// its user can enter, never on TCP. It outlives a killed batond, and the next one takes it up again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "orchestrator/base/result.h"
#include "tools/embedded_postgres/command.h"

namespace baton {

class EmbeddedPostgres {
 public:
  struct Options {
    std::string dir;      // made if missing; "" is an error
    bool durable = true;  // false: fsync off, for tests only
    std::vector<std::string> settings;  // more of postgresql.conf, "NAME=VALUE"
    std::vector<std::string> environment = {};  // of the server, "NAME=VALUE"
  };
  // Makes the cluster if the directory is empty, starts it if it does not run. FAILED_PRECONDITION with what to do
  // where the directory cannot be used, PostgreSQL is not installed, or not in the version that the data is of.
  static Result<std::unique_ptr<EmbeddedPostgres>> Start(const Options& options);

  static constexpr std::uintmax_t kLogBytesMax = 64 << 20;

  // What libpq takes. The database is "baton", and so is the superuser.
  const std::string& url() const { return url_; }
  // The same as another role; whoever reaches the socket may be any.
  std::string UrlOf(const std::string& role, const std::string& database = "baton") const;
  // Whether it ran already when Start was called.
  bool taken_up() const { return taken_up_; }
  // Whether its first process is there.
  bool Runs() const;
  // What it logged moves to postgres.log.1, in place of what was there, where it is more than kLogBytesMax. PostgreSQL
  // goes on.
  void ShortenLog() const;
  // After it has died.
  Status StartAgain();
  // Stops it cleanly ("fast": open transactions are rolled back).
  Status Stop();
  // Like a power cut for its processes: kill -9 of all.
  Status StopImmediately();

 private:
  EmbeddedPostgres() = default;
  Status Prepare(const Options& options);
  Status MakeCluster();
  Status FindSocket();
  Status StartServer(const Options& options);
  Status StopAs(const char* mode);
  Status MustRun(const std::string& what, const std::vector<std::string>& command);
  Status PgCtl(const std::vector<std::string>& arguments);

  Options options_;
  std::string bin_;
  std::string data_;
  std::string socket_dir_;
  std::string log_;
  std::string url_;
  std::optional<UnixUser> user_;  // who runs it where we are root
  bool taken_up_ = false;
};

}  // namespace baton
