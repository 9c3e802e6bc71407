// A PostgreSQL that is durable, as in earnest: fsync is what a commit costs. It is the bench's own, or a database of
// its own on a server that was given.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/embedded_postgres/embedded_postgres.h"

namespace baton::bench {

// Its database is migrated; all of it is gone with it.
class DurablePostgres {
 public:
  // Of all that are made from here on: more of postgresql.conf, "NAME=VALUE".
  static void SetSettings(std::vector<std::string> settings);
  // Of all that are made from here on: a database on this server in place of a server. `url`: what libpq takes, of a
  // superuser.
  static void SetServer(std::string url);
  explicit DurablePostgres(std::vector<std::string> settings = {});
  ~DurablePostgres();
  const std::string& url() const { return url_; }
  // Of its first process; nothing where it runs on another machine.
  std::optional<pid_t> pid() const;
  // What SHOW says.
  std::string Setting(const std::string& name) const;
  // What a database that has been there for a while has done by itself.
  void Vacuum();
  // CHECKs that it did what it was told.
  void Sql(const std::string& script);

 private:
  std::string FirstField(const std::string& query) const;

  std::string dir_;  // empty: it is on a server that was given
  std::string url_;
  std::unique_ptr<EmbeddedPostgres> postgres_;
};

// On any database, without a timeout.
void RunSql(const std::string& url, const std::string& script);
void VacuumAll(const std::string& url);

}  // namespace baton::bench
