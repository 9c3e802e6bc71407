// An instance of an app, as small as can be: answers every request with its name, and keeps connections alive.
// "/slow/MS" takes that long; "/headers" answers with the request's head; an Upgrade becomes a tunnel that echoes.
#pragma once

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <thread>

#include "orchestrator/base/unique_fd.h"

namespace baton::router {

class HttpInstance {
 public:
  explicit HttpInstance(std::string name);
  ~HttpInstance() { Stop(); }
  HttpInstance(const HttpInstance&) = delete;
  HttpInstance& operator=(const HttpInstance&) = delete;

  const std::string& name() const { return name_; }
  std::uint32_t port() const { return port_; }
  int requests() const { return requests_; }  // begun
  int running() const { return running_; }    // begun and not answered

  // As a stopped process: the listener and all connections go at once.
  void Stop();

 private:
  void Accept();
  void Serve(int fd);
  bool Answer(int fd, const std::string& head);

  std::string name_;
  std::uint32_t port_ = 0;
  UniqueFd listener_;
  std::atomic<int> requests_{0};
  std::atomic<int> running_{0};
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::list<UniqueFd> connections_;
  std::list<std::thread> threads_;
  std::thread accepting_;
};

}  // namespace baton::router
