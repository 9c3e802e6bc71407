#include "tests/server/neighbours.h"

#include <algorithm>

#include "baton/v2/admin_service.grpc.pb.h"
#include "baton/v2/desired_lrps_service.grpc.pb.h"

namespace baton {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kWindow{500};
constexpr std::chrono::milliseconds kPace{4};
constexpr std::chrono::seconds kAnsweredTimeout{10};
constexpr int kBusyThreads = 16;

grpc::Status Ask(grpc::ChannelInterface* channel, const std::string& guid, int number) {
  const std::shared_ptr<grpc::ChannelInterface> shared(channel, [](auto*) {});
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kAnsweredTimeout);
  if (number % 2 == 0) {
    v2::PingResponse pong;
    return v2::Admin::NewStub(shared)->Ping(&context, {}, &pong);
  }
  v2::GetDesiredLRPRequest request;
  request.set_process_guid(guid);
  v2::GetDesiredLRPResponse response;
  return v2::DesiredLRPs::NewStub(shared)->GetDesiredLRP(&context, request, &response);
}

}  // namespace

Neighbour::Neighbour(std::shared_ptr<grpc::Channel> channel, std::string guid)
    : channel_(std::move(channel)), guid_(std::move(guid)), thread_([this] { Work(); }) {}

Neighbour::~Neighbour() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Neighbour::Work() {
  for (int number = 0;; ++number) {
    const auto began = Steady::now();
    const grpc::Status status = Ask(channel_.get(), guid_, number);
    std::unique_lock lock(mutex_);
    took_.push_back(std::chrono::duration<double, std::milli>(Steady::now() - began).count());
    if (!status.ok() && ++failed_ == 1) failure_ = status.error_message();
    wake_.notify_all();
    if (wake_.wait_until(lock, began + kPace, [this] { return over_; })) return;
  }
}

double Neighbour::P99Ms(int windows) {
  std::vector<double> of_windows;
  std::unique_lock lock(mutex_);
  for (int i = 0; i < windows; ++i) {
    took_.clear();
    const auto until = Steady::now() + kWindow;
    wake_.wait(lock, [&] { return Steady::now() >= until && !took_.empty(); });  // a call that takes longer than its window belongs to it
    std::ranges::sort(took_);
    of_windows.push_back(took_[(took_.size() - 1) * 99 / 100]);
  }
  std::ranges::sort(of_windows);
  return of_windows[of_windows.size() / 2];
}

std::string Neighbour::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

BusyCaller::BusyCaller(const std::shared_ptr<grpc::Channel>& channel, const std::string& guid) {
  for (int i = 0; i < kBusyThreads; ++i) {
    threads_.emplace_back([this, channel, guid, i] {
      for (int number = i; !over_; ++number) (void)Ask(channel.get(), guid, number);
    });
  }
}

BusyCaller::~BusyCaller() {
  over_ = true;
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace baton
