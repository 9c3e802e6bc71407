// Files that change under a running server: good ones are used by new connections, all others leave the old ones in use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "baton/v2/admin_service.grpc.pb.h"
#include "tests/tools/tls/pki.h"
#include "tools/tls/directory.h"
#include "tools/tls/issue.h"

namespace baton {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

class Reload : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = pki_.For(Role::kBatond, "b1");
    tls_ = Pki::Open(dir_, {.changed = [this](const Result<tls::Material>& now) {
                       const std::lock_guard lock(mutex_);
                       ++told_;
                       trouble_ = now ? "" : now.error().message;
                       told_one_.notify_all();
                     }});
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", tls_->ForServer(), &port_);
    builder.RegisterService(&admin_);
    server_ = builder.BuildAndStart();
    client_ = Pki::Open(pki_.For(Role::kCell, "c1"));
  }
  // Whether it is told within ten seconds. Something else may be told before it: a change of files has steps between.
  bool IsTold(const std::string& text) {
    std::unique_lock lock(mutex_);
    return told_one_.wait_for(lock, 10s, [&] { return trouble_.find(text) != std::string::npos; });
  }
  // What is told of the next change.
  std::string NextTold(int than) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(told_one_.wait_for(lock, 10s, [&] { return told_ > than; })) << "nothing was told";
    return trouble_;
  }
  int Told() {
    const std::lock_guard lock(mutex_);
    return told_;
  }
  // By a connection of its own. UNIMPLEMENTED is an answer.
  bool GetsThrough(const std::shared_ptr<Tls>& client, std::string* serial = nullptr) {
    grpc::ChannelArguments own;
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    const auto stub = v2::Admin::NewStub(
        grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port_), client->ForClient(), own));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + 5s);
    v2::PingResponse answer;
    const grpc::Status status = stub->Ping(&context, {}, &answer);
    if (serial) {
      const auto pem = context.auth_context()->FindPropertyValues("x509_pem_cert");
      *serial = pem.empty() ? "" : tls::Certificate::ParseAll(std::string(pem[0].data(), pem[0].size()), "it")->front().serial();
    }
    refusal_ = status.error_message();
    return status.error_code() == grpc::StatusCode::UNIMPLEMENTED;
  }
  void Put(const std::string& file, const std::string& text) {
    const std::string path = dir_ + "/" + file, beside = dir_ + ".new";
    std::ofstream(beside) << text;
    std::filesystem::permissions(beside, std::filesystem::perms(0600));
    std::filesystem::rename(beside, path);
  }
  std::string Serial() {
    std::string serial;
    EXPECT_TRUE(GetsThrough(client_, &serial)) << refusal_;
    return serial;
  }

  Pki pki_;
  v2::Admin::Service admin_;
  std::string dir_;
  std::mutex mutex_;
  std::condition_variable told_one_;
  int told_ = 0;
  std::string trouble_;
  std::shared_ptr<Tls> tls_;
  std::shared_ptr<Tls> client_;
  int port_ = 0;
  std::string refusal_;  // of the last call
  std::unique_ptr<grpc::Server> server_;
};

TEST_F(Reload, NewConnectionsUseTheNewCertificate) {
  const std::string before = Serial();
  ASSERT_FALSE(before.empty());
  const auto issued = tls::IssueInto(pki_.authority(), {.identity = {Role::kBatond, "b1"}, .validity = Pki::Days(-1, 30)}, dir_);
  ASSERT_TRUE(issued);
  EXPECT_EQ(NextTold(0), "");
  const auto until = std::chrono::steady_clock::now() + 10s;
  while (Serial() == before && std::chrono::steady_clock::now() < until) {
  }
  EXPECT_EQ(Serial(), issued->certificate.serial());
}

// gRPC 1.51 by itself takes no connection any more once a file is not PEM.
TEST_F(Reload, HalfWrittenFilesKeepTheOldOnes) {
  const auto files = *tls::ReadFiles(dir_);
  const std::string before = Serial();
  const auto after = [&](const std::string& file, const std::string& text, const std::string& why) {
    Put(file, text);
    EXPECT_TRUE(IsTold(why)) << why;
    // Whoever follows gRPC's own look, of a second, would fall silent by then.
    const auto until = std::chrono::steady_clock::now() + 1300ms;
    while (std::chrono::steady_clock::now() < until) ASSERT_EQ(Serial(), before) << why;
  };
  after("cert.pem", files.chain.substr(0, files.chain.size() / 2), "cert.pem holds a certificate that is broken or cut off");
  after("cert.pem", "", "cert.pem is empty");
  after("cert.pem", files.chain + "-----BEGIN CERTIFICATE-----\n", "cert.pem holds a certificate that is broken");
  Put("cert.pem", files.chain);
  after("key.pem", tls::PrivateKey::Make().pem(), "is not the key of");
  after("key.pem", "nonsense", "key.pem holds no private key");
  Put("key.pem", files.key);
  after("ca.pem", "nonsense", "ca.pem holds no certificate");
  std::filesystem::remove_all(dir_);
  EXPECT_TRUE(IsTold("cannot be read: No such file"));
  EXPECT_EQ(Serial(), before);
}

TEST_F(Reload, SomebodyElsesCertificateIsNotTakenUp) {
  const std::string other = pki_.For(Role::kBatond, "b2");
  const std::string before = Serial();
  std::filesystem::remove_all(dir_);
  std::filesystem::rename(other, dir_);
  EXPECT_TRUE(IsTold("is now of batond/b2 in baton.test, it was of batond/b1"));
  EXPECT_EQ(Serial(), before);
}

// The rotation of an authority, as docs/guide/security.md has it: both are trusted, certificates change, the old one
// goes.
TEST_F(Reload, AnAuthorityIsFollowedByAnother) {
  const auto next = tls::Authority::Make(kTestDomain, Pki::Days(-1, 30));
  const std::string old_root = pki_.authority().certificate().pem(), new_root = next.certificate().pem();
  const auto client_dir = [&](const tls::Authority& by, const std::string& roots) {
    return Pki::Open(pki_.With(pki_.Good(Role::kCell, "c1"), &by, roots));
  };
  const auto batond = [&](const tls::Authority& by, const std::string& also) {
    const int told = Told();
    ASSERT_TRUE(tls::IssueInto(by, {.identity = {Role::kBatond, "b1"}, .validity = Pki::Days(-1, 30), .also_trusted = also}, dir_));
    EXPECT_EQ(NextTold(told), "");
  };
  const auto eventually = [&](const std::shared_ptr<Tls>& client, bool through) {
    const auto until = std::chrono::steady_clock::now() + 10s;
    while (GetsThrough(client) != through && std::chrono::steady_clock::now() < until) {
    }
    return GetsThrough(client) == through;
  };
  const auto old_both = client_dir(pki_.authority(), old_root + new_root);
  const auto new_both = client_dir(next, old_root + new_root);
  const auto new_only = client_dir(next, new_root);
  EXPECT_FALSE(GetsThrough(new_both));
  batond(pki_.authority(), new_root);
  EXPECT_TRUE(eventually(new_both, true));
  EXPECT_TRUE(GetsThrough(old_both));
  batond(next, old_root);
  EXPECT_TRUE(eventually(new_only, true));
  EXPECT_TRUE(GetsThrough(old_both));
  batond(next, "");
  EXPECT_TRUE(eventually(old_both, false));
  EXPECT_TRUE(GetsThrough(new_only));
}

}  // namespace
}  // namespace baton
