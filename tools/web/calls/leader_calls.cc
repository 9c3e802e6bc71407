#include "tools/web/calls/leader_calls.h"

#include "tools/client/backoff.h"

namespace baton::web {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFirstWait(50);
constexpr std::chrono::milliseconds kMostWait(500);

}  // namespace

bool MayGoElsewhere(const grpc::Status& status) { return status.error_code() == grpc::StatusCode::UNAVAILABLE; }

struct LeaderCalls::Asked {
  Asked(boost::asio::io_context& loop, Question question_, bool streams_, OnAnswer done_)
      : question(std::move(question_)), streams(streams_), done(std::move(done_)), wait(loop) {}

  Question question;
  bool streams;
  OnAnswer done;
  boost::asio::steady_timer wait;
  Backoff backoff{kFirstWait, kMostWait};
  std::size_t tries = 0;
  std::string address;
  std::vector<MessagePtr> answers;
  std::unique_ptr<MessageCall> call;
};

LeaderCalls::LeaderCalls(boost::asio::io_context& loop, std::vector<std::string> addresses,
                         ClientCredentials credentials)
    : loop_(loop), addresses_(std::move(addresses)), credentials_(std::move(credentials)) {}

LeaderCalls::~LeaderCalls() { in_flight_->CancelAndWait(); }

void LeaderCalls::Ask(Question question, bool streams, OnAnswer done) {
  Try(std::make_shared<Asked>(loop_, std::move(question), streams, std::move(done)));
}

void LeaderCalls::Try(const std::shared_ptr<Asked>& asked) {
  ++asked->tries;
  asked->answers.clear();
  asked->address = addresses_.present();
  asked->call = Begin(
      {loop_, in_flight_}, Channel(), asked->question, asked->streams,
      [asked](MessagePtr answer) {
        asked->answers.push_back(std::move(answer));
        if (asked->call) asked->call->Next();
      },
      [this, asked](const Ending& ending) { OnTried(asked, ending); });
}

void LeaderCalls::OnTried(const std::shared_ptr<Asked>& asked, const Ending& ending) {
  const std::unique_ptr<MessageCall> over = std::move(asked->call);  // it holds `asked`
  if (!MayGoElsewhere(ending.status)) return asked->done(ending, std::move(asked->answers));
  bool named = false;
  if (asked->address == addresses_.present()) named = TryNext(ending.hints.leader);
  if (named || asked->tries % addresses_.count() != 0) return Try(asked);
  std::chrono::milliseconds wait = asked->backoff.Next();
  if (ending.hints.retry_after.count() > 0) wait = std::min(ending.hints.retry_after, kMostWait);
  if (SteadyClock::now() + wait >= asked->question.until) return asked->done(ending, {});
  asked->wait.expires_after(wait);
  asked->wait.async_wait([this, asked](const boost::system::error_code& fault) {
    if (!fault) Try(asked);
  });
}

std::unique_ptr<MessageCall> LeaderCalls::Follow(const Question& question, OnMessage message, OnEnd end) {
  return Begin({loop_, in_flight_}, Channel(), question, /*streams=*/true, std::move(message), std::move(end));
}

bool LeaderCalls::TryNext(const std::string& leader) {
  addresses_.Next(leader);
  return addresses_.named();
}

const std::shared_ptr<grpc::Channel>& LeaderCalls::Channel() {
  std::shared_ptr<grpc::Channel>& channel = channels_[addresses_.present()];
  if (!channel) channel = Dial(addresses_.present(), credentials_);
  return channel;
}

}  // namespace baton::web
