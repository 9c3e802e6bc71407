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
  // The next COMMIT, and no other. `bytes` of the answer to a kAfter are passed on before.
  void CutNext(Cut cut, int bytes = 0) {
    bytes_ = bytes;
    passed_all_ = false;
    cut_ = cut;
  }
  bool cut() const { return cut_ == Cut::kNone; }
  // The answer was no longer than that.
  bool passed_all() const { return passed_all_; }

 private:
  class Connection;
  void Accept();

  const std::string statement_;
  std::string dir_;
  std::string server_path_;
  std::string url_;
  std::atomic<int> bytes_{0};
  std::atomic<bool> passed_all_{false};
  std::atomic<Cut> cut_{Cut::kNone};
  std::atomic<bool> stopping_{false};
  UniqueFd listener_;
  std::list<std::thread> connections_;
  std::thread acceptor_;
};

}  // namespace baton
