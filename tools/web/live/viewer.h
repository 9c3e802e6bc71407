// One page's stream of server-sent events.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tools/http/exchange.h"

namespace baton::web {

class Viewer {
 public:
  Viewer(http::ExchangePtr exchange, std::string id, std::size_t behind_most)
      : exchange_(std::move(exchange)), id_(std::move(id)), behind_most_(behind_most) {}

  const std::string& id() const { return id_; }
  // `data` has no line end in it. `sequence`: of the newest event that is in it.
  void Send(const std::string& event, const std::string& data, std::int64_t sequence) {
    exchange_->Write("id: " + std::to_string(sequence) + "\nevent: " + event + "\ndata: " + data + "\n\n");
    quiet_ = 0;
  }
  // A line that means nothing, where nothing was sent for `ticks` calls.
  void KeepAlive(int ticks) {
    if (++quiet_ < ticks) return;
    quiet_ = 0;
    exchange_->Write(":\n\n");
  }
  // It takes less than it is sent.
  bool Behind() const { return exchange_->Behind() > behind_most_; }
  void End() { exchange_->End(); }

 private:
  http::ExchangePtr exchange_;
  std::string id_;
  std::size_t behind_most_;
  int quiet_ = 0;
};

}  // namespace baton::web
