// A certificate is revoked and another expires while three apps roll under traffic: who had it is let go, and nobody else notices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <iostream>

#include "tests/e2e/scene.h"
#include "tests/server/objects_fixture.h"
#include "tools/client/channel.h"
#include "tools/tls/credentials.h"
#include "tools/tls/issue.h"

namespace baton {
namespace {

using ::testing::HasSubstr;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr int kApps = 3;
constexpr int kRate = 67;  // of each: two hundred a second
const Identity kThirdCell{Role::kCell, "cell-3"};
// Until it is read, its cell is back, and some slots have rolled.
constexpr seconds kBriefly{10};

// A subscription that is read until it ends.
class Subscriber {
 public:
  Subscriber(const std::string& address, const std::string& dir) : tls_(*Tls::Open({.dir = dir, .roles = tls::AllRoles()})) {
    const auto stub = v2::Events::NewStub(Dial(address, tls_->ForClient()));
    reader_ = stub->Subscribe(&context_, v2::SubscribeRequest());
    v2::SubscribeResponse first;
    EXPECT_TRUE(reader_->Read(&first));
    end_ = std::async(std::launch::async, [this] {
      for (v2::SubscribeResponse told; reader_->Read(&told);) continue;
      return reader_->Finish();
    });
  }
  ~Subscriber() { context_.TryCancel(); }

  bool HasEnded() { return end_.wait_for(seconds(0)) == std::future_status::ready; }
  // Waits for it.
  grpc::Status End() { return end_.get(); }

 private:
  const std::shared_ptr<Tls> tls_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v2::SubscribeResponse>> reader_;
  std::future<grpc::Status> end_;
};

struct WithDenyList {
  AccessText denied{"# nobody yet\n"};
};

class CertificatesEnd : private WithDenyList, public Scene {
 protected:
  CertificatesEnd() : Scene(Watched(denied.path())) {
    apps_.assign(kApps, app_);
    for (int i = 1; i < kApps; ++i) {
      apps_[static_cast<std::size_t>(i)].process_guid += "-" + std::to_string(i);
      apps_[static_cast<std::size_t>(i)].hostname = "app-" + std::to_string(i) + ".example";
    }
  }

  static stack::StackOptions Watched(const std::string& list) {
    stack::StackOptions options;
    options.tls = true;
    options.cells = 3;
    options.batond_arguments = {"--revoked", list};
    return options;
  }

  void BeginAll() {
    std::vector<v2::Roll> rolls;
    for (const stack::HelloApp& app : apps_)
      rolls.push_back(stack_->api().Desire(stack::DesiredHello(app, stack::HelloDefinition(app, "v1"))));
    ExpectCompleted(rolls);
    for (const stack::HelloApp& app : apps_) {
      loads_.push_back(load::Load::Start({.target = stack_->http_address(), .host = app.hostname, .rate = kRate}));
    }
  }
  std::vector<v2::Roll> UpdateAll() {
    std::vector<v2::Roll> rolls;
    const std::string version = "v" + std::to_string(++version_);
    for (const stack::HelloApp& app : apps_) {
      rolls.push_back(
          stack_->api().Update(app.process_guid, stack::UpdateTo(stack::HelloDefinition(app, version))).roll());
    }
    rolls_ += kApps;
    return rolls;
  }
  void ExpectCompleted(const std::vector<v2::Roll>& rolls) {
    for (const v2::Roll& roll : rolls) EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  }

  void Deny(const std::string& text) { denied.Write(text); }
  std::string FingerprintOf(const Identity& identity) {
    const auto files = tls::ReadFiles(stack_->certificates()->For(identity));
    return tls::Certificate::ParseAll(files->chain, identity.name)->front().fingerprint();
  }
  bool IsConnected(const Identity& cell) {
    return std::ranges::any_of(stack_->api().Cells(), [&](const auto& one) { return one.cell_id() == cell.name && one.connected(); });
  }
  // Its stream was counted as over some milliseconds before.
  bool Goes(const Identity& cell) {
    return Await([&] { return !IsConnected(cell); });
  }
  // The cell is back, with a certificate that holds for a moment; one that was over before it was used is followed by another.
  bool ComesBackFor(seconds life) {
    const auto authority = tls::ReadAuthority(dir_.path() + "/pg/tls/ca");
    tls::Instant until{};
    return Await([&] {
      if (IsConnected(kThirdCell)) return true;
      if (tls::Now() + seconds(1) < until) return false;
      until = tls::Now() + life;
      const tls::Order order{.identity = kThirdCell,
                             .ip_addresses = {"127.0.0.1"},
                             .validity = {.from = tls::Now() - std::chrono::minutes(1), .to = until}};
      EXPECT_TRUE(tls::IssueInto(*authority, order, stack_->certificates()->For(kThirdCell)));
      return false;
    });
  }
  // Streams that batond has ended because of their certificates.
  int StreamsOver() const {
    const std::string metrics = Metrics();
    const std::string name = "\nbaton_streams_over_total ";
    const std::size_t at = metrics.find(name);
    return at == metrics.npos ? 0 : std::stoi(metrics.substr(at + name.size()));
  }
  int Connects(const Identity& cell) {
    std::ifstream log(dir_.path() + "/batond.log");
    int lines = 0;
    const std::string of = "\"cell\":\"" + cell.name + "\"";
    for (std::string line; std::getline(log, line);) {
      lines += line.find("\"cell_connected\"") != line.npos && line.find(of) != line.npos;
    }
    return lines;
  }
  void ExpectNobodyNoticed(const std::string& besides) {
    std::int64_t requests = 0;
    std::int64_t failed = 0;
    std::int64_t gap = 0;
    for (const auto& load : loads_) {
      load->Stop();
      const load::LoadSnapshot traffic = load->Snapshot();
      EXPECT_GT(traffic.answered, 0);
      EXPECT_EQ(traffic.failed, 0) << (traffic.first_failures.empty() ? "" : traffic.first_failures.front().text);
      requests += traffic.requests;
      failed += traffic.failed;
      gap = std::max<std::int64_t>(gap, traffic.longest_gap_ms);
    }
    std::cout << "scene " << ::testing::UnitTest::GetInstance()->current_test_info()->name() << ": " << requests
              << " requests, " << failed << " failed, longest gap " << gap << " ms, " << rolls_ << " rolls, " << besides
              << '\n';
  }

  std::vector<stack::HelloApp> apps_;
  std::vector<std::unique_ptr<load::Load>> loads_;
  int version_ = 1;
  int rolls_ = 0;
};

TEST_F(CertificatesEnd, OneIsRevokedAndOneExpiresWhileThreeAppsRoll) {
  BeginAll();
  Subscriber alice(stack_->api_address(), stack_->certificates()->For({Role::kOperator, "alice"}));
  Subscriber mallory(stack_->api_address(), stack_->certificates()->For({Role::kOperator, "mallory"}));
  // Revoked: a person by name, a cell's certificate by what it is.
  std::vector<v2::Roll> rolls = UpdateAll();
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  const auto revoked_at = steady_clock::now();
  Deny("name role/operator/mallory\ncert " + FingerprintOf(kThirdCell) + "\n");
  ASSERT_TRUE(Await([&] { return mallory.HasEnded() && StreamsOver() >= 2; }));
  const auto revoked_in = std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - revoked_at);
  EXPECT_LE(revoked_in, seconds(10));
  const grpc::Status end = mallory.End();
  EXPECT_EQ(end.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(end.error_message(), HasSubstr("operator/mallory"));
  EXPECT_TRUE(Goes(kThirdCell)) << "it tries again, and is refused";
  EXPECT_TRUE(ComesBackFor(kBriefly));
  ExpectCompleted(rolls);
  // Expired: they roll until it has, and it is in the middle of a roll that the cell is away.
  do {
    rolls = UpdateAll();
    ASSERT_TRUE(Await([&] { return StreamsOver() >= 3 || stack_->api().OpenRolls().empty(); }));
  } while (StreamsOver() < 3 || stack_->api().OpenRolls().empty());
  EXPECT_TRUE(Goes(kThirdCell));
  EXPECT_TRUE(ComesBackFor(std::chrono::hours(24)));
  ExpectCompleted(rolls);
  // And nobody else: not who looks on, not a cell, not a request.
  EXPECT_FALSE(alice.HasEnded());
  EXPECT_EQ(StreamsOver(), 3) << "mallory's, and twice that of the third cell";
  EXPECT_EQ(Connects({Role::kCell, "cell-1"}), 1);
  EXPECT_EQ(Connects({Role::kCell, "cell-2"}), 1);
  EXPECT_EQ(Connects(kThirdCell), 3) << "it has come back twice";
  ExpectNobodyNoticed("revoked within " + std::to_string(revoked_in.count()) + " ms, streams over " + std::to_string(StreamsOver()));
}

}  // namespace
}  // namespace baton
