// Which of several batonds to ask: the one that took the last call, then the leader that a standby names, then the
// others in turn.
#pragma once

#include <string>
#include <vector>

namespace baton {

class Addresses {
 public:
  // HOST:PORT each; at least one.
  explicit Addresses(std::vector<std::string> given) : given_(std::move(given)) {}

  const std::string& present() const { return given_[at_]; }
  std::size_t count() const { return given_.size(); }

  // The present one refused the call. `leader`: the leader that it names; empty: none. A name is followed once. A
  // loopback name counts only from a batond on this machine: on another machine it means another process. Then the next
  // in turn is asked, so that outdated names cannot form a cycle.
  void Next(const std::string& leader = {});
  bool Knows(const std::string& address) const;
  // One more, which the caller is sure of.
  void Add(std::string address) { given_.push_back(std::move(address)); }
  // The present one was named: no need to wait before it is asked.
  bool named() const { return named_; }

 private:
  std::vector<std::string> given_;
  std::size_t at_ = 0;
  bool named_ = false;
};

}  // namespace baton
