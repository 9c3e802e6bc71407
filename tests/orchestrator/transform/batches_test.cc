// A list of more guids than baton.v2 takes in a call.
#include "orchestrator/transform/services/batches.h"

#include <gtest/gtest.h>

#include "baton/v2/actual_lrps_service.pb.h"

namespace baton::transform {
namespace {

v2::ListActualLRPsRequest Asking(int guids) {
  v2::ListActualLRPsRequest request;
  request.set_cell_id("cell-1");
  for (int i = guids; i > 0; --i) request.add_process_guids("app-" + std::to_string(i));
  return request;
}

TEST(Batches, WhatFitsIntoACallIsOneAsItIs) {
  for (const int count : {0, 1, kGuidsInACall}) {
    const auto batches = InBatches(Asking(count));
    ASSERT_EQ(batches.size(), 1U);
    EXPECT_EQ(batches[0].SerializeAsString(), Asking(count).SerializeAsString()) << "none named: all are asked for";
  }
}

TEST(Batches, HoldEachGuidOnceInOrderAndAllElseEach) {
  v2::ListActualLRPsRequest request = Asking(2500);
  request.add_process_guids("app-7");
  const auto batches = InBatches(request);
  ASSERT_EQ(batches.size(), 3U);
  std::vector<std::string> all;
  for (const auto& batch : batches) {
    EXPECT_LE(batch.process_guids_size(), kGuidsInACall);
    EXPECT_GT(batch.process_guids_size(), 0) << "none would be all of them";
    EXPECT_EQ(batch.cell_id(), "cell-1");
    all.insert(all.end(), batch.process_guids().begin(), batch.process_guids().end());
  }
  EXPECT_EQ(all.size(), 2500U);
  EXPECT_TRUE(std::ranges::is_sorted(all));
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

}  // namespace
}  // namespace baton::transform
