// Detects callers that begin calls only to cancel them (rapid reset, CVE-2023-44487). gRPC allocates 20 KB for each
// before it sees the cancel, faster than it frees them, and gRPC 1.51 has no limit of its own.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace baton::bounds {

inline constexpr std::chrono::seconds kRapid{1};         // from a call's begin to its being cancelled
// A caller's own clock runs ahead of what the server is told, which is rounded up, and was under way.
inline constexpr std::chrono::milliseconds kAtDeadline{100};
inline constexpr std::chrono::seconds kCancelsWindow{10};

class RapidCancels {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `most`: of a peer within a window.
  explicit RapidCancels(int most) : most_(most) {}

  // A call of `peer` was cancelled so soon. True once a window, where that is one too many.
  bool Note(const std::string& peer, Time now);
  int most() const { return most_; }

 private:
  struct Window {
    Time began;
    int count = 0;
  };
  const int most_;
  std::mutex mutex_;
  std::map<std::string, Window> peers_;
};

}  // namespace baton::bounds
