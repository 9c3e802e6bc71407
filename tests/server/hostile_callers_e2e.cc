// What one process on the machine can do to a batond by the shape of what it sends: batond's memory stays within 200 MB of
// what it was, and others are answered.
#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>

#include <atomic>
#include <functional>
#include <iostream>
#include <thread>

#include "tests/bench/memory_meter.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/server/raw_http2.h"
#include "tests/server/running_service.h"
#include "tools/stack/free_port.h"
#include "tools/stack/http.h"
#include "tools/stack/program.h"
#include "tools/stack/stack.h"

namespace baton {
namespace {

using testing::HasSubstr;

constexpr double kGrowthMostMb = 200;
constexpr std::chrono::seconds kAnsweredWithin{10};

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

// A batond of its own process, and a caller who only wants to know whether it is there.
class HostileCallers : public testing::Test {
 protected:
  HostileCallers()
      : address_("127.0.0.1:" + std::to_string(FreePort())), metrics_("127.0.0.1:" + std::to_string(FreePort())),
        batond_({"batond",
                 {OwnDirectory() + "/batond", "--database", MigratedDatabase(), "--insecure", "--listen", address_, "--metrics", metrics_},
                 testing::TempDir() + "/hostile-callers-batond.log"}) {}

  std::shared_ptr<grpc::Channel> NewChannel() const {
    grpc::ChannelArguments own;
    own.SetInt("baton.test.channel", next_++);
    own.SetMaxSendMessageSize(-1);
    return grpc::CreateCustomChannel(address_, grpc::InsecureChannelCredentials(), own);
  }
  bool Ping() {
    v2::PingResponse response;
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kAnsweredWithin);
    return v2::Admin::NewStub(healthy_)->Ping(&context, {}, &response).ok() && response.available();
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
  void SetUp() override {
    healthy_ = NewChannel();
    ASSERT_TRUE(Eventually([&] { return Ping(); })) << batond_.Describe("it never led");
  }
  // While `hostile` runs on a thread of its own, somebody pings; then memory is looked at.
  void While(const char* shape, const std::function<void()>& hostile) {
    const double before = MemoryMb(batond_.pid());
    ForgetPeak(batond_.pid());
    std::atomic<bool> over{false};
    std::thread other([&] { hostile(), over = true; });
    int pings = 0;
    do {
      EXPECT_TRUE(Ping()) << shape << ": a healthy caller is not answered";
      ++pings;
    } while (!over && !HasFailure());
    other.join();
    EXPECT_TRUE(batond_.Running()) << batond_.Describe("it ended");
    const double grown = PeakMemoryMb(batond_.pid()) - before;
    EXPECT_LT(grown, kGrowthMostMb) << shape;
    std::cout << "hostile callers: " << shape << ": " << static_cast<int>(grown) << " MB more, " << pings << " pings\n";
  }

  const std::string address_;
  const std::string metrics_;
  Program batond_;
  std::shared_ptr<grpc::Channel> healthy_;
  mutable int next_ = 0;
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

TEST_F(HostileCallers, EachShapeOfThemIsBoundedAndOthersAreAnswered) {
  const std::string instances = Within(1, Repeated(std::string("\x52\0", 2), 2'000'000));
  While("two million empty entries, eight times", [&] {
    std::vector<std::thread> callers;
    for (int i = 0; i < 8; ++i) {
      callers.emplace_back([&] {
        const grpc::Status status = Ask(NewChannel(), "/baton.v2.Cells/Connect", instances);
        EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
        EXPECT_THAT(status.error_message(), HasSubstr("32 MiB"));
      });
    }
    for (std::thread& caller : callers) caller.join();
  });
  const std::string empties = Repeated(std::string("\x12\0", 2), 2'000'000);
  for (const auto& [method, bytes] :
       {std::pair("/baton.v2.DesiredLRPs/DesireLRP", Within(1, empties)),
        std::pair("/baton.v1.DesiredLRPs/ListDesiredLRPs", empties), std::pair("/baton.v2.Events/Subscribe", empties),
        std::pair("/baton.v2.Admin/Ping", empties)}) {
    While(method, [&, method = method, &bytes = bytes] {
      const grpc::Status status = Ask(NewChannel(), method, bytes);
      EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << method << ": " << status.error_message();
    });
  }
  While("256 MB of zeros, packed", [&] {
    for (const auto& [packed, megabytes] : {std::pair(GRPC_COMPRESS_GZIP, 256), std::pair(GRPC_COMPRESS_DEFLATE, 8)}) {
      const std::string zeros(static_cast<std::size_t>(megabytes) << 20, '\0');
      const grpc::Status status = Ask(NewChannel(), "/baton.v2.Admin/Ping", zeros, packed);
      EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << status.error_message();
    }
  });
  DesireApps(500);
  While("300 lists at once that nobody reads", [&] {
    std::vector<std::unique_ptr<RawHttp2Call>> unread;
    for (int i = 0; i < 300; ++i) {
      unread.push_back(std::make_unique<RawHttp2Call>(address_, "/baton.v2.DesiredLRPs/ListDesiredLRPs", ""));
    }
  });
  While("metadata of 60 KB", [&] {
    RawHttp2Connection connection(address_);
    for (int i = 0; i < 200; ++i) connection.Begin("/baton.v2.Admin/Ping", /*filler=*/12'000);
    (void)connection.Flush();
  });
  While("ten thousand streams on one connection", [&] {
    RawHttp2Connection connection(address_);
    for (int i = 0; i < 10'000; ++i) connection.Begin("/baton.v2.Cells/Connect");
    (void)connection.Flush();
  });
  While("a hundred thousand pings", [&] {
    RawHttp2Connection connection(address_);
    for (int i = 0; i < 100'000; ++i) connection.Ping();
    (void)connection.Flush();
  });
}

// It took 5 GB in 5 s, and nobody was answered for 20 s.
TEST_F(HostileCallers, WhoBeginsCallsOnlyToCancelThemIsCutOff) {
  While("calls begun and cancelled", [&] {
    RawHttp2Connection connection(address_);
    bool open = true;
    for (int i = 0; i < 3000 && open; ++i) {
      for (int j = 0; j < 20; ++j) connection.BeginAndCancel("/baton.v2.DesiredLRPs/ListDesiredLRPs");
      open = connection.Flush();
    }
    EXPECT_FALSE(open) << "60,000 calls were taken";
  });
}

// Each of them holds a thread of the listener, and there was one.
TEST_F(HostileCallers, MetricsAreThereBesideThoseWhoAskForNothing) {
  std::vector<std::unique_ptr<QuietConnection>> quiet;
  for (int i = 0; i < 20; ++i) quiet.push_back(std::make_unique<QuietConnection>(metrics_));
  std::string text;
  EXPECT_TRUE(Eventually([&] { return text = HttpGet(metrics_, "localhost", "/metrics").body, text.find("baton_leading 1") != text.npos; })) << text;
}

}  // namespace
}  // namespace baton
