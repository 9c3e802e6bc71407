// Who asked for what, as an operator sees it.
#include "tools/baton/views/audit_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

v2::ListAuditResponse Audit() {
  v2::ListAuditResponse audit;
  v2::AuditEntry& changed = *audit.add_entries();
  changed.set_at(1'795'000'000'000'000'000);
  changed.set_actor("ann@host");
  changed.set_method("baton.v1.DesiredLRPs/UpdateDesiredLRP");
  changed.set_process_guid("shop");
  changed.set_request_id("r7");
  changed.set_outcome("OK");
  changed.add_changed("instances");
  changed.add_changed("routes");
  v2::AuditEntry& refused = *audit.add_entries();
  refused.set_actor("\x1b[31mben");
  refused.set_method("baton.v2.Rolls/PauseRoll");
  refused.set_outcome("NOT_FOUND");
  refused.set_reason("there is no roll\nof cart");
  refused.set_left_out(3);
  return audit;
}

TEST(AuditView, SaysToWhomSecretsWereShownAndForWhomAPageCalled) {
  v2::ListAuditResponse audit;
  v2::AuditEntry& entry = *audit.add_entries();
  entry.set_identity("web/page");
  entry.set_on_behalf("admin/root");
  entry.set_actor("browser");
  entry.set_method("baton.v1.DesiredLRPs/GetDesiredLRP");
  entry.set_process_guid("shop");
  entry.set_outcome("REVEALED");
  EXPECT_THAT(Words(audit, true), AllOf(HasSubstr("web/page for admin/root (said: browser)"), HasSubstr("secrets were shown\n")));
  entry.set_left_out(29);
  EXPECT_THAT(Words(audit, true), HasSubstr("secrets were shown (and 29 times before)"));
}

TEST(AuditView, SaysWhoChangedWhatAndWhatWasRefused) {
  const std::string text = Words(Audit(), /*wide=*/false);
  EXPECT_THAT(text,
              AllOf(HasSubstr("2026-11-18 11:06:40 UTC  ann@host  shop   UpdateDesiredLRP  instances, routes\n"),
                    HasSubstr("PauseRoll         NOT_FOUND: there is no roll / of cart\n"), HasSubstr("(and 3 refused before it)\n")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("r7")));
}

TEST(AuditView, WideHasTheWholeCallAndItsRequest) {
  EXPECT_THAT(Words(Audit(), /*wide=*/true), HasSubstr("shop   baton.v1.DesiredLRPs/UpdateDesiredLRP  r7"));
}

}  // namespace
}  // namespace baton::cli
