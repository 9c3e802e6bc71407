// Who may call what, looked at from outside: every method that batond serves, asked by every kind of caller over TLS. What the table
// refuses is refused and changes nothing, what it allows is let in.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <future>
#include <sstream>

#include "baton/v1/requests.pb.h"
#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/server/calls/counted_calls.h"
#include "tests/proto/access_page.h"
#include "tests/schema/pg_tools.h"
#include "tests/server/broken_limits.h"
#include "tests/server/objects_fixture.h"
#include "tests/server/secure_service.h"

namespace baton {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::MethodDescriptor;
using grpc::StatusCode;

constexpr char kVictim[] = "victim";
constexpr std::chrono::milliseconds kLetIn{1500};  // a stream that has not ended by then was let in

struct Caller {
  std::string description;
  KeyAndCertificate certificate;
  // Its letter in the table, or how it is refused.
  char letter = 0;
  StatusCode refused = StatusCode::PERMISSION_DENIED;
  std::vector<std::string> on_behalf = {};  // metadata baton-on-behalf
};

std::vector<const MethodDescriptor*> Served() {
  std::vector<const MethodDescriptor*> methods;
  for (const std::string& name : CountedServices()) {
    const auto* service = DescriptorPool::generated_pool()->FindServiceByName(name);
    for (int i = 0; i < service->method_count(); ++i) methods.push_back(service->method(i));
  }
  return methods;
}

std::string PathOf(const MethodDescriptor& method) { return "/" + method.service()->full_name() + "/" + method.name(); }

bool Allowed(const MethodDescriptor& method, char letter) {
  const std::string& letters = AccessTable().at(PathOf(method));
  const std::size_t at = letters.find(letter);
  return letter != 0 && at < std::min(letters.find('+'), letters.size());
}

// Names the victim, wherever an app is named.
void Aim(Message& message) {
  const auto& reflection = *message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *message.GetDescriptor()->field(i);
    if (field.is_repeated()) continue;
    if (field.name() == "process_guid") {
      reflection.SetString(&message, &field, kVictim);
    } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && reflection.HasField(message, &field)) {
      Aim(*reflection.MutableMessage(&message, &field));
    }
  }
}

// In order, and aimed at the victim: it would do something.
std::string EffectiveRequest(const MethodDescriptor& method) {
  const auto request = ValidRequest(*method.input_type());
  Aim(*request);
  return request->SerializeAsString();
}

// It is about nothing, and changes nothing whoever sends it.
std::string HarmlessRequest(const MethodDescriptor& method) {
  if (method.full_name() != "baton.v1.ActualLRPs.RemoveActualLRP") return "";
  v1::RemoveActualLRPRequest request;  // without a name it is an admin's alone
  request.mutable_actual_lrp_instance_key()->set_instance_guid("none");
  return request.SerializeAsString();
}

grpc::ByteBuffer Bytes(const std::string& text) {
  const grpc::Slice slice(text);
  return {&slice, 1};
}

// Asks all at once, each with one message, and gives how each ended.
class Calls {
 public:
  explicit Calls(std::shared_ptr<grpc::Channel> channel, std::vector<std::string> on_behalf = {})
      : stub_(std::move(channel)), on_behalf_(std::move(on_behalf)) {}

  void Begin(const std::string& path, const std::string& request) {
    calls_.push_back(std::make_unique<One>(stub_, path, Bytes(request), on_behalf_));
  }
  std::vector<grpc::Status> End() {
    std::vector<grpc::Status> ended;
    for (const auto& call : calls_) ended.push_back(call->End());
    calls_.clear();
    return ended;
  }

 private:
  // Of any kind: on the wire one message is a stream of one.
  class One final : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
   public:
    One(grpc::GenericStub& stub, const std::string& path, grpc::ByteBuffer request, const std::vector<std::string>& on_behalf)
        : request_(std::move(request)) {
      for (const std::string& person : on_behalf) context_.AddMetadata(kOnBehalfKey, person);
      context_.set_deadline(std::chrono::system_clock::now() + kLetIn);
      stub.PrepareBidiStreamingCall(&context_, path, {}, this);
      StartWriteLast(&request_, {});
      StartRead(&response_);
      StartCall();
    }
    void OnReadDone(bool ok) override {
      if (ok) StartRead(&response_);
    }
    void OnDone(const grpc::Status& status) override { ended_.set_value(status); }
    grpc::Status End() { return ended_.get_future().get(); }

   private:
    grpc::ClientContext context_;
    grpc::ByteBuffer request_;
    grpc::ByteBuffer response_;
    std::promise<grpc::Status> ended_;
  };
  grpc::GenericStub stub_;
  const std::vector<std::string> on_behalf_;
  std::vector<std::unique_ptr<One>> calls_;
};

std::vector<Caller> CallersOf(const TestAuthority& authority) {
  constexpr std::pair<Role, char> kRoles[] = {{Role::kViewer, 'V'}, {Role::kOperator, 'O'}, {Role::kAdmin, 'A'},
                                              {Role::kController, 'C'}, {Role::kCell, 'N'}, {Role::kRouter, 'R'},
                                              {Role::kAuctioneer, 'U'}, {Role::kWeb, 'W'}, {Role::kBatond, 'B'}};
  const std::string admin = SpiffeId(kTestTrustDomain, {Role::kAdmin, "root"});
  const TestAuthority other;
  const auto nobody = [&](const char* description, const CertificateSpec& spec) {
    return Caller{description, authority.Issue(spec), 0, StatusCode::UNAUTHENTICATED};
  };
  std::vector<Caller> callers = {
      {"none", {}, 0, StatusCode::UNAVAILABLE},
      {"self-signed", TestAuthority::SelfSigned({.uris = {admin}}), 0, StatusCode::UNAVAILABLE},
      {"of another authority", other.Issue({.uris = {admin}}), 0, StatusCode::UNAVAILABLE},
      {"expired", authority.Issue({.uris = {admin}, .valid_from_s = -7200, .valid_to_s = -3600}), 0, StatusCode::UNAVAILABLE},
      {"of the future", authority.Issue({.uris = {admin}, .valid_from_s = 3600, .valid_to_s = 7200}), 0, StatusCode::UNAVAILABLE},
      nobody("a common name alone", {.uris = {}, .common_name = admin}),
      nobody("a DNS name alone", {.uris = {}, .dns = {"admin.baton.example"}}),
      nobody("two URIs", {.uris = {admin, SpiffeId(kTestTrustDomain, {Role::kViewer, "v"})}}),
      nobody("a foreign trust domain", {.uris = {"spiffe://other.example/role/admin/root"}}),
      nobody("an unknown role", {.uris = {"spiffe://baton.example/role/root/root"}}),
      nobody("a role in capitals", {.uris = {"spiffe://baton.example/role/Admin/root"}}),
      nobody("a near miss", {.uris = {"spiffe://baton.example/role/admin/root/"}}),
  };
  for (const auto& [role, letter] : kRoles) {
    callers.push_back({std::string(Name(role)), CertificateOf(authority, role, "one"), letter, StatusCode::PERMISSION_DENIED});
  }
  // A page may what the person may for whom it calls, and nothing by itself.
  const auto page = [&](const std::string& name, std::vector<std::string> people, char letter = 0) {
    const std::string whom = people.empty() ? "nobody" : people.front() + (people.size() > 1 ? " and another" : "");
    callers.push_back({"page " + name + " for " + whom, CertificateOf(authority, Role::kWeb, name), letter, StatusCode::PERMISSION_DENIED,
                       std::move(people)});
  };
  page("full", {"role/viewer/ann"}, 'V');
  page("full", {"role/operator/alice"}, 'O');
  page("full", {"role/admin/root"}, 'A');
  page("part", {"role/operator/alice"}, 'O');
  page("part", {"role/admin/root"});
  page("without-a-line", {"role/viewer/ann"});
  page("full", {"role/viewer/ann", "role/viewer/ann"});
  for (const char* near : {"", "operator/alice", "role/operator/", "role/operator", "role/Operator/alice", "role/root/alice", "role/operator/alice/",
                           "role/operator/al ice", "/role/operator/alice", "role/controller/cc", "role/cell/one", "role/web/full", "role/batond/b1",
                           "spiffe://baton.example/role/operator/alice"}) {
    page("full", {near});
  }
  // Who is no page calls for nobody else.
  for (const auto& [role, letter] : kRoles) {
    if (role == Role::kWeb) continue;
    callers.push_back({std::string(Name(role)) + " for a viewer", CertificateOf(authority, role, "one"), 0, StatusCode::PERMISSION_DENIED,
                       {"role/viewer/ann"}});
  }
  return callers;
}

constexpr char kMatrixAccess[] =
    "controller * domains * hostnames *\n"
    "cell * networks 127.0.0.0/8 pulls\n"
    "router *\n"
    "web full most admin\n"
    "web part most operator\n";

// All but what batond writes by itself, and the audit: refusals stand there.
std::string Content(const std::string& url) {
  std::vector<std::string> options = {"--data-only"};
  for (const char* table : {"audit", "leases", "members", "api_usage", "store"}) {
    options.push_back(std::string("--exclude-table-data=") + table);
  }
  std::istringstream dump(testing::PgDump(url, options));
  std::string content;
  for (std::string line; std::getline(dump, line);) {
    if (line.find("public.audit_sequence_seq") == std::string::npos) content += line + "\n";
  }
  return content;
}

class AccessMatrix : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    file = new AccessText(kMatrixAccess);
    secure = new SecureService(With(file->path()));
    secure->running().WaitForLead();
    ASSERT_TRUE(secure->running().Desire(RunningService::SmallApp(kVictim, 0)).ok());
  }
  static void TearDownTestSuite() {
    delete secure;
    delete file;
  }

  static inline AccessText* file = nullptr;
  static inline SecureService* secure = nullptr;
};

TEST_F(AccessMatrix, IsWhatTheTableSaysForEachMethodAndCaller) {
  const auto methods = Served();
  const auto callers = CallersOf(secure->authority());
  int refused = 0;
  int allowed = 0;
  int extra = 0;
  const std::string before = Content(secure->running().url());
  ASSERT_NE(before.find(kVictim), std::string::npos);
  for (const Caller& caller : callers) {
    Calls calls(secure->ChannelOf(caller.certificate), caller.on_behalf);
    std::vector<const MethodDescriptor*> asked;
    for (const MethodDescriptor* method : methods) {
      if (Allowed(*method, caller.letter)) continue;
      calls.Begin(PathOf(*method), EffectiveRequest(*method));
      asked.push_back(method);
    }
    const auto ended = calls.End();
    for (std::size_t i = 0; i < asked.size(); ++i, ++refused) {
      if (ended[i].error_code() == caller.refused) continue;
      ++extra;
      ADD_FAILURE() << caller.description << " " << PathOf(*asked[i]) << ": " << ended[i].error_code() << " " << ended[i].error_message();
    }
  }
  EXPECT_EQ(Content(secure->running().url()), before) << "a refused call has changed something";
  for (const Caller& caller : callers) {
    Calls calls(secure->ChannelOf(caller.certificate), caller.on_behalf);
    std::vector<const MethodDescriptor*> asked;
    for (const MethodDescriptor* method : methods) {
      if (!Allowed(*method, caller.letter)) continue;
      calls.Begin(PathOf(*method), HarmlessRequest(*method));
      asked.push_back(method);
    }
    const auto ended = calls.End();
    for (std::size_t i = 0; i < asked.size(); ++i, ++allowed) {
      const StatusCode code = ended[i].error_code();
      EXPECT_TRUE(code != StatusCode::PERMISSION_DENIED && code != StatusCode::UNAUTHENTICATED && code != StatusCode::UNIMPLEMENTED)
          << caller.description << " " << PathOf(*asked[i]) << ": " << ended[i].error_message();
    }
  }
  // The requests would have done something: those of an admin do.
  Calls calls(secure->ChannelOf(Role::kAdmin, "root"));
  calls.Begin("/baton.v2.DesiredLRPs/RemoveDesiredLRP",
              EffectiveRequest(*DescriptorPool::generated_pool()->FindMethodByName("baton.v2.DesiredLRPs.RemoveDesiredLRP")));
  EXPECT_TRUE(calls.End().front().ok());
  EXPECT_NE(Content(secure->running().url()), before);
  EXPECT_EQ(refused + allowed, static_cast<int>(methods.size() * callers.size()));
  EXPECT_EQ(methods.size() + 1, AccessTable().size()) << "batond serves all but the auctioneer's";
  std::printf("access matrix: %zu methods x %zu identities, %d allowed, %d refused, extra permissions %d\n", methods.size(), callers.size(),
              allowed, refused, extra);
}

TEST_F(AccessMatrix, WhatIsNoMethodIsRefusedInTheSameWords) {
  for (const char* path : {"/baton.v2.Admin/NoSuchCall", "/baton.v2.NoSuchService/Call", "/baton.v2.Auctioneer/Place", "/x",
                           "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"}) {
    Calls calls(secure->ChannelOf(Role::kViewer, "v"));
    calls.Begin(path, "");
    calls.Begin("/baton.v2.Admin/RotateKeys", "");
    const auto ended = calls.End();
    EXPECT_EQ(ended[0].error_code(), StatusCode::PERMISSION_DENIED) << path;
    EXPECT_EQ(ended[0].error_message(), ended[1].error_message());
  }
}

}  // namespace
}  // namespace baton
