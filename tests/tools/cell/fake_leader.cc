#include "tests/tools/cell/fake_leader.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>

#include "orchestrator/base/check.h"
#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/wire/stored/content_hash.h"
#include "tests/tools/shim/wait.h"

namespace baton::testing {

class FakeLeader::CellsService final : public v2::Cells::Service {
 public:
  explicit CellsService(FakeLeader& leader) : leader_(leader) {}
  grpc::Status Connect(grpc::ServerContext* context, Stream* stream) override {
    if (const grpc::Status admitted = leader_.Admit(*context); !admitted.ok()) return admitted;
    leader_.Serve(*stream);
    if (!context->IsCancelled()) ++leader_.ended_in_order_;
    return grpc::Status::OK;
  }

 private:
  FakeLeader& leader_;
};

class FakeLeader::DefinitionsService final : public v2::Definitions::Service {
 public:
  explicit DefinitionsService(FakeLeader& leader) : leader_(leader) {}
  grpc::Status GetDefinition(grpc::ServerContext*, const v2::GetDefinitionRequest* request,
                             v2::GetDefinitionResponse* response) override {
    ++leader_.definitions_asked_;
    const std::lock_guard lock(leader_.mutex_);
    const auto found = leader_.definitions_.find(request->definition_identifier());
    if (found == leader_.definitions_.end()) return {grpc::StatusCode::NOT_FOUND, "no such definition"};
    if (!request->reveal_secrets()) return {grpc::StatusCode::INVALID_ARGUMENT, "a cell needs the secrets"};
    v2::LRPDefinition& answer = *response->mutable_definition()->mutable_definition() = found->second;
    auto& [other, times] = leader_.falsified_[request->definition_identifier()];
    if (times > 0 && times-- > 0) answer = other;
    return grpc::Status::OK;
  }

 private:
  FakeLeader& leader_;
};

FakeLeader::FakeLeader(std::int64_t epoch)
    : epoch_(epoch), cells_(std::make_unique<CellsService>(*this)),
      definitions_service_(std::make_unique<DefinitionsService>(*this)) {
  Start();
}

FakeLeader::~FakeLeader() { Stop(); }

void FakeLeader::Start() {
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(address_, grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(cells_.get());
  builder.RegisterService(definitions_service_.get());
  server_ = builder.BuildAndStart();
  CHECK(server_ != nullptr && port != 0);
  address_ = "127.0.0.1:" + std::to_string(port);
}

void FakeLeader::Stop() {
  if (!server_) return;
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
  server_.reset();
}

void FakeLeader::set_policy(Policy policy) {
  const std::lock_guard lock(mutex_);
  policy_ = std::move(policy);
}

void FakeLeader::set_refusal(const grpc::Status& refusal) {
  const std::lock_guard lock(mutex_);
  refusal_ = refusal;
}

std::vector<std::string> FakeLeader::client_versions() const {
  const std::lock_guard lock(mutex_);
  return client_versions_;
}

grpc::Status FakeLeader::Admit(const grpc::ServerContext& context) {
  const auto version = context.client_metadata().find(kClientVersionKey);
  const std::lock_guard lock(mutex_);
  client_versions_.push_back(
      version == context.client_metadata().end() ? "" : std::string(version->second.data(), version->second.size()));
  return refusal_;
}

std::string FakeLeader::Define(const std::string& identifier, v2::LRPDefinition definition) {
  definition.set_definition_identifier(identifier);
  if (definition.resource().root_fs().empty()) definition.mutable_resource()->set_root_fs("host:any");
  definition.set_content_hash(wire::ContentHash(definition));
  const std::lock_guard lock(mutex_);
  definitions_[identifier] = definition;
  return definition.content_hash();
}

void FakeLeader::Falsify(const std::string& identifier, v2::LRPDefinition definition, int times) {
  const std::lock_guard lock(mutex_);
  definition.set_definition_identifier(identifier);
  definition.set_content_hash(definitions_.at(identifier).content_hash());
  falsified_[identifier] = {std::move(definition), times};
}

void FakeLeader::Send(v2::LeaderToCell message, std::int64_t epoch) {
  message.set_epoch(epoch != 0 ? epoch : epoch_.load());
  const std::lock_guard lock(mutex_);
  if (stream_) stream_->Write(message);
}

void FakeLeader::Run(const std::string& actual_id, const std::string& definition, std::int64_t start_timeout_ms,
                     bool egress_unenforced) {
  v2::LeaderToCell message;
  v2::RunOrder* order = message.add_run();
  order->set_actual_id(actual_id);
  order->set_process_guid("app");
  order->set_incarnation(1);
  order->set_index(3);
  order->set_definition_identifier(definition);
  order->set_start_timeout_ms(start_timeout_ms);
  order->set_domain("tests");
  order->set_egress_unenforced(egress_unenforced);
  {
    const std::lock_guard lock(mutex_);
    const v2::LRPDefinition& known = definitions_[definition];
    order->set_content_hash(known.content_hash());
    order->mutable_resources()->set_memory_mb(known.resource().memory_mb());
  }
  Send(std::move(message));
}

void FakeLeader::StopInstance(const std::string& actual_id, std::int64_t grace_ms) {
  v2::LeaderToCell message;
  message.add_stop()->set_actual_id(actual_id);
  message.mutable_stop(0)->set_grace_ms(grace_ms);
  Send(std::move(message));
}

void FakeLeader::Serve(Stream& stream) {
  v2::CellMessage message;
  while (stream.Read(&message)) Take(message, stream);
  const std::lock_guard lock(mutex_);
  if (stream_ == &stream) stream_ = nullptr;
}

void FakeLeader::Take(const v2::CellMessage& message, Stream& stream) {
  v2::LeaderToCell answer;
  answer.set_epoch(epoch_);
  const std::lock_guard lock(mutex_);
  if (message.has_hello()) {
    hellos_.push_back(message.hello());
    stream_ = &stream;
    answer.mutable_welcome()->set_epoch(epoch_);
    answer.mutable_welcome()->set_heartbeat_interval_ms(200);
    answer.mutable_welcome()->set_lease_ms(1000);
  }
  if (message.has_heartbeat()) ++heartbeats_;
  for (const v2::CellReport& report : message.reports().reports()) {
    reports_.push_back(report);
    const std::optional<Outcome> outcome = policy_ ? policy_(report) : v2::CellReportResult::APPLIED;
    if (!outcome) continue;
    v2::CellReportResult* result = answer.add_results();
    result->set_report_id(report.report_id());
    result->set_outcome(*outcome);
  }
  if (answer.has_welcome() || answer.results_size() > 0) stream.Write(answer);
}

std::vector<v2::CellHello> FakeLeader::hellos() const {
  const std::lock_guard lock(mutex_);
  return hellos_;
}

std::vector<v2::CellReport> FakeLeader::reports() const {
  const std::lock_guard lock(mutex_);
  return reports_;
}

std::vector<v2::CellReport> FakeLeader::reports(const std::string& actual_id) const {
  std::vector<v2::CellReport> found;
  for (const v2::CellReport& report : reports()) {
    if (report.actual_id() == actual_id) found.push_back(report);
  }
  return found;
}

std::optional<v2::CellReport> FakeLeader::WaitFor(const std::string& actual_id,
                                                  const std::function<bool(const v2::CellReport&)>& is,
                                                  std::size_t from) const {
  std::optional<v2::CellReport> result;
  WaitUntil([&] {
    const std::vector<v2::CellReport> all = reports(actual_id);
    for (std::size_t i = from; i < all.size() && !result; ++i) {
      if (is(all[i])) result = all[i];
    }
    return result.has_value();
  });
  return result;
}

bool FakeLeader::WaitForHello(std::size_t count) const {
  return WaitUntil([&] { return hellos().size() >= count; });
}

}  // namespace baton::testing
