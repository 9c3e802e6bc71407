// Calls to batond, to whichever leads: a refused call goes to the leader that a standby names, then to the other
// addresses, then, after a while, around again. So a page outlives a failover.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/client/addresses.h"
#include "tools/client/channel.h"
#include "tools/web/calls/message_call.h"

namespace baton::web {

class LeaderCalls {
 public:
  LeaderCalls(boost::asio::io_context& loop, std::vector<std::string> addresses, ClientCredentials credentials);
  // Ends what is under way; the loop does not run any more.
  ~LeaderCalls();
  LeaderCalls(const LeaderCalls&) = delete;
  LeaderCalls& operator=(const LeaderCalls&) = delete;

  // A call under way; it goes on without who asked, until it ends.
  using OnAnswer = std::function<void(Ending, std::vector<MessagePtr> answers)>;
  // Tried again while batond cannot be reached, until `question.until`; it must be safe to repeat. Of a stream all of
  // it comes at once: one that breaks off is asked anew.
  void Ask(Question question, bool streams, OnAnswer done);

  // One try of a stream whose messages come one by one, at the present address.
  std::unique_ptr<MessageCall> Follow(const Question& question, OnMessage message, OnEnd end);
  // The stream at the present address was refused, or broke off: the next one is asked. True: it was named as the
  // leader.
  bool TryNext(const std::string& leader);

  boost::asio::io_context& loop() { return loop_; }
  const std::string& address() const { return addresses_.present(); }
  std::size_t count() const { return addresses_.count(); }

 private:
  struct Asked;
  void Try(const std::shared_ptr<Asked>& asked);
  void OnTried(const std::shared_ptr<Asked>& asked, const Ending& ending);
  const std::shared_ptr<grpc::Channel>& Channel();

  boost::asio::io_context& loop_;
  std::shared_ptr<InFlight> in_flight_ = std::make_shared<InFlight>();
  Addresses addresses_;
  ClientCredentials credentials_;
  std::map<std::string, std::shared_ptr<grpc::Channel>> channels_;  // made when first needed
};

// UNAVAILABLE: another batond, or the same one later, may take the call.
bool MayGoElsewhere(const grpc::Status& status);

}  // namespace baton::web
