// Which of several batonds to ask: the one that took the last call, then whoever a standby names, then the others in turn.
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

  // The present one did not take it. `leader`: who does, by its word; empty: it did not say. A name is followed once, and
  // only to where somebody who may say so has sent us: the name is of the machine that says it, where a loopback address
  // means another process than here. Then the next in turn is asked, so that names of yesterday lead nobody round in circles.
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
