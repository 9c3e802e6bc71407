#include <thread>

#include "baton/v2/events_service.grpc.pb.h"
#include "tools/baton/connection.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/views/events_view.h"
#include "tools/client/backoff.h"
#include "tools/client/hints.h"

namespace baton::cli {
namespace {

using Clock = std::chrono::steady_clock;

class Listener {
 public:
  explicit Listener(Session& session) : session_(session), arguments_(session.arguments) {
    if (arguments_.after >= 0) after_ = arguments_.after;
    if (after_ < 0 && !arguments_.follow) after_ = 0;  // what is kept, and no more
  }

  int Run() {
    for (;;) {
      grpc::ClientContext context;
      session_.api.connection().Prepare(context);
      const auto stub = v2::Events::NewStub(session_.api.connection().channel());
      const auto stream = stub->Subscribe(&context, Request());
      for (v2::SubscribeResponse answer; stream->Read(&answer);) {
        Take(answer);
        if (!answer.caught_up() || arguments_.follow) continue;
        context.TryCancel();
        (void)stream->Finish();
        return kDone;
      }
      const grpc::Status end = stream->Finish();
      BreakOff(end, HintsIn(context).leader);
    }
  }

 private:
  v2::SubscribeRequest Request() const {
    v2::SubscribeRequest request;
    request.set_process_guid(arguments_.app);
    request.set_domain(arguments_.domain);
    request.set_cell_id(arguments_.cell);
    request.mutable_kinds()->Add(arguments_.kinds.begin(), arguments_.kinds.end());
    if (after_ >= 0) request.set_after_sequence(after_);
    return request;
  }

  void Take(const v2::SubscribeResponse& answer) {
    for (const v2::Event& event : answer.events()) {
      session_.io.out << (arguments_.output == Output::kJson ? EventJson(event) : EventLine(event)) << "\n";
    }
    session_.io.out << std::flush;
    after_ = answer.sequence();
    last_word_ = Clock::now();
    backoff_.Reset();
  }

  // Resumes at the current leader where the stream broke off. Reports it if it cannot be resumed.
  void BreakOff(const grpc::Status& end, const std::string& leader) {
    Connection& connection = session_.api.connection();
    const bool worth = end.ok() || IsUnreachable(end) || end.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED ||
                       end.error_code() == grpc::StatusCode::CANCELLED;
    const std::chrono::duration<double> silent = Clock::now() - last_word_;
    const double call_s = static_cast<double>(arguments_.timeout_ms) / 1000;
    const double patience = arguments_.follow ? arguments_.reconnect_s : call_s;
    if (!worth || silent.count() > patience) throw FailureOf(end, "events", connection.options());
    if (!connection.TryNextAddress(leader)) std::this_thread::sleep_for(backoff_.Next());
  }

  Session& session_;
  const Arguments& arguments_;
  std::int64_t after_ = -1;  // negative: from now
  Backoff backoff_{std::chrono::milliseconds(100), std::chrono::milliseconds(2000)};
  Clock::time_point last_word_ = Clock::now();
};

}  // namespace

int Events(Session& session) { return Listener(session).Run(); }

}  // namespace baton::cli
