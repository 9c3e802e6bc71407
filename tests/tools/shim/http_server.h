// The smallest HTTP server that a test can ask: answers what was put under a path and counts the requests.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "orchestrator/base/unique_fd.h"

namespace baton::testing {

class HttpServer {
 public:
  explicit HttpServer(const std::string& address = "127.0.0.1");
  ~HttpServer();

  void Put(const std::string& path, const std::string& body, int status = 200);
  // Does not say beforehand how long it is.
  void PutOfUnknownLength(const std::string& path, const std::string& body);
  void Redirect(const std::string& path, const std::string& to);
  std::string Url(const std::string& path) const;
  int requests() const { return requests_; }
  std::uint16_t port() const { return port_; }
  // Whose process asked last, as the kernel has it.
  long last_uid() const { return last_uid_; }

 private:
  struct Answer {
    std::string body;
    int status = 200;
    std::string header = {};  // instead of the length
  };
  void Serve();
  void AnswerOne(int connection);

  const std::string address_;
  UniqueFd listener_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::map<std::string, Answer> answers_;
  std::atomic<int> requests_ = 0;
  std::atomic<long> last_uid_ = -1;
  std::thread thread_;
};

}  // namespace baton::testing
