// Which of several batonds to ask: the one that took the last call, then whoever a standby names, then the others in turn.
#pragma once

#include <string>
#include <vector>

namespace baton {

class Addresses {
 public:
  // HOST:PORT each; at least one.
  explicit Addresses(std::vector<std::string> given) : given_(std::move(given)) {}

  const std::string& present() const { return named_.empty() ? given_[at_] : named_; }
  std::size_t count() const { return given_.size(); }

  // The present one did not take it. `leader`: who does, by its word; empty: it did not say. A name is followed once,
  // whether or not it is among the given ones; then the next in turn is asked, so that names of yesterday lead nobody
  // round in circles.
  void Next(const std::string& leader = {});
  // The present one was named: no need to wait before it is asked.
  bool named() const { return !named_.empty(); }

 private:
  std::vector<std::string> given_;
  std::size_t at_ = 0;
  std::string named_;  // in place of the one in turn
};

}  // namespace baton
