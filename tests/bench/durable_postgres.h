// A PostgreSQL that is durable, as in earnest: fsync is what a commit costs.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "tools/embedded_postgres/embedded_postgres.h"

namespace baton::bench {

// Its database is migrated; all of it is gone with it.
class DurablePostgres {
 public:
  // Of all that are made from here on: more of postgresql.conf, "NAME=VALUE".
  static void SetSettings(std::vector<std::string> settings);
  explicit DurablePostgres(std::vector<std::string> settings = {});
  ~DurablePostgres();
  const std::string& url() const { return postgres_->url(); }
  pid_t pid() const;  // of its first process
  // What a database that has been there for a while has done by itself.
  void Vacuum();
  // CHECKs that it did what it was told.
  void Sql(const std::string& script);

 private:
  std::string dir_;
  std::unique_ptr<EmbeddedPostgres> postgres_;
};

}  // namespace baton::bench
