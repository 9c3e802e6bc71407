// The one subscription to batond's events, whatever the number of pages: a snapshot, then what changes, resumed at the
// next leader.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "baton/v2/events_service.pb.h"
#include "tools/client/backoff.h"
#include "tools/web/calls/leader_calls.h"
#include "tools/web/who/person.h"

namespace baton::web {

class Feed {
 public:
  struct Listener {
    std::function<void()> snapshot;  // a new one begins
    std::function<void(const v2::SubscribeResponse&)> told;
    std::function<void(const std::string& why)> away;  // nobody leads, or none can be reached
    std::function<void()> back;
  };

  Feed(LeaderCalls& calls, bool certificate, Listener listener);
  void Start() { Connect(); }
  void Stop();

 private:
  void Connect();
  void Told(const MessagePtr& message);
  void Ended(const Ending& ending);
  // Nothing came for so long: the connection is dead, or batond is.
  void Watch();

  LeaderCalls& calls_;
  bool certificate_;
  Listener listener_;
  boost::asio::steady_timer wait_;
  boost::asio::steady_timer silence_;
  Backoff backoff_;
  std::unique_ptr<MessageCall> call_;
  std::size_t tries_ = 0;
  std::int64_t sequence_ = -1;  // resumed behind it; -1: a snapshot is asked for
  bool whole_ = false;          // the snapshot has come to its end
  bool away_ = true;
  bool stopped_ = false;
};

}  // namespace baton::web
