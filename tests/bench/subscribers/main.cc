// baton-bench-subscribers: followers of apps' changes, over gRPC's callbacks, in a process of
// their own. Says "ready" when all follow; when each has had so many events, how long they took from the begin of their
// transactions ("p50 MS p99 MS n N lost N doubled N"), and ends. 0 events: until it is killed.
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <vector>

#include "baton/v2/events_service.grpc.pb.h"
#include "tools/command_line/mistake.h"

namespace {

namespace v2 = baton::v2;

constexpr int kOfAChannel = 500;
constexpr auto kPatience = std::chrono::seconds(60);

double NowMs() {
  return std::chrono::duration<double, std::milli>(std::chrono::system_clock::now().time_since_epoch()).count();
}

struct Tally {
  std::mutex mutex;
  std::condition_variable changed;
  int ready = 0;
  int ended = 0;
  std::vector<double> took;
  std::int64_t doubled = 0;
};

class Follower final : public grpc::ClientReadReactor<v2::SubscribeResponse> {
 public:
  Follower(v2::Events::Stub& stub, std::size_t events, Tally& tally) : events_(events), tally_(tally) {
    request_.add_kinds("desired_changed");
    stub.async()->Subscribe(&context_, &request_, this);
    StartRead(&answer_);
    StartCall();
  }
  void OnReadDone(bool ok) override {
    if (!ok) return;
    const double now = NowMs();
    for (const auto& event : answer_.events()) {
      took_.push_back(now - static_cast<double>(event.at()) / 1e6);
      doubled_ += event.sequence() <= last_;
      last_ = event.sequence();
    }
    if (!std::exchange(ready_, true)) Tell([](Tally& tally) { ++tally.ready; });
    if (events_ > 0 && took_.size() >= events_) return context_.TryCancel();
    StartRead(&answer_);
  }
  void OnDone(const grpc::Status&) override {
    Tell([this](Tally& tally) {
      ++tally.ended;
      tally.took.insert(tally.took.end(), took_.begin(), took_.end());
      tally.doubled += doubled_;
    });
  }

 private:
  template <class Change>
  void Tell(Change change) {
    const std::lock_guard lock(tally_.mutex);
    change(tally_);
    tally_.changed.notify_all();
  }

  const std::size_t events_;
  Tally& tally_;
  grpc::ClientContext context_;
  v2::SubscribeRequest request_;
  v2::SubscribeResponse answer_;
  std::vector<double> took_;
  std::int64_t last_ = 0;
  std::int64_t doubled_ = 0;
  bool ready_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Followers of apps' changes, and how long events took to them", "baton-bench-subscribers");
  std::string batond;
  int count = 0;
  std::size_t events = 0;
  app.add_option("BATOND", batond, "Its address")->required();
  app.add_option("COUNT", count, "Followers")->required()->check(CLI::Range(1, 1000000));
  app.add_option("EVENTS", events, "How many each waits for; 0: until it is killed")
      ->required()
      ->check(CLI::Range(0, 1000000));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return baton::EndOf(app, error, std::cout, std::cerr);
  }
  Tally tally;
  std::vector<std::unique_ptr<v2::Events::Stub>> stubs;
  std::vector<std::unique_ptr<Follower>> followers;
  for (int i = 0; i < count; ++i) {
    if (i % kOfAChannel == 0) {
      grpc::ChannelArguments own;  // a connection of its own
      own.SetInt("baton.bench.channel", i);
      stubs.push_back(v2::Events::NewStub(grpc::CreateCustomChannel(batond, grpc::InsecureChannelCredentials(), own)));
    }
    followers.push_back(std::make_unique<Follower>(*stubs.back(), events, tally));
  }
  std::unique_lock lock(tally.mutex);
  tally.changed.wait(lock, [&] { return tally.ready == count; });
  std::printf("ready\n");
  std::fflush(stdout);
  const auto all = [&] { return tally.ended == count; };
  events == 0 ? tally.changed.wait(lock, all) : void(tally.changed.wait_for(lock, kPatience, all));
  auto& took = tally.took;
  if (took.empty()) return 1;
  std::ranges::sort(took);
  const auto expected = static_cast<std::int64_t>(events) * count;
  std::printf("p50 %.3f p99 %.3f n %zu lost %lld doubled %lld\n", took[took.size() / 2], took[took.size() * 99 / 100],
              took.size(), static_cast<long long>(expected) - static_cast<long long>(took.size()),
              static_cast<long long>(tally.doubled));
  std::fflush(stdout);
  std::_Exit(0);  // followers that were not served have callbacks to come
}
