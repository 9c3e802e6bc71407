// Each call of both APIs, by reflection: what changes something is in the audit, where it was done and where it was
// refused, and with the reason; one that is new and is done nowhere here is named.
#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <grpcpp/generic/generic_stub.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "baton/v2/upgrades_service.grpc.pb.h"
#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/server/calls/audited_methods.h"
#include "orchestrator/server/calls/counted_calls.h"
#include "orchestrator/wire/messages/access_options.h"
#include "tests/server/convergence_fixture.h"
#include "tests/server/key_file.h"
#include "tests/server/secure_service.h"

namespace baton {
namespace {

using google::protobuf::Message;
using google::protobuf::MethodDescriptor;

// Where they are seen to be in it when they were done.
const std::set<std::string>& DoneElsewhere() {
  static const std::set<std::string> kMethods = {
      "baton.v2.Upgrades/BeginUpgrade",  // upgrade_pgtest: it takes data of an older schema
      "baton.v2.Upgrades/RollBackUpgrade",
  };
  return kMethods;
}

std::vector<const MethodDescriptor*> AllMethods() {
  std::vector<const MethodDescriptor*> methods;
  for (const std::string& name : CountedServices()) {
    const auto* of = google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(name);
    for (int i = 0; i < of->method_count(); ++i) methods.push_back(of->method(i));
  }
  return methods;
}

std::string NameOf(const MethodDescriptor& method) { return method.service()->full_name() + "/" + method.name(); }

class AuditOfEach : public ConvergencePass {
 protected:
  AuditOfEach() : ConvergencePass(WithKeys()) {}
  ~AuditOfEach() override { std::filesystem::remove(KeyFile()); }
  static std::string KeyFile() { return "/tmp/baton-audit-keys-" + std::to_string(getpid()); }
  static batond::ServiceOptions WithKeys() {
    WriteKeyFile(KeyFile());
    batond::ServiceOptions options;
    options.keys = KeyFile();
    return options;
  }
  // The bytes as they are; what is answered does not matter.
  static grpc::Status Ask(const std::shared_ptr<grpc::Channel>& channel, const std::string& method, const std::string& bytes,
                          const std::string& actor) {
    const grpc::Slice slice(bytes);
    const grpc::ByteBuffer sent(&slice, 1);
    grpc::ByteBuffer received;
    const auto context = Context();
    context->AddMetadata(kActorKey, actor);
    grpc::CompletionQueue queue;
    grpc::TemplatedGenericStub<grpc::ByteBuffer, grpc::ByteBuffer> stub(channel);
    const auto call = stub.PrepareUnaryCall(context.get(), "/" + method, sent, &queue);
    call->StartCall();
    grpc::Status status;
    call->Finish(&received, &status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
    queue.Shutdown();
    return status;
  }
  std::vector<v2::AuditEntry> OfActor(const std::string& actor) {
    v2::ListAuditRequest request;
    request.set_actor(actor);
    const auto context = Context();
    const auto reader = service.admin->ListAudit(context.get(), request);
    std::vector<v2::AuditEntry> entries;
    for (v2::ListAuditResponse page; reader->Read(&page);) {
      entries.insert(entries.end(), page.entries().begin(), page.entries().end());
    }
    EXPECT_TRUE(reader->Finish().ok());
    return entries;
  }
  void ExpectEntry(const std::string& method, const std::string& actor, const grpc::Status& told) {
    EXPECT_TRUE(Eventually([&] { return OfActor(actor).size() == 1; }, std::chrono::seconds(5))) << "it is not in the audit";
    for (const v2::AuditEntry& entry : OfActor(actor)) {
      EXPECT_EQ(entry.method(), method);
      // baton.v1 has its errors in the answer.
      const bool refused = !told.ok() || method.starts_with("baton.v1.");
      EXPECT_EQ(entry.outcome() != "OK", refused) << entry.outcome();
      EXPECT_EQ(!entry.reason().empty(), refused);
      if (told.error_code() == grpc::StatusCode::INVALID_ARGUMENT) {
        EXPECT_EQ(entry.outcome(), "INVALID_ARGUMENT");
      }
    }
  }
};

TEST_F(AuditOfEach, HasItWhereItWasRefusedForWhatItAsksAndWhereItCannotBeRead) {
  int number = 0;
  int of_v2 = 0;
  int refused = 0;
  for (const MethodDescriptor* method : AllMethods()) {
    const std::string name = NameOf(*method);
    if (!IsAudited(name)) continue;
    SCOPED_TRACE(name);
    const std::unique_ptr<Message> request(
        google::protobuf::MessageFactory::generated_factory()->GetPrototype(method->input_type())->New());
    if (name == "baton.v2.Admin/Convergence") {
      request->GetReflection()->SetBool(request.get(), method->input_type()->FindFieldByName("run"), true);
    }
    request->GetReflection()->MutableUnknownFields(request.get())->AddVarint(9999, 1);
    const std::string asks = "asks-" + std::to_string(++number);
    const grpc::Status told = Ask(service.channel(), name, request->SerializeAsString(), asks);
    ExpectEntry(name, asks, told);
    // baton.v1 has its errors in the answer.
    of_v2 += name.starts_with("baton.v2.") ? 1 : 0;
    refused += told.error_code() == grpc::StatusCode::INVALID_ARGUMENT ? 1 : 0;
    const std::string unreadable = "unreadable-" + std::to_string(number);
    const grpc::Status unread = Ask(service.channel(), name, "\x0a\xff", unreadable);
    EXPECT_EQ(unread.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    ExpectEntry(name, unreadable, unread);
  }
  EXPECT_EQ(refused, of_v2) << "each refuses a field that it does not know";
}

// One that a newer client sends, or a typing mistake of an older one: it was ignored by what lists everything.
TEST_F(AuditOfEach, CallThatReadsRefusesAFieldThatItDoesNotKnow) {
  const std::set<std::string> asked_across_versions = {"baton.v2.Admin/Ping", "baton.v2.Admin/Status", "baton.v2.Admin/Versions"};
  int reading = 0;
  for (const MethodDescriptor* method : AllMethods()) {
    const std::string name = NameOf(*method);
    if (!name.starts_with("baton.v2.") || wire::AccessOf(*method)->effect != CallEffect::kReads) continue;
    if (asked_across_versions.contains(name)) continue;
    ++reading;
    const std::unique_ptr<Message> request(
        google::protobuf::MessageFactory::generated_factory()->GetPrototype(method->input_type())->New());
    request->GetReflection()->MutableUnknownFields(request.get())->AddVarint(9999, 1);
    const grpc::Status told = Ask(service.channel(), name, request->SerializeAsString(), "reads");
    EXPECT_EQ(told.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << name << ": " << told.error_message();
    EXPECT_THAT(told.error_message(), ::testing::HasSubstr("9999")) << name;
  }
  EXPECT_GT(reading, 20);
}

class DoneOfEach : public AuditOfEach {
 protected:
  void Do(const std::string& method, const Message& request) {
    SCOPED_TRACE(method);
    const std::string actor = "does-" + std::to_string(++number_);
    const grpc::Status status = Ask(service.channel(), method, request.SerializeAsString(), actor);
    EXPECT_TRUE(status.ok()) << status.error_message();
    const auto entries = OfActor(actor);
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].method(), method);
    EXPECT_EQ(entries[0].outcome(), "OK") << entries[0].reason();
    done_.insert(method);
  }
  static v2::DesiredLRP Whole(const std::string& definition) {
    v2::DesiredLRP app = RunningService::SmallApp("app").desired_lrp();
    app.mutable_definition()->set_definition_identifier(definition);
    auto* variable = app.mutable_definition()->mutable_run_info()->add_environment_variables();
    variable->set_name("V");
    variable->set_value(definition);
    return app;
  }
  void DoToAnApp();
  void DoToOthers();
  void DoInV1();

  std::set<std::string> done_ = DoneElsewhere();
  int number_ = 0;
};

void DoneOfEach::DoToAnApp() {
  v2::DesireLRPRequest desire;
  *desire.mutable_desired_lrp() = Whole("v1");
  Do("baton.v2.DesiredLRPs/DesireLRP", desire);
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("app");
  *update.mutable_update()->mutable_desired_lrp() = Whole("v2");
  Do("baton.v2.DesiredLRPs/UpdateDesiredLRP", update);
  v2::ChangeRollRequest change;
  change.set_process_guid("app");
  Do("baton.v2.Rolls/PauseRoll", change);
  Do("baton.v2.Rolls/ResumeRoll", change);
  // What leads there takes cells and minutes; who reads the rows anew goes on from them.
  Sql("UPDATE rolls SET state = 'PAUSED', paused_by_hand = false, stage_since = now()");
  Do("baton.v2.Rolls/PromoteRoll", change);
  Sql("UPDATE rolls SET state = 'HELD', paused_by_hand = false, stage_since = NULL");
  Do("baton.v2.Rolls/RetryRoll", change);
  Do("baton.v2.Rolls/CancelRoll", change);
  Sql("UPDATE definitions SET proven_at = now()");
  v2::RollBackRequest back;
  back.set_process_guid("app");
  back.set_definition_identifier("v1");
  Do("baton.v2.Rolls/RollBack", back);
  v2::ReplaceDesiredLRPRequest replace;
  *replace.mutable_desired_lrp() = Whole("v3");
  Do("baton.v2.DesiredLRPs/ReplaceDesiredLRP", replace);
  v2::PinDefinitionRequest pin;
  pin.set_process_guid("app");
  pin.set_definition_identifier("v3");
  pin.set_pinned(true);
  Do("baton.v2.Definitions/PinDefinition", pin);
  v2::RetireInstancesRequest retire;
  retire.set_process_guid("app");
  Do("baton.v2.ActualLRPs/RetireInstances", retire);
  v2::RebalanceInstancesRequest rebalance;
  rebalance.set_process_guid("app");
  Do("baton.v2.ActualLRPs/RebalanceInstances", rebalance);
  v2::RemoveDesiredLRPRequest remove;
  remove.set_process_guid("app");
  Do("baton.v2.DesiredLRPs/RemoveDesiredLRP", remove);
}

void DoneOfEach::DoToOthers() {
  v2::UpsertDomainRequest upsert;
  upsert.set_domain("of-v2");
  Do("baton.v2.Domains/UpsertDomain", upsert);
  v2::SetDomainEgressRequest egress;
  egress.set_domain("lab");
  egress.set_unenforced("warn");
  Do("baton.v2.Domains/SetDomainEgress", egress);
  ScriptedCell cell(service, "cell-1");
  cell.Hello();
  (void)cell.Welcome();
  ASSERT_TRUE(Eventually([&] { return StateOf("cell-1") != "UNKNOWN"; }));
  v2::ChangeCellRequest drain;
  drain.set_cell_id("cell-1");
  Do("baton.v2.Cells/DrainCell", drain);
  Do("baton.v2.Cells/UndrainCell", drain);
  Sql("INSERT INTO route_consumers (consumer_id, version, registered_at, lease_expires_at) VALUES ('router-1', '1.0', now(), now())");
  v2::RemoveRouteConsumerRequest router;
  router.set_consumer_id("router-1");
  Do("baton.v2.Routes/RemoveRouteConsumer", router);
  v2::ConvergenceRequest converge;
  converge.set_run(true);
  Do("baton.v2.Admin/Convergence", converge);
  Do("baton.v2.Admin/RotateKeys", v2::RotateKeysRequest());
  Do("baton.v2.Upgrades/FinishUpgrade", v2::FinishUpgradeRequest());
}

void DoneOfEach::DoInV1() {
  v1::DesireLRPRequest old_desire;
  v1::DesiredLRP& old = *old_desire.mutable_desired_lrp();
  old.set_process_guid("old");
  old.set_domain("cf");
  old.set_root_fs("host:");
  old.set_instances(1);
  old.mutable_action()->mutable_run_action()->set_path("/bin/true");
  Do("baton.v1.DesiredLRPs/DesireLRP", old_desire);
  v1::UpdateDesiredLRPRequest old_update;
  old_update.set_process_guid("old");
  old_update.mutable_update()->set_instances(2);
  Do("baton.v1.DesiredLRPs/UpdateDesiredLRP", old_update);
  v1::RetireActualLRPRequest old_retire;
  old_retire.mutable_actual_lrp_key()->set_process_guid("old");
  Do("baton.v1.ActualLRPs/RetireActualLRP", old_retire);
  v1::UpsertDomainRequest old_upsert;
  old_upsert.set_domain("of-v1");
  Do("baton.v1.Domains/UpsertDomain", old_upsert);
  v1::RemoveDesiredLRPRequest old_remove;
  old_remove.set_process_guid("old");
  Do("baton.v1.DesiredLRPs/RemoveDesiredLRP", old_remove);
}

TEST_F(DoneOfEach, IsInIt) {
  DoToAnApp();
  DoToOthers();
  DoInV1();
  for (const MethodDescriptor* method : AllMethods()) {
    EXPECT_EQ(IsAudited(NameOf(*method)), done_.contains(NameOf(*method))) << NameOf(*method) << ": nobody has done it here";
  }
}

// A cell's word about an instance is no wish, an admin's is.
TEST(AuditOverTls, HasWhatAnAdminSaysOfAnInstance) {
  SecureService secure;
  RunningService& service = secure.running();
  service.WaitForLead();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  ASSERT_TRUE(Eventually([&] { return service.Instances("app").size() == 1; }));
  constexpr char kOfApp[] = "audit WHERE method = 'baton.v2.ActualLRPs/RemoveActualLRP' AND process_guid = 'app' AND outcome ";
  v2::RemoveActualLRPRequest remove;
  remove.mutable_slot()->set_process_guid("app");
  v2::ActualLRPLifecycleResponse response;
  const grpc::Status removed = service.lrps->RemoveActualLRP(Context().get(), remove, &response);
  EXPECT_TRUE(removed.ok()) << removed.error_message();
  EXPECT_TRUE(Exists(service.url(), std::string(kOfApp) + "= 'OK'"));
  remove.mutable_slot()->set_index(99);
  EXPECT_FALSE(service.lrps->RemoveActualLRP(Context().get(), remove, &response).ok());
  EXPECT_TRUE(Eventually([&] { return Exists(service.url(), std::string(kOfApp) + "~ '^NOT_FOUND '"); }));
  const auto cell = v2::ActualLRPs::NewStub(secure.ChannelOf(Role::kCell, "cell-1"));
  v2::FailActualLRPRequest fail;
  *fail.mutable_slot() = remove.slot();
  EXPECT_EQ(cell->FailActualLRP(Context().get(), fail, &response).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_FALSE(Exists(service.url(), "audit WHERE method = 'baton.v2.ActualLRPs/FailActualLRP'"));
}

}  // namespace
}  // namespace baton
