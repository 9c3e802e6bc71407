// A transaction that goes on when it is told to, and writes events.
#pragma once

#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "sql/session/session.h"
#include "tests/fakes/pg_fixture.h"

namespace baton {

class OpenWriter {
 public:
  explicit OpenWriter(const std::string& url) : session_(OpenSession(url)) {
    thread_ = std::async(std::launch::async, [this] {
      (void)session_->Transact(Session::Isolation::kReadCommitted, [this](Session& s) {
        for (;;) {
          std::string sql = Next();
          if (sql == "COMMIT" || sql == "ROLLBACK") return sql == "COMMIT";
          s.RunScript(sql);
          ran_.set_value();
        }
      });
    });
  }
  ~OpenWriter() {
    if (thread_.valid()) Finish("ROLLBACK");
  }
  void Run(const std::string& sql) {
    ran_ = std::promise<void>();
    Give(sql);
    ran_.get_future().wait();
  }
  void Write(const std::string& kind, const std::string& guid = "") {
    Run("INSERT INTO events (at, kind, process_guid, incarnation, payload) VALUES (now(), '" + kind + "', '" + guid +
        "', 0, '')");
  }
  void Finish(const std::string& how) {
    Give(how);
    thread_.get();
  }

 private:
  std::string Next() {
    std::unique_lock lock(mutex_);
    given_.wait(lock, [this] { return !sql_.empty(); });
    return std::exchange(sql_, {});
  }
  void Give(const std::string& sql) {
    const std::lock_guard lock(mutex_);
    sql_ = sql;
    given_.notify_all();
  }

  std::unique_ptr<Session> session_;
  std::mutex mutex_;
  std::condition_variable given_;
  std::string sql_;
  std::promise<void> ran_;
  std::future<void> thread_;
};

}  // namespace baton
