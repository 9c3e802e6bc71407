// The options (baton.v2.access) of each method that there is, and the page that is printed from them.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "baton/v1/bbs_service.pb.h"
#include "baton/v1/versioning.pb.h"
#include "baton/v2/access.pb.h"
#include "orchestrator/wire/messages/access_options.h"
#include "tests/proto/access_page.h"
#include "tools/law/access_print.h"

namespace baton {
namespace {

constexpr std::ptrdiff_t kMethodsOfV1 = 30;

std::string Letters(const std::vector<Role>& roles) {
  constexpr std::pair<char, Role> kLetters[] = {
      {'V', Role::kViewer}, {'O', Role::kOperator}, {'A', Role::kAdmin},      {'C', Role::kController}, {'N', Role::kCell},
      {'R', Role::kRouter}, {'W', Role::kWeb},      {'U', Role::kAuctioneer}, {'B', Role::kBatond}};
  std::string letters;
  for (const auto& [letter, role] : kLetters) letters.append(std::ranges::count(roles, role), letter);
  return letters;
}

std::string Shown(const MethodAccess& access) {
  return Letters(access.roles) + (access.within.empty() ? "" : "+" + Letters(access.within)) + (access.reveals ? "!" : "");
}

// A batond is asked for what is read here (tests/server/access_matrix_pgtest.cc).
TEST(Access, ThePageIsReadAsItWasPrinted) {
  std::map<std::string, std::string> options;
  for (const auto& [path, access] : law::AllAccess()) options[path] = Shown(access);
  EXPECT_EQ(options, AccessTable());
}

TEST(Access, EachMethodOfDiegosIsCounted) {
  const auto of_v1 = std::ranges::count_if(AccessTable(), [](const auto& row) { return row.first.starts_with("/baton.v1."); });
  EXPECT_EQ(of_v1, kMethodsOfV1);
}

TEST(Access, ThePageIsPrintedFromIt) {
  std::ifstream in(BATON_ACCESS_PAGE);
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_EQ(page.str(), law::PrintAccess()) << "refresh it: build/bin/baton-law access > docs/generated/access.md";
}

// Whoever gives a role to a method sees what it does: those that only look change nothing, and what cells and routers
// report is theirs.
TEST(Access, WhatAMethodDoesFitsWhoMayCallIt) {
  const std::map<std::string, std::string> more = {
      {"/baton.v2.Admin/Convergence", "V"},  // a pass is run for operators alone (MayStartWork)
      {"/baton.v1.ActualLRPs/RemoveActualLRP", "A"},
      {"/baton.v2.ActualLRPs/RemoveActualLRP", "A"},
      {"/baton.v2.Cells/DrainCell", "N"},
      {"/baton.v2.Cells/UndrainCell", "N"},
  };
  const std::map<CallEffect, std::string> fit = {
      {CallEffect::kReads, "VOACNRB"}, {CallEffect::kReports, "NRU"}, {CallEffect::kChanges, "OAC"}};
  std::map<std::string, std::string> others;
  for (const auto& [path, access] : law::AllAccess()) {
    for (const char letter : Letters(access.roles)) {
      if (fit.at(access.effect).find(letter) == std::string::npos) others[path] += letter;
    }
  }
  EXPECT_EQ(others, more);
}

// Else a call of v1 would be allowed, and then refused by what it is turned into.
TEST(Access, WhoMayCallV1MayCallWhatItAsksOfV2) {
  const Policy policy(law::AllAccess());
  const auto& file = *v1::PingRequest::descriptor()->file();
  int checked = 0;
  for (int s = 0; s < file.service_count(); ++s) {
    for (int m = 0; m < file.service(s)->method_count(); ++m) {
      const auto& method = *file.service(s)->method(m);
      std::string asked = "/baton.v2." + method.options().GetExtension(v1::versioning).replacement();
      asked[asked.rfind('.')] = '/';
      for (const Role role : policy.methods().at(wire::PathOf(method)).roles) {
        EXPECT_EQ(policy.Decide(role, asked, Way::kThroughV1), AccessDecision::kAllowed)
            << wire::PathOf(method) << " asks " << asked << " for " << Name(role);
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 80);
}

// baton.v1 shows secrets without being asked for them. A whole app is for who may see them; of the rest others are shown what is none.
TEST(Access, AWholeAppOfV1IsForWhoMaySeeSecrets) {
  int whole = 0;
  int parts = 0;
  for (const auto& [path, access] : law::AllAccess()) {
    if (!access.reveals || !path.starts_with("/baton.v1.")) continue;
    const bool part = path.ends_with("SchedulingInfo") || path.ends_with("SchedulingInfos") || path.ends_with("RoutingInfos");
    ++(part ? parts : whole);
    EXPECT_TRUE(part || std::ranges::all_of(access.roles, MayReveal)) << path;
  }
  EXPECT_EQ(whole, 2);
  EXPECT_EQ(parts, 3);
}

TEST(Access, AServiceWithoutTheOptionIsNotServed) {
  const auto none = wire::AccessOfAll({"baton.v2.Admin", "google.protobuf.NoSuchService"});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message, "this program has no service google.protobuf.NoSuchService");
}

// As a .proto file would say it whose author forgot the option, or named nobody.
TEST(Access, AMethodWithoutTheOptionIsAnError) {
  google::protobuf::FileDescriptorProto file;
  file.set_name("forgotten.proto");
  file.set_package("forgotten");
  file.add_message_type()->set_name("M");
  auto& service = *file.add_service();
  service.set_name("S");
  for (const char* name : {"Without", "Nobodys", "WithoutEffect"}) {
    auto& method = *service.add_method();
    method.set_name(name);
    method.set_input_type("M");
    method.set_output_type("M");
  }
  service.mutable_method(1)->mutable_options()->MutableExtension(v2::access)->add_roles(v2::Access::NOBODY);
  service.mutable_method(1)->mutable_options()->MutableExtension(v2::access)->set_effect(v2::Access::READS);
  service.mutable_method(2)->mutable_options()->MutableExtension(v2::access)->add_roles(v2::Access::ADMIN);
  google::protobuf::DescriptorPool pool(google::protobuf::DescriptorPool::generated_pool());
  const auto* built = pool.BuildFile(file);
  ASSERT_NE(built, nullptr);
  const auto without = wire::AccessOf(*built->service(0)->method(0));
  ASSERT_FALSE(without.ok());
  EXPECT_EQ(without.error().message, "forgotten.S.Without has no option (baton.v2.access) that says who may call it");
  const auto nobodys = wire::AccessOf(*built->service(0)->method(1));
  ASSERT_FALSE(nobodys.ok());
  EXPECT_EQ(nobodys.error().message, "the option (baton.v2.access) of forgotten.S.Nobodys names a role that is none");
  const auto without_effect = wire::AccessOf(*built->service(0)->method(2));
  ASSERT_FALSE(without_effect.ok());
  EXPECT_EQ(without_effect.error().message,
            "the option (baton.v2.access) of forgotten.S.WithoutEffect has no effect: READS, REPORTS or CHANGES, which "
            "is in the audit");
}

}  // namespace
}  // namespace baton
