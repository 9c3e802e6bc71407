// How long large tables take. Printed; the limits are far above what an idle machine needs.
#include <gmock/gmock.h>

#include <iostream>

#include "tests/tools/router/http_client.h"
#include "tests/tools/router/router_stack.h"

namespace baton::router {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

class ManyRoutesE2e : public ::testing::Test {
 protected:
  // A mix of exact hosts, paths and wildcards.
  static std::vector<std::string> Routes(int count, const std::string& mark) {
    std::vector<std::string> routes;
    for (int i = 0; i < count; ++i) {
      const std::string host = mark + std::to_string(i) + ".apps.example";
      routes.push_back(i % 3 == 0 ? host : i % 3 == 1 ? host + "/api" : "*." + host);
    }
    return routes;
  }
  double Snapshot(const std::vector<std::string>& mapped) {
    const auto began = Clock::now();
    const auto number = stack_.routes().Snapshot({MakeEndpoint("a.example", "i", app_.port())}, {}, mapped);
    EXPECT_TRUE(stack_.routes().WaitApplied(number, std::chrono::seconds(60)));
    return MillisecondsSince(began);
  }
  double RequestMicroseconds(const std::string& host) {
    HttpClient client(stack_.port());
    client.Get(host);
    const auto began = Clock::now();
    for (int i = 0; i < 500; ++i) client.Get(host);
    return MillisecondsSince(began) * 1000 / 500;
  }

  RouterStack stack_;
  HttpInstance app_{"app"};
};

TEST_F(ManyRoutesE2e, TenThousandRoutesAreTakenInOverTheRuntimeSocket) {
  stack_.Spawn();
  ASSERT_TRUE(stack_.routes().WaitForStream(1));
  Snapshot({});
  const int worker = stack_.WorkerPid();
  const double few = RequestMicroseconds("a.example");
  const double small = Snapshot(Routes(2'500, "r"));
  Snapshot({});
  const double large = Snapshot(Routes(10'000, "r"));
  EXPECT_EQ(stack_.Look()->routes.size(), 10'001u);
  EXPECT_EQ(GetOnce(stack_.port(), "r0.apps.example").status, 503);
  EXPECT_EQ(GetOnce(stack_.port(), "x.r2.apps.example").status, 503);
  EXPECT_EQ(GetOnce(stack_.port(), "r1.apps.example").status, 404);
  EXPECT_EQ(GetOnce(stack_.port(), "r1.apps.example", "/api/x").status, 503);
  const double many = RequestMicroseconds("a.example");
  const double unknown = RequestMicroseconds("x.y.z.test");
  const auto began = Clock::now();
  ASSERT_TRUE(stack_.routes().WaitApplied(stack_.routes().Mapped({"one.more.example"})));
  const double one_more = MillisecondsSince(began);
  const double replaced = Snapshot(Routes(10'000, "s"));
  const double gone = Snapshot({});
  std::cout << "2,500 routes " << small << " ms, 10,000 routes " << large << " ms, one more " << one_more
            << " ms, 10,000 others instead " << replaced << " ms, none again " << gone << " ms; a request with 1 route "
            << few << " us, with 10,001 " << many << " us, of an unknown host " << unknown << " us\n";
  EXPECT_EQ(stack_.WorkerPid(), worker);
  EXPECT_LT(large, small * 12 + 1000);
  EXPECT_LT(large, 10'000);
  EXPECT_LT(gone, 20'000);
}

TEST_F(ManyRoutesE2e, AStartWithTenThousandRoutesHasThemInItsMap) {
  stack_.Spawn();
  ASSERT_TRUE(stack_.routes().WaitForStream(1));
  std::cout << "start with 10,000 routes " << Snapshot(Routes(10'000, "r")) << " ms\n";
  EXPECT_EQ(stack_.Look()->routes.size(), 10'001u);
}

TEST_F(ManyRoutesE2e, AStartAndAReloadWithAThousandTcpPortsAreQuick) {
  constexpr int kFrom = 21'000;  // below the ports that systems give out by themselves
  constexpr int kPorts = 1'000;
  stack_.Spawn({"--backends", "1", "--tcp-ports", std::to_string(kFrom) + "-" + std::to_string(kFrom + kPorts - 1)});
  ASSERT_TRUE(stack_.routes().WaitForStream(1));
  std::cout << kPorts << " TCP ports: start " << Snapshot({}) << " ms";
  const int worker = stack_.WorkerPid();
  EXPECT_EQ(stack_.Look()->tcp.size(), static_cast<std::size_t>(kPorts));
  const auto began = Clock::now();
  const auto grown = stack_.routes().Change({MakeEndpoint("b.example", "i", app_.port())});
  ASSERT_TRUE(stack_.routes().WaitApplied(grown, std::chrono::seconds(20)));
  std::cout << ", reload " << MillisecondsSince(began) << " ms\n";
  EXPECT_NE(stack_.WorkerPid(), worker);
}

}  // namespace
}  // namespace baton::router
