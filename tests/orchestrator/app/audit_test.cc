// What a row of the audit says, written and read again.
#include "orchestrator/model/calls/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

AuditEntry ReadAgain(const AuditEntry& entry) {
  AuditEntry again;
  TakeOutcome(StoredOutcome(entry), again);
  return again;
}

TEST(AuditOutcome, IsReadAsItWasWritten) {
  const AuditEntry entries[] = {
      {},
      {.changed = {"instances"}},
      {.changed = {"instances", "strategy.max_surge"}},
      {.outcome = "NOT_FOUND", .reason = "there is no app, of that name"},
      {.outcome = "ABORTED", .reason = "+7 is no number of instances", .left_out = 12},
      {.outcome = "INTERNAL"},
      {.subject = "cell z1-3"},
      {.changed = {"draining"}, .subject = "cell z1-3"},
      {.changed = {"expires_at"}, .subject = "domain 100 % of\t@ all, %20 too "},
      {.outcome = "NOT_FOUND", .reason = "there is no cell z1-3", .left_out = 2, .subject = "cell z1-3"},
      {.outcome = "NOT_FOUND", .reason = "@home is nowhere"},
      {.outcome = "NOT_FOUND", .subject = "keys"},
  };
  for (const AuditEntry& entry : entries) EXPECT_EQ(ReadAgain(entry), entry) << StoredOutcome(entry);
}

// Of a version before this one, or of a later one.
TEST(AuditOutcome, OfAnotherVersionKeepsItsText) {
  AuditEntry entry;
  TakeOutcome("OK", entry);
  EXPECT_EQ(entry, AuditEntry());
  TakeOutcome("DEFERRED until noon", entry);
  EXPECT_EQ(entry.outcome, "DEFERRED");
  EXPECT_EQ(entry.reason, "until noon");
}

TEST(AuditOutcome, WhatMayBeAskedAgainIsNoRefusal) {
  EXPECT_TRUE(IsRefusal({ErrorKind::kInvalidArgument, "", {}}));
  EXPECT_TRUE(IsRefusal({ErrorKind::kInternal, "", {}}));
  EXPECT_FALSE(IsRefusal({ErrorKind::kUnavailable, "", {}}));
  EXPECT_FALSE(IsRefusal({ErrorKind::kResourceExhausted, "", {}}));
}

}  // namespace
}  // namespace baton
