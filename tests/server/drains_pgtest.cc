// A cell that is drained while the leader takes it on.
#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "sql/session/session.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

// Its row had been read before: it was offered as one that takes instances, until it came again.
TEST(Drains, OneThatComesWhileTheCellsRowsAreReadHolds) {
  RunningService service;
  service.WaitForLead();
  std::promise<void> drained;
  const std::shared_future<void> after = drained.get_future();
  std::atomic<bool> waits = false;
  Session::SetHook([&](std::string_view statement) {
    if (statement == "ListActuals" && !waits.exchange(true)) after.wait();  // of the instances that the cell has
  });
  ScriptedCell drains(service, "cell-1");
  drains.Hello();
  ASSERT_TRUE(Eventually([&] { return waits.load(); }));
  v2::ChangeCellRequest drain;
  drain.set_cell_id("cell-1");
  v2::ChangeCellResponse changed;
  EXPECT_TRUE(service.cells->DrainCell(Context().get(), drain, &changed).ok());
  drained.set_value();
  ScriptedCell takes(service, "cell-2");
  takes.HelloUntilCompared();  // and so is cell-1, whose rows were read before
  Session::SetHook(nullptr);
  constexpr int kInstances = 4;
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app", kInstances)).ok());
  for (int i = 0; i < kInstances; ++i) takes.NextRun();
}

}  // namespace
}  // namespace baton
