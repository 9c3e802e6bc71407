// What one caller can do to a batond by the shape of what it sends: batond's memory stays within 200 MB of what it was, and others
// are answered. A line for each: how much more memory at its most, and another caller's 99th percentile, beside somebody honest
// who asks as fast as he can, and beside the hostile one.
#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <thread>

#include "orchestrator/base/check.h"
#include "tests/bench/memory_meter.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/neighbours.h"
#include "tests/server/raw_http2.h"
#include "tests/server/running_service.h"
#include "tools/stack/certificates.h"
#include "tools/stack/free_port.h"
#include "tools/stack/http.h"
#include "tools/stack/program.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"
#include "tools/tls/credentials.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

constexpr double kGrowthMostMb = 200, kPlainGrowthMostMb = 500;
constexpr double kPlainAllowedMs = 2000;
constexpr double kAlwaysAllowedMs = 500;  // on two cores, of which gRPC and who is hostile take one each; it was seconds

using Sends = RawHttp2Connection::Sends;

// One call of any method with any bytes, to its end.
grpc::Status Ask(const std::shared_ptr<grpc::Channel>& channel, const std::string& method, const std::string& bytes,
                 grpc_compression_algorithm packed = GRPC_COMPRESS_NONE) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
  context.set_compression_algorithm(packed);
  grpc::CompletionQueue queue;
  grpc::GenericStub stub(channel);
  const auto call = stub.PrepareCall(&context, method, &queue);
  const grpc::Slice slice(bytes);
  grpc::ByteBuffer answer;
  grpc::Status status;
  void* tag = nullptr;
  bool ok = false;
  call->StartCall(nullptr);
  queue.Next(&tag, &ok);
  if (ok) {
    call->WriteLast(grpc::ByteBuffer(&slice, 1), {}, nullptr);
    queue.Next(&tag, &ok);
  }
  call->Finish(&status, nullptr);
  queue.Next(&tag, &ok);
  queue.Shutdown();
  return status;
}

// A batond of its own process, somebody hostile with a certificate of its own, and who only wants to be answered.
class HostileCallers : public ::testing::Test {
 protected:
  explicit HostileCallers(bool over_tls = true, std::vector<std::string> more = {})
      : over_tls_(over_tls), more_(std::move(more)) {}
  void SetUp() override {
    healthy_ = NewChannel("healthy");
    honest_ = NewChannel("honest");
    ASSERT_TRUE(Eventually([&] { return Leads(); })) << batond_.Describe("it never led");
    DesireApps(500);
  }

  std::vector<std::string> Command() const {
    std::vector<std::string> command = {stack::OwnDirectory() + "/batond",
                                        "--database",
                                        MigratedDatabase(),
                                        "--listen",
                                        address_,
                                        "--metrics",
                                        metrics_,
                                        "--handshakes-most",
                                        std::to_string(kHandshakes)};
    if (over_tls_) {
      command.insert(command.end(), {"--tls", certificates_.For({Role::kBatond, "batond"})});
    } else {
      command.emplace_back("--insecure");
    }
    command.insert(command.end(), more_.begin(), more_.end());
    return command;
  }
  // Empty: plain.
  std::string CertificateOf(const std::string& name, Role role = Role::kAdmin) const {
    return over_tls_ ? certificates_.For({role, name}) : std::string();
  }
  std::shared_ptr<grpc::Channel> NewChannel(const std::string& name = "hostile", Role role = Role::kAdmin) {
    grpc::ChannelArguments own;
    own.SetInt("baton.test.channel", next_++);
    own.SetMaxSendMessageSize(-1);
    if (!over_tls_) return grpc::CreateCustomChannel(address_, grpc::InsecureChannelCredentials(), own);
    auto opened = Tls::Open({.dir = CertificateOf(name, role), .roles = {role}});
    CHECK(opened.ok());
    tls_.push_back(*std::move(opened));
    return grpc::CreateCustomChannel(address_, tls_.back()->ForClient(), own);
  }
  std::vector<std::shared_ptr<grpc::Channel>> NewChannels(int count) {
    std::vector<std::shared_ptr<grpc::Channel>> channels;
    for (int i = 0; i < count; ++i) channels.push_back(NewChannel());
    return channels;
  }
  RawHttp2Connection::Options Hostile() const { return {.tls = CertificateOf("hostile")}; }
  bool Leads() {
    v2::PingResponse response;
    return v2::Admin::NewStub(healthy_)->Ping(Context().get(), {}, &response).ok() && response.available();
  }
  // 4 KB each.
  void DesireApps(int count) {
    const auto apps = v2::DesiredLRPs::NewStub(healthy_);
    for (int i = 0; i < count; ++i) {
      auto request = RunningService::SmallApp("app-" + std::to_string(i), /*instances=*/0);
      request.mutable_desired_lrp()->set_annotation(std::string(4000, 'a'));
      v2::DesireLRPResponse response;
      ASSERT_TRUE(apps->DesireLRP(Context().get(), request, &response).ok());
    }
  }
  // A metric as it is served, with its label.
  double Metric(const std::string& name) const {
    const std::string text = stack::HttpGet(metrics_, "localhost", "/metrics").body;
    const std::size_t at = text.find("\n" + name + " ");
    return at == text.npos ? 0 : std::stod(text.substr(at + name.size() + 2));
  }

  // While `hostile` does it again and again on a thread of its own, somebody else is answered nearly as fast as beside somebody
  // honest who asks as fast as he can; and batond's memory stays what it was.
  void While(const char* shape, const std::function<void()>& hostile) {
    Neighbour neighbour(healthy_, "app-0");
    if (beside_honest_ == 0) {
      BusyCaller honest(honest_, "app-0");
      beside_honest_ = neighbour.P99Ms();
    }
    const double before = bench::MemoryMb(batond_.pid());
    const double allowed = over_tls_ ? Allowed(beside_honest_) : kPlainAllowedMs;
    const double most = over_tls_ ? kGrowthMostMb : kPlainGrowthMostMb;
    double beside_hostile = 0, grown = 0;
    // What is over its bound is looked at again: others work here, too. Memory comes back before that, or the second
    // look would begin with what the first one has left.
    for (int look = 1; look == 1 || (look <= 3 && (grown > most || beside_hostile > allowed)); ++look) {
      if (look > 1) (void)Eventually([&] { return bench::MemoryMb(batond_.pid()) - before < most / 4; });
      bench::ForgetPeak(batond_.pid());
      std::atomic<bool> over{false}, once{false};
      std::thread other([&] {
        for (; !over || !once; once = true) hostile();
      });
      const double took = neighbour.P99Ms();
      over = true;
      other.join();
      ASSERT_TRUE(batond_.Running()) << batond_.Describe("it ended");
      const double more = bench::PeakMemoryMb(batond_.pid()) - before;
      beside_hostile = look == 1 ? took : std::min(beside_hostile, took);
      grown = look == 1 ? more : std::min(grown, more);
    }
    std::printf("hostile callers: %s: rss +%.0f MB, p99 %.1f ms -> %.1f ms\n", shape, grown, beside_honest_, beside_hostile);
    // Without TLS nobody is refused before gRPC has built his call, and everybody there is admin: it is for tests.
    EXPECT_LT(grown, most) << shape;
    EXPECT_LE(beside_hostile, allowed) << shape;
    EXPECT_EQ(neighbour.failed(), 0) << shape << ": " << neighbour.failure();
  }
  static double Allowed(double beside_honest) { return std::max(2 * beside_honest, kAlwaysAllowedMs); }

  static constexpr int kHandshakes = 100;
  const bool over_tls_;
  const std::vector<std::string> more_;  // arguments of batond
  stack::StateDir dir_;
  const stack::StackCertificates certificates_{dir_.path() + "/tls"};
  const std::string address_ = "127.0.0.1:" + std::to_string(stack::FreePort());
  const std::string metrics_ = "127.0.0.1:" + std::to_string(stack::FreePort());
  std::vector<std::shared_ptr<Tls>> tls_;
  int next_ = 0;
  stack::Program batond_{{"batond", Command(), ::testing::TempDir() + "/hostile-callers-batond.log"}};
  std::shared_ptr<grpc::Channel> healthy_;
  std::shared_ptr<grpc::Channel> honest_;
  double beside_honest_ = 0;  // of one test
};

class PlainHostileCallers : public HostileCallers {
 protected:
  PlainHostileCallers() : HostileCallers(/*over_tls=*/false) {}
};

class HostileCallersOfAStrictOne : public HostileCallers {
 protected:
  HostileCallersOfAStrictOne(const std::string& option, int most)
      : HostileCallers(/*over_tls=*/true, {option, std::to_string(most)}) {}
  // How many calls it takes until the connection is gone, at most `most`.
  int CancelledUntilCut(Sends sends, int most) {
    RawHttp2Connection connection(address_, Hostile());
    int sent = 0;
    // Slowly: the guard looks a hundred times a second.
    (void)Eventually([&] {
      for (int i = 0; i < 5; ++i, ++sent) connection.BeginAndCancel("/baton.v2.DesiredLRPs/GetDesiredLRP", sends);
      return !connection.Flush() || sent >= most;
    });
    return sent;
  }
};

std::string Within(int field, const std::string& bytes) {
  std::string whole(1, static_cast<char>(field << 3 | 2));
  for (std::size_t left = bytes.size();; left >>= 7) {
    whole += static_cast<char>((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    if (left <= 0x7f) return whole + bytes;
  }
}

std::string Repeated(const std::string& bytes, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += bytes;
  return all;
}

TEST_F(HostileCallers, WhatIsSmallOnTheWireAndLargeOnceRead) {
  const std::string empties = Repeated(std::string("\x12\0", 2), 2'000'000);
  const std::vector<std::shared_ptr<grpc::Channel>> channels = NewChannels(8);
  While("two million empty entries, eight times", [&] {
    std::vector<std::thread> callers;
    for (const auto& channel : channels) {
      callers.emplace_back([&] {
        const grpc::Status status = Ask(channel, "/baton.v2.DesiredLRPs/DesireLRP", Within(1, empties));
        EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
        EXPECT_THAT(status.error_message(), HasSubstr("500000 fields"));
      });
    }
    for (std::thread& caller : callers) caller.join();
  });
  const std::string instances = Within(1, Repeated(std::string("\x52\0", 2), 2'000'000));
  const auto cell = NewChannel("cell-1", Role::kCell);
  While("two million empty entries, in each kind of call", [&] {
    for (const auto& [method, bytes] :
         {std::pair("/baton.v2.DesiredLRPs/DesireLRP", Within(1, empties)),
          std::pair("/baton.v1.DesiredLRPs/ListDesiredLRPs", empties), std::pair("/baton.v2.Events/Subscribe", empties),
          std::pair("/baton.v2.Admin/Ping", empties)}) {
      const grpc::Status status = Ask(channels.front(), method, bytes);
      EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << method << ": " << status.error_message();
    }
    EXPECT_EQ(Ask(cell, "/baton.v2.Cells/Connect", instances).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  });
  While("256 MB of zeros, packed", [&] {
    for (const auto& [packed, megabytes] : {std::pair(GRPC_COMPRESS_GZIP, 256), std::pair(GRPC_COMPRESS_DEFLATE, 8)}) {
      const std::string zeros(static_cast<std::size_t>(megabytes) << 20, '\0');
      const grpc::Status status = Ask(channels.front(), "/baton.v2.Admin/Ping", zeros, packed);
      EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << status.error_message();
    }
  });
}

TEST_F(HostileCallers, ManyCallsAtOnce) {
  While("300 lists at once that nobody reads", [&] {
    std::vector<std::unique_ptr<RawHttp2Connection>> unread;
    for (int i = 0; i < 10; ++i) {
      unread.push_back(std::make_unique<RawHttp2Connection>(address_, RawHttp2Connection::Options{.tls = CertificateOf("hostile"), .reads = false}));
      for (int j = 0; j < 30; ++j) unread.back()->Ask("/baton.v2.DesiredLRPs/ListDesiredLRPs");
      (void)unread.back()->Flush();
    }
  });
  While("ten thousand streams on one connection", [&] {
    RawHttp2Connection connection(address_, Hostile());
    for (int i = 0; i < 10'000; ++i) connection.Begin("/baton.v2.Cells/Connect");
    (void)connection.Flush();
  });
  While("whole calls as fast as they are taken", [&] {
    RawHttp2Connection connection(address_, Hostile());
    for (int i = 0; i < 40 && connection.Flush(); ++i) {
      for (int j = 0; j < 500; ++j) connection.Ask("/baton.v2.DesiredLRPs/GetDesiredLRP");
    }
  });
  EXPECT_GT(Metric("baton_calls_refused_total{why=\"identity calls\"}"), 0);
}

TEST_F(HostileCallers, WhatGoesBesideCalls) {
  While("metadata of 60 KB", [&] {
    RawHttp2Connection connection(address_, Hostile());
    for (int i = 0; i < 200; ++i) connection.BeginWith("/baton.v2.Admin/Ping", 120, 100);
    (void)connection.Flush();
  });
  While("a hundred thousand pings", [&] {
    RawHttp2Connection connection(address_, Hostile());
    for (int i = 0; i < 100'000; ++i) connection.Ping();
    (void)connection.Flush();
  });
  const auto flood = [&](void (RawHttp2Connection::*frame)()) {
    auto options = Hostile();
    options.drains = false;
    RawHttp2Connection connection(address_, options);
    bool open = true;
    for (int i = 0; i < 1000 && open; ++i) {
      for (int j = 0; j < 20'000; ++j) (connection.*frame)();
      open = connection.Flush();
    }
    EXPECT_FALSE(open) << "twenty million frames were taken";
  };
  While("pings whose answers nobody reads", [&] { flood(&RawHttp2Connection::Ping); });
  While("settings whose acknowledgements nobody reads", [&] { flood(&RawHttp2Connection::Settings); });
  grpc::ClientContext context;
  for (int i = 0; i < 100; ++i) context.AddMetadata("x-" + std::to_string(i), "");
  v2::PingResponse pong;
  const grpc::Status status = v2::Admin::NewStub(NewChannel())->Ping(&context, {}, &pong);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("--metadata-entries-most"));
}

// They took 5 GB in 5 s, and nobody was answered for 20 s: gRPC reads them faster than it asks anything of Baton's.
void Flood(const std::string& address, const RawHttp2Connection::Options& hostile, Sends sends) {
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i) {
    callers.emplace_back([&] {
      RawHttp2Connection connection(address, hostile);
      bool open = true;
      for (int j = 0; j < 1000 && open; ++j) {
        for (int k = 0; k < 500; ++k) connection.BeginAndCancel("/baton.v2.DesiredLRPs/GetDesiredLRP", sends);
        open = connection.Flush();
      }
      EXPECT_FALSE(open) << "500,000 calls were taken";
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST_F(HostileCallers, WhoBeginsCallsOnlyToCancelThemIsCutOff) {
  While("calls begun and cancelled", [&] { Flood(address_, Hostile(), Sends::kWholeCall); });
  While("headers alone, cancelled", [&] { Flood(address_, Hostile(), Sends::kHeaders); });
}

TEST_F(PlainHostileCallers, WhoBeginsCallsOnlyToCancelThemIsCutOff) {
  While("calls begun and cancelled, without TLS", [&] { Flood(address_, Hostile(), Sends::kWholeCall); });
  While("headers alone, cancelled, without TLS", [&] { Flood(address_, Hostile(), Sends::kHeaders); });
}

class FewRapidCancels : public HostileCallersOfAStrictOne {
 protected:
  FewRapidCancels() : HostileCallersOfAStrictOne("--rapid-cancels-most", 20) {}
};

// Two hundred are taken where nothing else is said.
TEST_F(FewRapidCancels, AreTakenWhereBatondWasToldSo) {
  EXPECT_LT(CancelledUntilCut(Sends::kWholeCall, 190), 190);
  EXPECT_GT(Metric("baton_connections_cut_off_total{why=\"rapid cancels\"}"), 0);
}

class FewCancels : public HostileCallersOfAStrictOne {
 protected:
  FewCancels() : HostileCallersOfAStrictOne("--cancels-most", 60) {}
};

// A thousand are taken where nothing else is said.
TEST_F(FewCancels, AreTakenWhereBatondWasToldSo) {
  EXPECT_LT(CancelledUntilCut(Sends::kHeaders, 190), 190);
  EXPECT_GT(Metric("baton_connections_cut_off_total{why=\"cancels\"}"), 0);
}

TEST_F(HostileCallers, ConnectionsOfOneCallerAndThoseOfNobody) {
  const auto open_of = [](std::vector<std::unique_ptr<RawLink>>& links) {
    return std::ranges::count_if(links, [](const auto& link) { return link->Drain(); });
  };
  While("100 connections of one caller", [&] {
    std::vector<std::unique_ptr<RawLink>> links;
    for (int i = 0; i < 100; ++i) {
      links.push_back(std::make_unique<RawLink>(address_, CertificateOf("hostile")));
      const std::string greeting = RawHttp2Connection::Greeting();
      (void)links.back()->Send(greeting.data(), greeting.size());
    }
    EXPECT_TRUE(Eventually([&] { return open_of(links) <= 32; })) << open_of(links);
    EXPECT_GE(open_of(links), 30) << "what a caller may have is left to him";
  });
  EXPECT_GT(Metric("baton_connections_cut_off_total{why=\"identity connections\"}"), 0);
  While("400 connections that say nothing", [&] {
    std::vector<std::unique_ptr<RawLink>> links;
    for (int i = 0; i < 400; ++i) links.push_back(std::make_unique<RawLink>(address_));
    EXPECT_TRUE(Eventually([&] { return open_of(links) <= kHandshakes; }, std::chrono::seconds(4))) << open_of(links);
    EXPECT_TRUE(Eventually([&] { return open_of(links) == 0; }, std::chrono::seconds(8))) << open_of(links);
  });
  EXPECT_GT(Metric("baton_connections_cut_off_total{why=\"handshakes\"}"), 0);
}

// Each of them holds a thread of the listener, and there was one.
TEST_F(PlainHostileCallers, MetricsAreThereBesideThoseWhoAskForNothing) {
  std::vector<std::unique_ptr<RawLink>> quiet;
  for (int i = 0; i < 20; ++i) quiet.push_back(std::make_unique<RawLink>(metrics_));
  EXPECT_TRUE(Eventually([&] { return Metric("baton_leading") == 1; }));
}

}  // namespace
}  // namespace baton
