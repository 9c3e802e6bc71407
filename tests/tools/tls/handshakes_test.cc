// Who gets through, by real handshakes: the server counts the calls that reach it.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <mutex>
#include <vector>

#include "baton/v2/admin_service.grpc.pb.h"
#include "orchestrator/base/unique_fd.h"
#include "tests/tools/tls/pki.h"

namespace baton {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

UniqueFd ConnectTo(int port) {
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(socket.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  return socket;
}

class Admin final : public v2::Admin::Service {
 public:
  grpc::Status Ping(grpc::ServerContext* context, const v2::PingRequest*, v2::PingResponse*) override {
    const auto uris = context->auth_context()->FindPropertyValues("peer_uri");
    callers.clear();
    for (const grpc::string_ref& uri : uris) callers.emplace_back(uri.data(), uri.size());
    ++calls;
    return grpc::Status::OK;
  }
  int calls = 0;
  std::vector<std::string> callers;
};

constexpr char kHost[] = "batond.test";

class Handshakes : public ::testing::Test {
 protected:
  void Serve(const std::string& dir) {
    tls_ = Pki::Open(dir, {.refused = [this](const std::string& why) {
                       const std::lock_guard lock(mutex_);
                       refused_.push_back(why);
                     }});
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", tls_->ForServer(), &port_);
    builder.RegisterService(&admin_);
    server_ = builder.BuildAndStart();
    ASSERT_TRUE(server_);
  }
  void SetUp() override {
    tls::Wanted batond = pki_.Good(Role::kBatond, "b1");
    batond.dns_names = {kHost};  // for programs that look at names of hosts
    Serve(pki_.With(batond));
  }

  grpc::Status Ping(const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
    grpc::ChannelArguments own;
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a handshake of its own
    own.SetSslTargetNameOverride(kHost);
    const auto stub = v2::Admin::NewStub(
        grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port_), credentials, own));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5));
    v2::PingResponse answer;
    return stub->Ping(&context, {}, &answer);
  }
  grpc::Status PingBy(const std::string& dir) { return Ping(Pki::Open(dir)->ForClient()); }
  // Does not get through, and no call of it is seen.
  void ExpectOutside(const std::string& dir) {
    const int before = admin_.calls;
    EXPECT_EQ(PingUnchecked(dir).error_code(), grpc::StatusCode::UNAVAILABLE);
    EXPECT_EQ(admin_.calls, before);
  }
  grpc::Status PingUnchecked(const std::string& dir, bool with_certificate = true) {
    return Ping(ForeignClient(dir, with_certificate));
  }
  std::vector<std::string> Refused() {
    const std::lock_guard lock(mutex_);
    return refused_;
  }

  Pki pki_;
  Admin admin_;
  std::shared_ptr<Tls> tls_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
  std::mutex mutex_;
  std::vector<std::string> refused_;
};

TEST_F(Handshakes, GenuineOnesGetThrough) {
  for (const Role role : tls::AllRoles()) {
    if (role == Role::kAuctioneer) continue;  // it serves
    const grpc::Status status = PingBy(pki_.For(role, "n1"));
    EXPECT_TRUE(status.ok()) << Name(role) << ": " << status.error_message();
  }
  EXPECT_THAT(Refused(), IsEmpty());
}

// As grpcurl or python do it.
TEST_F(Handshakes, AForeignProgramWithAGoodCertificateGetsThrough) {
  EXPECT_TRUE(PingUnchecked(pki_.For(Role::kController, "cc")).ok());
  EXPECT_THAT(admin_.callers, ElementsAre("spiffe://baton.test/role/controller/cc"));
}

TEST_F(Handshakes, NobodyGetsThroughWithoutACertificate) {
  EXPECT_EQ(PingUnchecked(pki_.For(Role::kAdmin, "a"), /*with_certificate=*/false).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(Ping(grpc::InsecureChannelCredentials()).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(admin_.calls, 0);
}

TEST_F(Handshakes, AnotherAuthoritysIsRefused) {
  const auto other = tls::Authority::Make(kTestDomain, Pki::Days(-1, 30));
  ExpectOutside(pki_.With(pki_.Good(Role::kAdmin, "a"), &other));
}

TEST_F(Handshakes, ExpiredAndFutureOnesAreRefused) {
  for (const tls::Validity& days : {Pki::Days(-10, -1), Pki::Days(1, 10)}) {
    tls::Wanted wanted = pki_.Good(Role::kAdmin, "a");
    wanted.validity = days;
    ExpectOutside(pki_.With(wanted));
  }
}

TEST_F(Handshakes, OneThatOnlyServesIsRefusedAsAClient) {
  tls::Wanted wanted = pki_.Good(Role::kAdmin, "a");
  wanted.serves = true;
  wanted.calls = false;
  ExpectOutside(pki_.With(wanted));
}

// These are genuine, and TLS takes them: who they are of is for us to see.
TEST_F(Handshakes, WhoIsNobodyHereIsRefusedBeforeItsFirstCall) {
  const auto with_uris = [this](std::vector<std::string> uris) {
    tls::Wanted wanted = pki_.Good(Role::kAdmin, "a");
    wanted.common_name = "admin/a";
    wanted.uris = std::move(uris);
    ExpectOutside(pki_.With(wanted));
  };
  const std::string good = "spiffe://baton.test/role/admin/a";
  with_uris({});  // a common name is no name
  with_uris({good, good});
  with_uris({good, "https://elsewhere.example"});
  with_uris({"spiffe://other.test/role/admin/a"});
  with_uris({"spiffe://baton.test.evil/role/admin/a"});
  with_uris({"spiffe://baton.test/role/admins/a"});
  with_uris({"spiffe://baton.test/role/Admin/a"});
  with_uris({"spiffe://baton.test/role/admin/"});
  with_uris({std::string("spiffe://baton.test/role/admin/a\0b", 34)});  // gRPC's own list of names ends at the NUL
  EXPECT_THAT(Refused(), Contains(HasSubstr("no URI SAN")));
  EXPECT_THAT(Refused(), Contains(HasSubstr("more than one URI SAN")).Times(2));
  EXPECT_THAT(Refused(), Contains(HasSubstr("another trust domain")).Times(2));
  EXPECT_THAT(Refused(), Contains(HasSubstr("no role of Baton's")).Times(2));
}

TEST_F(Handshakes, NamesOfHostsDoNotSayWho) {
  tls::Wanted wanted = pki_.Good(Role::kCell, "c1");
  wanted.dns_names = {"admin.baton.test"};
  wanted.ip_addresses = {"10.0.0.7"};
  EXPECT_TRUE(PingUnchecked(pki_.With(wanted)).ok());
  EXPECT_THAT(admin_.callers, ElementsAre("spiffe://baton.test/role/cell/c1"));
}

// Our clients: a server that is not batond is not talked to, however genuine.
TEST_F(Handshakes, ACellDoesNotPoseAsBatond) {
  server_->Shutdown();
  tls::Wanted cell = pki_.Good(Role::kCell, "c1");
  cell.serves = true;  // issued by a mistake
  cell.dns_names = {kHost};
  Serve(pki_.With(cell));
  const auto refusals = std::make_shared<std::vector<std::string>>();
  const auto router = Pki::Open(pki_.For(Role::kRouter, "r1"), {.refused = [refusals](const std::string& why) { refusals->push_back(why); }});
  const grpc::Status status = Ping(router->ForClient());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(status.error_message(), HasSubstr("it is the certificate of cell/c1, not of a batond"));
  EXPECT_EQ(admin_.calls, 0);
  // One that was not issued by a mistake may not serve at all.
  EXPECT_FALSE(pki_.Good(Role::kCell, "c1").serves);
}

TEST_F(Handshakes, AServerOfAnotherAuthorityIsNotTalkedTo) {
  const auto other = tls::Authority::Make(kTestDomain, Pki::Days(-1, 30));
  tls::Wanted wanted = pki_.Good(Role::kAdmin, "a");
  const std::string both = pki_.authority().certificate().pem() + other.certificate().pem();
  server_->Shutdown();
  Serve(pki_.With(pki_.Good(Role::kBatond, "b1"), &other, both));
  EXPECT_EQ(PingBy(pki_.With(wanted)).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(PingBy(pki_.With(wanted, nullptr, both)).ok()) << "both are trusted while one follows the other";
}

// As a client that speaks no newer one, whatever its own OpenSSL thinks of that.
bool ShakesHands(int port, const std::string& dir, int newest) {
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  SSL_CTX_set_min_proto_version(context.get(), TLS1_VERSION);
  SSL_CTX_set_max_proto_version(context.get(), newest);
  SSL_CTX_set_cipher_list(context.get(), "DEFAULT@SECLEVEL=0");
  SSL_CTX_use_certificate_chain_file(context.get(), (dir + "/cert.pem").c_str());
  SSL_CTX_use_PrivateKey_file(context.get(), (dir + "/key.pem").c_str(), SSL_FILETYPE_PEM);
  const unsigned char h2[] = {2, 'h', '2'};
  SSL_CTX_set_alpn_protos(context.get(), h2, sizeof h2);
  const UniqueFd socket = ConnectTo(port);
  const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(context.get()), SSL_free);
  SSL_set_fd(ssl.get(), socket.get());
  return SSL_connect(ssl.get()) == 1;
}

TEST_F(Handshakes, NothingOlderThanTls12IsSpoken) {
  const std::string dir = pki_.For(Role::kAdmin, "a");
  EXPECT_TRUE(ShakesHands(port_, dir, TLS1_3_VERSION));
  EXPECT_TRUE(ShakesHands(port_, dir, TLS1_2_VERSION));
  EXPECT_FALSE(ShakesHands(port_, dir, TLS1_1_VERSION));
  EXPECT_FALSE(ShakesHands(port_, dir, TLS1_VERSION));
}

// What comes back to whom: nothing of HTTP/2, at most the alert of TLS.
TEST_F(Handshakes, APlainClientGetsNoFrameBack) {
  const UniqueFd socket = ConnectTo(port_);
  const std::string preface("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", 33);
  ASSERT_EQ(send(socket.get(), preface.data(), preface.size(), 0), 33);
  std::string answer(4096, 0);
  std::size_t length = 0;
  for (ssize_t got = 0; (got = recv(socket.get(), answer.data() + length, answer.size() - length, 0)) > 0;) {
    length += static_cast<std::size_t>(got);
  }
  EXPECT_TRUE(length == 0 || answer[0] == 0x15) << "an alert of TLS is the only answer";
  EXPECT_LE(length, 7U);
}

}  // namespace
}  // namespace baton
