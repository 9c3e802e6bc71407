// The database to read: one at a URL, or the embedded PostgreSQL of a directory, which is started only for the reading
// where it does not run.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "orchestrator/base/result.h"
#include "sql/session/session.h"
#include "tools/definitions/options.h"
#include "tools/embedded_postgres/embedded_postgres.h"

namespace baton::definitions {

class Database {
 public:
  // UNAVAILABLE where it cannot be reached, with a sentence that holds no password; FAILED_PRECONDITION where the key file
  // is none, or the database is on another machine without TLS that proves who it is.
  static Result<std::unique_ptr<Database>> Open(const DefinitionsOptions& options);
  // Stops what Open started, unless another program uses it by now (a batond that was started meanwhile).
  ~Database();

  Session& session() { return *session_; }
  // For people: what libpq said, without the password. `url` is what was asked for, by `option`.
  static std::string Trouble(std::string_view said, const std::string& url, const std::string& option = "--database");

 private:
  Database() = default;
  bool SomebodyElseIsThere();

  Cipher cipher_;
  std::unique_ptr<EmbeddedPostgres> started_;  // by us; else nothing
  std::unique_ptr<Session> session_;
};

}  // namespace baton::definitions
