// Leader search for clients with a stream to it (cells, routers): which address to try next, and how long to wait
// before.
#pragma once

#include <algorithm>
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
  // `most`: between two tries while no batond answers.
  LeaderSearch(std::vector<std::string> addresses, Milliseconds most)
      : addresses_(std::move(addresses)), backoff_(Milliseconds(100), most) {}

  const std::string& address() const { return addresses_.present(); }
  // The present one took the stream.
  void Found();
  // It did not, or ended it: moves on, and says how long to wait. Whom it names is asked at once. One that says when to ask
  // again is asked again then, give or take, some times: it stands by, and leads or knows the leader soon. Who did not
  // answer just now is asked at once when it is named, too: mostly its stream was only cut. If it does not answer then, it
  // may have died while its lease runs on: until it is asked next, it has to be named once, then twice, four times and so on.
  Milliseconds Lost(const Hints& hints);
  // How long the present one may take to answer, where `usual` is what one gets: less where it did not answer just now.
  Milliseconds Patience(Milliseconds usual) const { return again_ ? std::min(usual, kAgainPatience) : usual; }

 private:
  static constexpr Milliseconds kAgainPatience{2000};

  Addresses addresses_;
  Backoff backoff_;
  int stayed_ = 0;
  std::string silent_;     // the last address that did not answer
  int named_ = 0;          // how often it was since it was asked last
  int named_before_ = 0;   // how often it is to be before it is asked next
  bool again_ = false;     // the present one is it
  std::mt19937_64 random_{std::random_device{}()};
};

}  // namespace baton
