// The smallest HTTP server that a test can ask: answers what was put under a path and counts the requests.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "tools/system/unique_fd.h"

namespace baton::testing {

class HttpServer {
 public:
  HttpServer();
  ~HttpServer();

  void Put(const std::string& path, const std::string& body, int status = 200);
  // Does not say beforehand how long it is.
  void PutOfUnknownLength(const std::string& path, const std::string& body);
  void Redirect(const std::string& path, const std::string& to);
  std::string Url(const std::string& path) const;
  int requests() const { return requests_; }

 private:
  struct Answer {
    std::string body;
    int status = 200;
    std::string header = {};  // instead of the length
  };
  void Serve();
  void AnswerOne(int connection);

  UniqueFd listener_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::map<std::string, Answer> answers_;
  std::atomic<int> requests_ = 0;
  std::thread thread_;
};

}  // namespace baton::testing
