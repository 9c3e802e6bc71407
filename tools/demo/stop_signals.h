// SIGINT, SIGTERM and SIGHUP as a stop token. Made before any other thread, so that all inherit the mask.
#pragma once

#include <stop_token>
#include <thread>

#include "orchestrator/base/unique_fd.h"

namespace baton::demo {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  // Until one comes, or a line on stdin, if that is listened to.
  void Wait(bool also_for_enter) const;

 private:
  void Listen();

  std::stop_source source_;
  UniqueFd signals_;
  UniqueFd stopped_;  // an eventfd, readable after a signal
  UniqueFd leaving_;  // an eventfd, readable when this object goes
  std::thread thread_;
};

}  // namespace baton::demo
