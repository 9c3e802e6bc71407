// How who keeps a stream to the leader (cells, routers) finds him again: whom to ask next, and how long to wait before.
#pragma once

#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "tools/client/addresses.h"
#include "tools/client/backoff.h"
#include "tools/client/hints.h"

namespace baton {

class LeaderSearch {
 public:
  using Milliseconds = std::chrono::milliseconds;
  // `most`: between two tries where nobody answers.
  LeaderSearch(std::vector<std::string> addresses, Milliseconds most)
      : addresses_(std::move(addresses)), backoff_(Milliseconds(100), most) {}

  const std::string& address() const { return addresses_.present(); }
  // The present one took the stream.
  void Found();
  // It did not, or ended it: moves on, and says how long to wait. Whom it names is asked at once. One that says when to ask
  // again is asked again then, give or take, some times: it stands by, and leads or knows the leader soon. So it is where it
  // names who did not answer just now: that one may have died while its lease runs on. Named again and again, it is asked
  // again all the same: it was only away for a moment.
  Milliseconds Lost(const Hints& hints);

 private:
  Addresses addresses_;
  Backoff backoff_;
  int stayed_ = 0;
  int passed_over_ = 0;
  std::string silent_;  // who did not answer, the last time that somebody did not
  std::mt19937_64 random_{std::random_device{}()};
};

}  // namespace baton
