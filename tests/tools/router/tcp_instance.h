// An instance behind a TCP route: says its name and a line's end to each connection, then echoes.
#pragma once

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <thread>

#include "orchestrator/base/unique_fd.h"

namespace baton::router {

class TcpInstance {
 public:
  explicit TcpInstance(std::string name);
  ~TcpInstance();
  TcpInstance(const TcpInstance&) = delete;
  TcpInstance& operator=(const TcpInstance&) = delete;

  const std::string& name() const { return name_; }
  std::uint32_t port() const { return port_; }

 private:
  void Accept();
  void Serve(int fd) const;

  std::string name_;
  std::uint32_t port_ = 0;
  UniqueFd listener_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::list<UniqueFd> connections_;
  std::list<std::thread> threads_;
  std::thread accepting_;
};

}  // namespace baton::router
