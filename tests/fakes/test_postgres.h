// A PostgreSQL of a test's own, without fsync: what a process that is killed has written is in the kernel's hands, and
// stays. It can die before a statement, and is there again when the statement comes.
#pragma once

#include <memory>
#include <string>

namespace baton {

class EmbeddedPostgres;

class TestPostgres {
 public:
  TestPostgres();
  ~TestPostgres();
  TestPostgres(const TestPostgres&) = delete;
  TestPostgres& operator=(const TestPostgres&) = delete;

  // The url of a new database: empty, or with all that the one at `like` has, but for what is set for the database (ALTER ROLE
  // ... IN DATABASE ... SET). Nobody may be connected to that.
  std::string NewDatabase(const std::string& like = {});
  // The url of one that is migrated, to be copied.
  std::string migrated() const;

  // Dies, and is started again, before the n-th statement or COMMIT from now on, of all sessions of this process.
  void DieBefore(int n);
  // No more of it; whether it has died.
  bool StopDying();

 private:
  struct Death;
  std::string dir_;
  std::unique_ptr<EmbeddedPostgres> postgres_;
  std::shared_ptr<Death> death_;
  int databases_ = 0;
};

}  // namespace baton
