// Subscribers in a storm: apps come, change and go; other transactions take sequences, wait and are rolled back; leaders
// change; subscribers break off and resume. In the end each was told every event once, in order. In its long form, with
// BATON_STORM_SECONDS, it is part of `./dev prove convergence`.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <iostream>
#include <random>

#include "tests/fakes/long_form.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

class EventStorm : public ::testing::Test {
 protected:
  static constexpr int kSubscribers = 6;
  static constexpr int kWriters = 3;

  EventStorm() {
    length_ = std::chrono::seconds(LongForm("BATON_STORM_SECONDS", 4));
    const auto session = OpenSession(url_);  // the very first event: everybody begins after it
    (void)session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) { return s.RunScript(kEvent), true; });
    for (auto& one : services_) one = std::make_unique<RunningService>(url_);
  }

  bool Blows() const { return Steady::now() - began_ < length_; }
  static void Pause(std::mt19937& random, int most_ms) {
    (void)Eventually([] { return false; }, milliseconds(random() % static_cast<unsigned>(most_ms)));
  }
  // Whoever may lead just now.
  std::string AnAddress(std::mt19937& random) {
    const std::lock_guard lock(mutex_);
    const auto& service = services_[random() % 2];
    return service ? service->address() : "";
  }

  // Apps that come, change and go. Refusals are the leader changes'.
  void ChangeApps(unsigned seed) {
    std::mt19937 random(seed);
    while (Blows()) {
      const std::string address = AnAddress(random);
      if (address.empty()) continue;
      const auto stub =
          v2::DesiredLRPs::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
      for (int i = 0; i < 20 && Blows(); ++i) {
        const std::string guid = "app-" + std::to_string(random() % 20);
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(2));
        if (random() % 3 == 0) {
          v2::RemoveDesiredLRPRequest remove;
          remove.set_process_guid(guid);
          v2::RemoveDesiredLRPResponse removed;
          (void)stub->RemoveDesiredLRP(&context, remove, &removed);
        } else {
          v2::DesireLRPResponse desired;
          (void)stub->DesireLRP(&context, RunningService::SmallApp(guid, static_cast<int>(random() % 4)), &desired);
        }
      }
    }
  }

  // Takes a sequence, keeps it for a while, and commits it or not: nobody may pass it meanwhile.
  void WriteSlowly(unsigned seed) {
    std::mt19937 random(seed);
    const auto session = OpenSession(url_);
    while (Blows()) {
      (void)session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
        if (random() % 2 == 0) s.RunScript("SELECT pg_current_xact_id()");
        s.RunScript(kEvent);
        Pause(random, 40);
        return random() % 3 != 0;
      });
      Pause(random, 20);
    }
  }

  // Breaks off and resumes, at whoever leads.
  void Subscribe(unsigned seed, std::vector<std::int64_t>& told) {
    std::mt19937 random(seed);
    std::int64_t place = 1;  // the first event's
    while (!over_ || place < end_) {
      const std::string address = AnAddress(random);
      if (address.empty()) continue;
      const auto stub = v2::Events::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
      grpc::ClientContext context;
      context.set_deadline(std::chrono::system_clock::now() + milliseconds(200 + random() % 1500));
      v2::SubscribeRequest request;
      request.set_after_sequence(place);
      const auto stream = stub->Subscribe(&context, request);
      for (v2::SubscribeResponse answer; stream->Read(&answer);) {
        for (const v2::Event& event : answer.events()) told.push_back(event.sequence());
        place = answer.sequence();
        if (over_ && place >= end_) context.TryCancel();
      }
      const grpc::Status end = stream->Finish();
      if (end.error_code() == grpc::StatusCode::OUT_OF_RANGE) ADD_FAILURE() << end.error_message();
      ++resumes_;
    }
  }

  std::vector<std::int64_t> Written() {
    std::vector<std::int64_t> all;
    const auto session = OpenSession(url_);
    (void)session->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
      for (const auto row : s.Run("ReadEventsAfter", {"1", "9223372036854775807", "2147483647"})) {
        all.push_back(row.Int("sequence"));
      }
      return true;
    });
    return all;
  }

  static constexpr char kEvent[] =
      "INSERT INTO events (at, kind, process_guid, incarnation, payload) "
      "VALUES (now(), 'actual_changed', 'slow', 1, 'BT\\001\\000'::bytea)";
  const std::string url_ = MigratedDatabase();
  std::mutex mutex_;
  std::unique_ptr<RunningService> services_[2];
  std::chrono::seconds length_;
  const Steady::time_point began_ = Steady::now();
  std::atomic<bool> over_{false};
  std::atomic<std::int64_t> end_{0};
  std::atomic<int> resumes_{0};
};

TEST_F(EventStorm, EverybodyIsToldEveryEventOnceAndInOrder) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::vector<std::vector<std::int64_t>> told(kSubscribers);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kWriters; ++i) {
    threads.emplace_back([=, this] { ChangeApps(seed + i); });
    threads.emplace_back([=, this] { WriteSlowly(seed + 100 + i); });
  }
  std::vector<std::thread> subscribers;
  for (unsigned i = 0; i < kSubscribers; ++i) {
    subscribers.emplace_back([&, i] { Subscribe(seed + 200 + i, told[i]); });
  }
  std::mt19937 random(seed);
  int changes = 0;
  while (Blows()) {  // the leader goes, the other one follows
    Pause(random, 2000);
    const unsigned one = random() % 2;
    std::unique_ptr<RunningService> going;
    {
      const std::lock_guard lock(mutex_);
      going = std::move(services_[one]);
    }
    going.reset();
    auto next = std::make_unique<RunningService>(url_);
    const std::lock_guard lock(mutex_);
    services_[one] = std::move(next);
    ++changes;
  }
  for (auto& thread : threads) thread.join();
  // The last word: what comes after it nobody waits for.
  const auto session = OpenSession(url_);
  (void)session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) { return s.RunScript(kEvent), true; });
  end_ = Written().back();
  over_ = true;
  for (auto& subscriber : subscribers) subscriber.join();
  auto written = Written();
  std::erase_if(written, [&](std::int64_t sequence) { return sequence > end_; });
  for (auto& one : told) {
    std::erase_if(one, [&](std::int64_t sequence) { return sequence > end_; });
    EXPECT_EQ(one, written);
  }
  EXPECT_GT(written.size(), 100u);
  std::cout << "event storm: " << written.size() << " events, " << kSubscribers << " subscribers that resumed "
            << resumes_ << " times, " << changes << " leader changes, 0 missed, 0 told twice" << std::endl;
}

}  // namespace
}  // namespace baton
