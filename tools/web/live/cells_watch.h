// All cells, asked for every two seconds while a page shows them.
#pragma once

#include <chrono>
#include <memory>

#include "tools/web/calls/leader_calls.h"
#include "tools/web/live/shared_text.h"

namespace baton::web {

class CellsWatch : public std::enable_shared_from_this<CellsWatch> {
 public:
  using Time = std::chrono::steady_clock::time_point;

  CellsWatch(LeaderCalls& calls, bool certificate) : calls_(calls), certificate_(certificate) {}
  void Step(Time now);
  const std::shared_ptr<SharedText>& text() const { return text_; }

 private:
  LeaderCalls& calls_;
  bool certificate_;
  std::shared_ptr<SharedText> text_ = std::make_shared<SharedText>();
  bool asking_ = false;
  Time asked_{};
};

}  // namespace baton::web
