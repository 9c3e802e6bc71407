// The gate that every write passes: a stop waits for those under way, lets none begin, and changes what they keep in step.
#include "sql/store/write_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "sql/store/dual_writer.h"

namespace baton {
namespace {

class NoLayout final : public DualWriter {
 public:
  void Write(Session&, const BatchChanges&, const std::set<ProcessGuid>&) override {}
  void WriteDomain(Session&, const std::string&) override {}
};

TEST(WriteGate, IsOpenAndKeepsNothingInStepAtFirst) {
  WriteGate gate;
  const WriteGate::Passage first = gate.Enter();
  const WriteGate::Passage second = gate.Enter();
  EXPECT_TRUE(first && second) << "many at a time";
  EXPECT_EQ(first.dual_writer(), nullptr);
}

TEST(WriteGate, WhileItIsStoppedNobodyPassesAndIsToldWhy) {
  WriteGate gate;
  {
    const WriteGate::Stop stop(gate, "it is switched");
    const WriteGate::Passage refused = gate.Enter();
    EXPECT_FALSE(refused);
    EXPECT_EQ(refused.why_not(), "it is switched");
    EXPECT_EQ(refused.dual_writer(), nullptr);
  }
  EXPECT_TRUE(gate.Enter()) << "who was refused does not count as under way";
  const WriteGate::Stop again(gate, "again");
}

// Stops in a thread of its own, and is there when nothing is under way.
class Stopping {
 public:
  explicit Stopping(WriteGate& gate)
      : thread_([this, &gate] {
          const WriteGate::Stop stop(gate, "stop");
          stopped = true;
          while (!open) std::this_thread::yield();
        }) {}
  ~Stopping() {
    open = true;
    thread_.join();
  }
  std::atomic<bool> stopped{false}, open{false};

 private:
  std::thread thread_;
};

// Until it is reset.
struct UnderWay {
  WriteGate::Passage passage;
};

bool Refuses(WriteGate& gate) { return !gate.Enter(); }

TEST(WriteGate, AStopWaitsForAllThatAreUnderWay) {
  WriteGate gate;
  std::unique_ptr<const UnderWay> first(new UnderWay{gate.Enter()});
  std::unique_ptr<const UnderWay> second(new UnderWay{gate.Enter()});
  Stopping stopping(gate);
  while (!Refuses(gate)) std::this_thread::yield();  // it is stopping
  EXPECT_FALSE(stopping.stopped);
  first.reset();
  for (int looks = 0; looks < 1000; ++looks) {
    std::this_thread::yield();
    ASSERT_TRUE(Refuses(gate));
    ASSERT_FALSE(stopping.stopped) << "one is under way still";
  }
  second.reset();
  while (!stopping.stopped) std::this_thread::yield();
  EXPECT_TRUE(Refuses(gate));
}

TEST(WriteGate, WhatIsKeptInStepChangesForThoseWhoPassLater) {
  WriteGate gate;
  NoLayout layout;
  {
    const WriteGate::Passage before = gate.Enter();
    EXPECT_EQ(before.dual_writer(), nullptr);
  }
  WriteGate::Stop(gate, "").SetDualWriter(&layout);
  EXPECT_EQ(gate.Enter().dual_writer(), &layout);
  { const WriteGate::Stop stop(gate, "nothing is said of it"); }
  EXPECT_EQ(gate.Enter().dual_writer(), &layout) << "it stays";
  WriteGate::Stop(gate, "").SetDualWriter(nullptr);
  EXPECT_EQ(gate.Enter().dual_writer(), nullptr);
}

TEST(WriteGate, AStopThatWaitsTooLongIsNone) {
  WriteGate gate;
  {
    const WriteGate::Passage under_way = gate.Enter();
    const WriteGate::Stop stop(gate, "", milliseconds(1));
    EXPECT_FALSE(stop);
  }
  EXPECT_TRUE(gate.Enter()) << "it is open again";
  EXPECT_TRUE(WriteGate::Stop(gate, "", milliseconds(1)));
}

// Many threads write one number each under its passage; whoever stops sees them stand still.
TEST(WriteGate, NothingIsWrittenWhileItIsStopped) {
  constexpr int kThreads = 4;
  WriteGate gate;
  NoLayout layout;
  std::atomic<bool> over = false;
  std::atomic<int> writing = 0;
  std::atomic<DualWriter*> wanted = nullptr;
  std::atomic<int> wrong = 0, passed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      while (!over) {
        const WriteGate::Passage passage = gate.Enter();
        if (!passage) continue;
        ++writing;
        if (passage.dual_writer() != wanted) ++wrong;
        ++passed;
        --writing;
      }
    });
  }
  for (int stops = 0; stops < 300; ++stops) {
    const int before = passed;
    while (passed == before) std::this_thread::yield();  // they go on between two stops
    WriteGate::Stop stop(gate, "");
    ASSERT_EQ(writing, 0);
    wanted = stops % 2 == 0 ? &layout : nullptr;
    stop.SetDualWriter(wanted);
    const int stopped_at = passed;
    std::this_thread::yield();
    ASSERT_EQ(passed, stopped_at);
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0) << "the layout changed under a write";
}

}  // namespace
}  // namespace baton
