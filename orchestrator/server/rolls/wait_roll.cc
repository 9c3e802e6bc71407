#include "orchestrator/server/rolls/wait_roll.h"

#include "orchestrator/server/rolls/roll_call.h"

namespace baton {
namespace {

class WaitRoll final : public RollCall<grpc::ServerUnaryReactor> {
 public:
  WaitRoll(grpc::CallbackServerContext& context, ServerDependencies& s, const v2::WaitRollRequest& request,
           v2::WaitRollResponse& response)
      : RollCall(context, s, RollId(request.roll_id()), {}, grpc::Status::CANCELLED), revision_(request.revision()),
        until_over_(request.until_over()), response_(response) {
    Begin(request);
  }

 private:
  Status Answer(Reader& reader, const RollRead& found) override {
    if (!HasCome(found.roll)) return Wait(), Done{};
    auto view = RollView(reader, found);
    if (!view) return view.error();
    *response_.mutable_roll() = *std::move(view);
    wire::Redact(response_, shown_);
    return End(Done{}), Done{};
  }

  bool HasCome(const Roll& roll) const {
    if (!IsOpen(roll.state)) return true;
    return until_over_ ? roll.state == RollState::kHeld : roll.revision > revision_;
  }

  const std::int64_t revision_;
  const bool until_over_;
  v2::WaitRollResponse& response_;
};

}  // namespace

grpc::ServerUnaryReactor* NewWaitRoll(grpc::CallbackServerContext& context, ServerDependencies& s,
                                      const v2::WaitRollRequest& request, v2::WaitRollResponse& response) {
  return new WaitRoll(context, s, request, response);
}

}  // namespace baton
