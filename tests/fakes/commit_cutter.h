// Stands between libpq and PostgreSQL and cuts the connection at a COMMIT: before it arrives, or after it was done and
// before its answer is back. From the client's side the two look the same: in doubt.
#pragma once

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <thread>

#include "orchestrator/base/unique_fd.h"

namespace baton {

class CommitCutter {
 public:
  // `url`: of the test cluster, which listens on a unix socket. Only transactions that ran the statement of this name
  // (sql/statements/*.sql) are cut.
  CommitCutter(const std::string& url, std::string statement);
  ~CommitCutter();

  // The same database, by way of here.
  const std::string& url() const { return url_; }

  enum class Cut { kNone, kBefore, kAfter };
  // The next COMMIT, and no other.
  void CutNext(Cut cut) { cut_ = cut; }
  bool cut() const { return cut_ == Cut::kNone; }

 private:
  class Connection;
  void Accept();

  const std::string statement_;
  std::string dir_;
  std::string server_path_;
  std::string url_;
  std::atomic<Cut> cut_{Cut::kNone};
  std::atomic<bool> stopping_{false};
  UniqueFd listener_;
  std::list<std::thread> connections_;
  std::thread acceptor_;
};

}  // namespace baton
