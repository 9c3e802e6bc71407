#include "tools/load/instance_span.h"

#include <gtest/gtest.h>

#include <vector>

namespace baton::load {
namespace {

AnswerRecord Answer(std::string_view instance, std::int64_t at_ms, double latency_ms) {
  return {.at_ms = at_ms, .latency_ms = latency_ms, .version = "v1", .index = 2, .instance = instance};
}

TEST(InstanceSpan, ReachesFromTheFirstAnswersEndToTheLastOnes) {
  const InstanceSpans spans = SpansOf(std::vector{Answer("a", 10, 2), Answer("b", 20, 2), Answer("a", 90, 2)});
  ASSERT_EQ(spans.size(), 2u);
  const InstanceSpan& a = spans.at("a");
  EXPECT_EQ(a.first_answer_ms, 10);
  EXPECT_EQ(a.last_answer_ms, 90);
  EXPECT_EQ(a.answers, 2);
  EXPECT_EQ(a.version, "v1");
  EXPECT_EQ(a.index, 2);
  EXPECT_EQ(spans.at("b").first_answer_ms, 20);
  EXPECT_EQ(spans.at("b").last_answer_ms, 20);
}

TEST(InstanceSpan, ASlowAnswerMayEndAfterTheLastRequestWasDue) {
  const InstanceSpans spans = SpansOf(std::vector{Answer("a", 510, 10), Answer("a", 1000, 800)});
  EXPECT_EQ(spans.at("a").last_due_ms, 500) << "of the quick one, which came after the slow one";
  EXPECT_EQ(spans.at("a").last_answer_ms, 1000);
}

TEST(InstanceSpan, OrderDoesNotMatter) {
  const InstanceSpans spans = SpansOf(std::vector{Answer("a", 1000, 800), Answer("a", 510, 10)});
  EXPECT_EQ(spans.at("a").first_answer_ms, 510);
  EXPECT_EQ(spans.at("a").last_answer_ms, 1000);
  EXPECT_EQ(spans.at("a").last_due_ms, 500);
}

TEST(InstanceSpan, WhatDoesNotSayWhoItIsIsLeftOut) { EXPECT_TRUE(SpansOf(std::vector{Answer("", 10, 2)}).empty()); }

}  // namespace
}  // namespace baton::load
