// baton logs: what an instance wrote; but for what would do something to a terminal, unless `--raw`.
#include <thread>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/command_line/terminal_filter.h"

namespace baton::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLogsPollInterval{500};

class Tail {
 public:
  explicit Tail(Session& session) : session_(session) {
    request_.set_process_guid(session.arguments.guid);
    request_.set_index(session.arguments.index);
    request_.set_lines(session.arguments.tail);
  }

  int Run() {
    Take(session_.api.Ask<v2::ActualLRPs>(what_, kMethod, request_));
    while (session_.arguments.follow) {
      if (!more_) std::this_thread::sleep_for(kLogsPollInterval);
      if (!Next()) return kDone;
    }
    return kDone;
  }

 private:
  static constexpr auto kMethod = &v2::ActualLRPs::Stub::ReadOutput;

  // False: nothing more can come.
  bool Next() {
    try {
      const auto answer = session_.api.Find<v2::ActualLRPs>(what_, kMethod, request_);
      last_word_ = Clock::now();
      if (answer) {
        Take(*answer);
        return true;
      }
    } catch (const Failure& failure) {
      // The cell, batond or the slot's next start may come back.
      const std::chrono::duration<double> silent = Clock::now() - last_word_;
      if (silent.count() > session_.arguments.reconnect_s) throw;
      more_ = false;
      return true;
    }
    if (request_.instance_guid().empty()) return Say("the slot has no instance any more"), false;
    Say("instance " + request_.instance_guid() + " is over: what comes now is of the next one in its slot");
    request_.clear_instance_guid();
    request_.clear_after();
    request_.set_lines(kLinesOfANewOne);
    more_ = true;
    return true;
  }

  void Take(const v2::ReadOutputResponse& answer) {
    if (answer.lost()) Say("some output is lost: it was written faster than it was read");
    session_.io.out << (session_.arguments.raw ? answer.output() : filter_.Pass(answer.output())) << std::flush;
    request_.set_instance_guid(answer.instance_guid());
    request_.set_after(answer.place());
    more_ = answer.more();
  }

  void Say(const std::string& sentence) { session_.io.err << "baton: " << sentence << "\n" << std::flush; }

  static constexpr int kLinesOfANewOne = 10'000;

  Session& session_;
  const std::string what_ = "output of app " + session_.arguments.guid;
  v2::ReadOutputRequest request_;
  TerminalFilter filter_;
  bool more_ = false;
  Clock::time_point last_word_ = Clock::now();
};

}  // namespace

int Logs(Session& session) { return Tail(session).Run(); }

}  // namespace baton::cli
