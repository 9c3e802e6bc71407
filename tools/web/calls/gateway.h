// baton.v2 for callers that speak JSON over HTTP: the Connect protocol's unary calls, and streams of answers a line
// each.
#pragma once

#include <memory>
#include <string>

#include "tools/http/exchange.h"
#include "tools/web/calls/leader_calls.h"
#include "tools/web/calls/methods.h"
#include "tools/web/who/person.h"

namespace baton::web {

class Gateway {
 public:
  static constexpr int kStreamsMost = 50;

  // All of them outlive it. `certificate`: of role web, shown to batond.
  Gateway(const Methods& methods, LeaderCalls& calls, bool certificate)
      : methods_(methods), calls_(calls), certificate_(certificate) {}

  // `name`: what stands behind /api/ in the path.
  void Call(const std::string& name, const Person& person, const http::ExchangePtr& exchange,
            const http::Request& request);

 private:
  struct Relay;
  void AskOnce(Question question, const http::ExchangePtr& exchange);
  void Stream(Question question, const http::ExchangePtr& exchange);
  void Follow(const std::shared_ptr<Relay>& relay);
  void FollowElsewhere(const std::shared_ptr<Relay>& relay, bool at_once);
  static void NextWhenTaken(const std::shared_ptr<Relay>& relay);

  const Methods& methods_;
  LeaderCalls& calls_;
  bool certificate_;
  std::shared_ptr<int> streams_ = std::make_shared<int>(0);  // under way
};

// As protobuf maps it, with the names of the .proto files.
std::string MessageJson(const google::protobuf::Message& message);

}  // namespace baton::web
