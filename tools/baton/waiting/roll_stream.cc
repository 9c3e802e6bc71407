#include "tools/baton/waiting/roll_stream.h"

#include "baton/v2/rolls_service.grpc.pb.h"

namespace baton::cli {

RollStream::RollStream(Connection& connection, const v2::WatchRollRequest& request) {
  connection.Prepare(context_);
  reader_ = std::thread([this, channel = connection.channel(), request] { Read(channel, request); });
}

RollStream::~RollStream() {
  context_.TryCancel();
  reader_.join();
}

void RollStream::Read(const std::shared_ptr<grpc::Channel>& channel, const v2::WatchRollRequest& request) {
  const auto stub = v2::Rolls::NewStub(channel);
  const auto stream = stub->WatchRoll(&context_, request);
  for (v2::WatchRollResponse answer; stream->Read(&answer);) {
    const std::lock_guard lock(mutex_);
    answers_.push_back(std::move(answer));
    changed_.notify_all();
  }
  const grpc::Status status = stream->Finish();
  const std::lock_guard lock(mutex_);
  ended_ = status;
  changed_.notify_all();
}

std::optional<v2::WatchRollResponse> RollStream::Next(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [this] { return !answers_.empty() || ended_; });
  if (answers_.empty()) return std::nullopt;
  auto answer = std::move(answers_.front());
  answers_.pop_front();
  return answer;
}

std::optional<grpc::Status> RollStream::Ended() {
  const std::lock_guard lock(mutex_);
  return answers_.empty() ? ended_ : std::nullopt;
}

}  // namespace baton::cli
