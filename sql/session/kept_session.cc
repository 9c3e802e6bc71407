#include "sql/session/kept_session.h"

#include <algorithm>

#include "orchestrator/base/errors.h"

namespace baton {

Result<Session*> KeptSession::Get() {
  if (session_ && !session_->Ended()) return session_.get();
  session_.reset();
  if (std::chrono::steady_clock::now() >= next_try_) {
    auto opened = Session::Open(url_, cipher_, plans_);
    if (opened) {
      wait_ = Duration(0);
      session_ = *std::move(opened);
      return session_.get();
    }
    why_ = opened.error().message;
    wait_ = std::clamp(wait_ * 2, kWaitMin, kWaitMax);
    next_try_ = std::chrono::steady_clock::now() + wait_;
  }
  return DatabaseAway();
}

}  // namespace baton
