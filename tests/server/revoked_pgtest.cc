// Whose certificate is refused or over, and who asks for too much. Over TLS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/pem.h>

#include <future>

#include "tests/server/objects_fixture.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::HasSubstr;

std::string FingerprintOf(const KeyAndCertificate& one) {
  BIO* bio = BIO_new_mem_buf(one.certificate.data(), static_cast<int>(one.certificate.size()));
  X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  BIO_free(bio);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  X509_digest(certificate, EVP_sha256(), digest, &length);
  X509_free(certificate);
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) (hex += "0123456789ABCDEF"[digest[i] >> 4]) += "0123456789ABCDEF"[digest[i] & 15];
  return hex;
}

class Revoked : public ::testing::Test {
 protected:
  // Reads until the stream ends, and gives how.
  template <class Stream, class Message>
  static grpc::Status EndOf(Stream& stream, Message message) {
    while (stream.Read(&message)) continue;
    return stream.Finish();
  }

  AccessText list{"# nobody yet\n"};
  SecureService secure{With("", list.path())};
  As admin{secure, Role::kAdmin, "root"};
};

TEST_F(Revoked, WhoIsOnTheListIsRefusedAndItsStreamsEnd) {
  secure.running().WaitForLead();
  CellOn cell(secure, "cell-7");
  CellOn other(secure, "cell-8");
  As viewer(secure, Role::kViewer, "v");
  const auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
  const auto events = viewer.events->Subscribe(context.get(), v2::SubscribeRequest());
  const auto waiting = std::make_unique<grpc::ClientContext>();
  waiting->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
  const auto desired = admin.Desire(AppIn("waits", "a", 1));
  ASSERT_TRUE(desired.ok()) << desired.error_message();
  v2::GetRollRequest get;
  get.set_process_guid("waits");
  v2::GetRollResponse got;
  ASSERT_TRUE(viewer.rolls->GetRoll(Context().get(), get, &got).ok());
  auto waited = std::async(std::launch::async, [&] {
    v2::WaitRollRequest wait;
    wait.set_roll_id(got.roll().roll_id());
    wait.set_revision(1 << 20);
    v2::WaitRollResponse response;
    return viewer.rolls->WaitRoll(waiting.get(), wait, &response);
  });
  const auto began = std::chrono::steady_clock::now();
  list.Write("name role/cell/cell-7\nname role/viewer/v\n");
  EXPECT_EQ(cell.cell.Finish().error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(EndOf(*events, v2::SubscribeResponse()).error_code(), StatusCode::UNAUTHENTICATED);
  const grpc::Status wait_ended = waited.get();
  EXPECT_EQ(wait_ended.error_code(), StatusCode::UNAUTHENTICATED) << wait_ended.error_message();
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
  EXPECT_EQ(As(secure, Role::kViewer, "v").Get("waits").error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(As(secure, Role::kViewer, "w").Get("waits").ok());
  EXPECT_EQ(other.cell.Report(ScriptedCell::Claimed("none")).outcome(), v2::CellReportResult::REFUSED) << "its stream goes on";
  list.Write("\n");
  EXPECT_TRUE(Eventually([&] { return As(secure, Role::kViewer, "v").Get("waits").ok(); })) << "the list is read again and again";
}

TEST_F(Revoked, ACertificateIsRefusedByItsFingerprintAndItsOwnerComesWithAnother) {
  secure.running().WaitForLead();
  const auto stolen = CertificateOf(secure.authority(), Role::kCell, "cell-7");
  CellOn cell(secure, "cell-7", stolen);
  list.Write("cert " + FingerprintOf(stolen) + "\n");
  EXPECT_EQ(cell.cell.Finish().error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(As(secure.ChannelOf(stolen)).GetDefinition("x").error_code(), StatusCode::UNAUTHENTICATED);
  CellOn again(secure, "cell-7");
  EXPECT_EQ(again.cell.Report(ScriptedCell::Claimed("none")).outcome(), v2::CellReportResult::REFUSED) << "it is let in";
}

// A certificate is looked at when the connection begins, and a stream goes on for weeks.
TEST_F(Revoked, AStreamEndsWithItsCertificate) {
  secure.running().WaitForLead();
  const auto brief =
      secure.authority().Issue({.uris = {SpiffeId(kTestTrustDomain, {Role::kCell, "cell-7"})}, .valid_to_s = 6});
  CellOn cell(secure, "cell-7", brief);
  CellOn other(secure, "cell-8");
  const auto ended = cell.cell.Finish();
  EXPECT_EQ(ended.error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(ended.error_message(), HasSubstr("the certificate of cell/cell-7 has expired"));
  EXPECT_EQ(other.cell.Report(ScriptedCell::Claimed("none")).outcome(), v2::CellReportResult::REFUSED) << "its stream goes on";
  EXPECT_THAT(secure.running().Metrics(), HasSubstr("baton_streams_over_total 1"));
}

class AgedConnections : public ::testing::Test {
 protected:
  static batond::ServiceOptions Young() {
    batond::ServiceOptions options;
    options.callers.connection_age_s = 1;
    return options;
  }
  SecureService secure{Young()};
};

// Who went on calling was never asked for another certificate.
TEST_F(AgedConnections, WhoseCertificateHasExpiredIsLetInNoMoreAndNobodyElseNotices) {
  secure.running().WaitForLead();
  As owner(secure, Role::kAdmin, "root");
  ASSERT_TRUE(owner.Desire(AppIn("app", "a")).ok());
  As brief(secure.ChannelOf(
      secure.authority().Issue({.uris = {SpiffeId(kTestTrustDomain, {Role::kViewer, "brief"})}, .valid_to_s = 3})));
  CellOn cell(secure, "cell-1");
  ASSERT_TRUE(brief.Get("app").ok());
  v1::DesiredLRPByProcessGuidRequest old;
  old.set_process_guid("app");
  EXPECT_TRUE(Eventually([&] {
    EXPECT_TRUE(owner.Get("app").ok());
    v1::DesiredLRPResponse answer;
    EXPECT_TRUE(owner.old_apps->GetDesiredLRP(Context().get(), old, &answer).ok()) << "it asks within the process";
    return !brief.Get("app").ok();
  }));
  EXPECT_EQ(cell.cell.Report(ScriptedCell::Claimed("none")).outcome(), v2::CellReportResult::REFUSED)
      << "its stream goes on";
}

class OneOfMany : public ::testing::Test {
 protected:
  static batond::ServiceOptions Small() {
    batond::ServiceOptions options;
    options.identity = {.lists = 2, .plans = 1, .streams = 3, .writes_a_second = 1, .writes_at_once = 5};
    options.callers = {.connections = {.of_caller = 3, .of_machine = 1}, .calls = 4, .metadata_entries = 20};
    return options;
  }
  SecureService secure{Small()};
};

TEST_F(OneOfMany, WhoAsksForTooMuchTakesNothingFromTheOthers) {
  secure.running().WaitForLead();
  As greedy(secure, Role::kController, "greedy");
  As other(secure, Role::kController, "other");
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReader<v2::SubscribeResponse>>> streams;
  v2::SubscribeResponse told;
  for (int i = 0; i < 3; ++i) {
    contexts.push_back(Context());
    streams.push_back(greedy.events->Subscribe(contexts.back().get(), v2::SubscribeRequest()));
    ASSERT_TRUE(streams.back()->Read(&told));
  }
  const auto context = Context();
  const auto refused = greedy.events->Subscribe(context.get(), v2::SubscribeRequest());
  EXPECT_FALSE(refused->Read(&told));
  const auto status = refused->Finish();
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("(--identity-streams)"));
  const auto mine = Context();
  const auto served = other.events->Subscribe(mine.get(), v2::SubscribeRequest());
  EXPECT_TRUE(served->Read(&told));
  mine->TryCancel();
  (void)served->Finish();
  for (auto& one : contexts) one->TryCancel();
  for (auto& one : streams) (void)one->Finish();
  // Writes.
  grpc::Status last;
  int done = 0;
  for (int i = 0; i < 7 && last.ok(); ++i, ++done) last = greedy.Desire(AppIn("greedy-" + std::to_string(i), "a"));
  EXPECT_EQ(last.error_code(), StatusCode::RESOURCE_EXHAUSTED) << done;
  EXPECT_THAT(last.error_message(), HasSubstr("controller/greedy has written too much at once"));
  EXPECT_TRUE(other.Desire(AppIn("other-1", "a")).ok());
  EXPECT_TRUE(greedy.Get("other-1").ok()) << "what it reads is another matter";
  const std::string metrics = secure.running().Metrics();
  EXPECT_THAT(metrics, HasSubstr("baton_calls_refused_total{why=\"identity streams\"}"));
  EXPECT_THAT(metrics, HasSubstr("baton_calls_refused_total{why=\"identity writes\"}"));
}

TEST_F(OneOfMany, OneCallersCallsAtOnceAreLimited) {
  secure.running().WaitForLead();
  As greedy(secure, Role::kController, "greedy");
  As other(secure, Role::kController, "other");
  std::vector<std::future<grpc::Status>> calls;
  for (int i = 0; i < 32; ++i) {
    calls.push_back(std::async(std::launch::async, [&] {
      grpc::Status status;
      for (int j = 0; j < 50 && status.error_code() != StatusCode::RESOURCE_EXHAUSTED; ++j) status = greedy.Get("none");
      return status;
    }));
  }
  int refused = 0;
  for (auto& call : calls) {
    const grpc::Status status = call.get();
    if (status.error_code() != StatusCode::RESOURCE_EXHAUSTED) continue;
    ++refused;
    EXPECT_THAT(status.error_message(), HasSubstr("4 calls of controller/greedy are under way already (--identity-calls)"));
  }
  EXPECT_GT(refused, 0);
  EXPECT_EQ(other.Get("none").error_code(), StatusCode::NOT_FOUND);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(greedy.Get("none").error_code(), StatusCode::NOT_FOUND) << "a place is not given back: " << i;
  EXPECT_THAT(secure.running().Metrics(), HasSubstr("baton_calls_refused_total{why=\"identity calls\"}"));
}

TEST_F(OneOfMany, MetadataIsCounted) {
  secure.running().WaitForLead();
  As other(secure, Role::kController, "other");
  const auto context = Context();
  for (int i = 0; i < 30; ++i) context->AddMetadata("x-" + std::to_string(i), "");
  v2::GetDesiredLRPResponse response;
  const auto status = other.apps->GetDesiredLRP(context.get(), {}, &response);
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("entries of metadata; it takes 20 (--metadata-entries-most)"));
}

}  // namespace
}  // namespace baton
