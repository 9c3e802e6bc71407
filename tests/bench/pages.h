// Pages that are open: streams of baton-web whose words are taken and thrown away, as a browser takes them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "orchestrator/base/unique_fd.h"

namespace baton::bench {

class Pages {
 public:
  // `count` pages that look at the first 200 apps by guid; returns when each has had its first window.
  Pages(int port, int count);
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  // How often that event has come, over all pages: "window", "patch", "away", "back".
  std::int64_t Count(const std::string& event);
  // When it had come so often; fails the run where it does not in time.
  std::chrono::steady_clock::time_point Await(const std::string& event, std::int64_t count,
                                              std::chrono::seconds timeout = std::chrono::seconds(60));
  // Of the newest window: how many apps there are.
  std::int64_t total();

 private:
  struct Page {
    UniqueFd fd;
    std::string rest;   // a line that has not ended
    std::string event;  // that its last line began
  };
  void Read();
  void Take(Page& page, const std::string& line);

  std::vector<Page> pages_;
  UniqueFd stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::pair<std::int64_t, std::chrono::steady_clock::time_point>> seen_;  // how often, last when
  std::int64_t total_ = 0;
  std::thread thread_;
};

}  // namespace baton::bench
