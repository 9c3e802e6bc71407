// A connection that is kept, and reopened after it broke, or where its server has closed it since it was used last:
// what is asked of it then is not what learns that. After a failure callers get the same error for a while without a
// new attempt, so that a PostgreSQL without free connections is spared. The while grows.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "orchestrator/base/result.h"
#include "sql/session/session.h"

namespace baton {

class KeptSession {
 public:
  // The wait after a failure to connect: the first one, and what it grows to.
  static constexpr Duration kWaitMin = milliseconds(200);
  static constexpr Duration kWaitMax = seconds(1);

  KeptSession(std::string url, const Cipher& cipher, Session::Plans plans = Session::Plans::kAny)
      : url_(std::move(url)), cipher_(cipher), plans_(plans) {}

  // UNAVAILABLE where PostgreSQL does not answer, or did not just now: no caller waits for the next try. Of one thread.
  // The error is for callers of the API: libpq's words name hosts and users, and are in `why`.
  Result<Session*> Get();
  // Until it is asked for again.
  void Close() { session_.reset(); }
  // Of the last failure, for the log.
  const std::string& why() const { return why_; }

 private:
  const std::string url_;
  const Cipher& cipher_;
  const Session::Plans plans_;
  std::unique_ptr<Session> session_;
  Duration wait_{0};
  std::chrono::steady_clock::time_point next_try_{};
  std::string why_;
};

}  // namespace baton
