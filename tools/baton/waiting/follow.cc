#include "tools/baton/waiting/follow.h"

#include "tools/baton/outcome.h"
#include "tools/baton/views/describe.h"
#include "tools/baton/views/explain.h"
#include "tools/baton/waiting/display.h"
#include "tools/baton/waiting/roll_stream.h"
#include "tools/baton/waiting/waiting.h"
#include "tools/client/backoff.h"

namespace baton::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kRedraw{1000};
constexpr milliseconds kFirstFollowWait{100};
constexpr milliseconds kLongestFollowWait{2000};

class Follower {
 public:
  Follower(Session& session, std::string roll_id)
      : session_(session), roll_id_(std::move(roll_id)), display_(MakeDisplay(session)) {}

  int Run() {
    while (!Over()) {
      RollStream stream(session_.api.connection(), Request());
      const grpc::Status end = ReadAll(stream);
      if (!Over()) BreakOff(end, stream.leader());
    }
    display_->End(watched_);
    return ExitOf(watched_.roll().state());
  }

 private:
  bool Over() const { return watched_.known() && IsOver(watched_.roll().state()); }

  v2::WatchRollRequest Request() const {
    v2::WatchRollRequest request;
    request.set_roll_id(roll_id_);
    request.set_after_sequence(watched_.after_sequence());
    return request;
  }

  // How the stream ended; OK where it is the roll that did.
  grpc::Status ReadAll(RollStream& stream) {
    while (true) {
      if (TimeIsUp(session_)) GiveUp();
      if (const auto answer = stream.Next(session_.api.connection().Left(kRedraw))) {
        const auto news = watched_.Take(*answer);
        display_->Show(watched_, *answer, news);
        last_word_ = Clock::now();
        away_.clear();
        backoff_.Reset();
        if (Over()) return grpc::Status::OK;
      } else if (const auto ended = stream.Ended()) {
        return *ended;
      } else {
        display_->Tick(watched_, false);
      }
    }
  }

  void BreakOff(const grpc::Status& end, const std::string& leader) {
    Connection& connection = session_.api.connection();
    const bool worth = end.ok() || IsUnreachable(end) || end.error_code() == grpc::StatusCode::CANCELLED;
    if (!worth) throw FailureOf(end, "roll " + roll_id_, connection.options());
    const std::chrono::duration<double> silent = Clock::now() - last_word_;
    if (silent.count() > session_.arguments.reconnect_s) {
      throw Failure(kUnreachable, "no batond told of roll " + roll_id_ + " for " +
                                      std::to_string(static_cast<int>(silent.count())) + " s (" + end.error_message() +
                                      "): is batond running? The roll goes on without anybody watching");
    }
    away_ = FailureOf(end, "roll " + roll_id_, connection.options()).what();
    display_->Tick(watched_, true);
    if (!connection.TryNextAddress(leader)) std::this_thread::sleep_for(connection.Left(backoff_.Next()));
  }

  [[noreturn]] void GiveUp() {
    const v2::Roll& roll = watched_.roll();
    const std::string progress = watched_.known() ? EndLine(roll, session_.io.now()) : "";
    const std::string what = "roll " + roll_id_ + (watched_.known() ? " of app " + roll.process_guid() : "");
    EndUndone(session_, {what, progress, away_, [&] {
                           return Explain(ReadExplanation(session_, roll_id_), roll.process_guid(), session_.io.now());
                         }});
  }

  Session& session_;
  std::string roll_id_;
  std::unique_ptr<Display> display_;
  WatchedRoll watched_;
  Backoff backoff_{kFirstFollowWait, kLongestFollowWait};
  Clock::time_point last_word_ = Clock::now();
  std::string away_;  // why the last stream broke off; empty: something came since
};

}  // namespace

int FollowRoll(Session& session, const std::string& roll_id) { return Follower(session, roll_id).Run(); }

}  // namespace baton::cli
