// An embedded PostgreSQL under watch: one that dies is started again.
#pragma once

#include <memory>
#include <string>

#include "orchestrator/base/ticker.h"
#include "orchestrator/ports/log.h"
#include "tools/embedded_postgres/embedded_postgres.h"

namespace baton::batond {

class WatchedPostgres {
 public:
  static Result<std::unique_ptr<WatchedPostgres>> Start(const std::string& dir, Log& log);
  // Stops it cleanly.
  ~WatchedPostgres();

  // As what batond is in service, as what it makes and migrates the data, and as who makes these roles and does nothing else.
  std::string url() const { return postgres_->UrlOf("baton_service"); }
  std::string owner_url() const { return postgres_->UrlOf("baton_migrator"); }
  const std::string& superuser_url() const { return postgres_->url(); }

 private:
  WatchedPostgres(std::unique_ptr<EmbeddedPostgres> postgres, Log& log);
  Ticker::Wait Look();

  std::unique_ptr<EmbeddedPostgres> postgres_;
  Log& log_;
  Ticker ticker_;
};

}  // namespace baton::batond
