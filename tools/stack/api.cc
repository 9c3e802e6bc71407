#include "tools/stack/api.h"

#include <grpcpp/client_context.h>

#include <algorithm>

#include "orchestrator/base/uuid.h"
#include "orchestrator/model/calls/wire_names.h"
#include "tools/client/channel.h"
#include "tools/client/hints.h"
#include "tools/stack/wait_for.h"

namespace baton::stack {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kCallTimeout{5'000};
constexpr milliseconds kGivenUpAfter{30'000};
constexpr milliseconds kRetryAfter{100};
constexpr milliseconds kAskAgainMax{1'000};

void Prepare(grpc::ClientContext& context) { context.AddMetadata(kActorKey, "baton-demo"); }

// CANCELLED: gRPC 1.51 says so, and nothing else, of a call that came while its server stopped and that no handler has
// seen (https://github.com/grpc/grpc/issues/41785). Who cancels one here asks for no more.
bool WorthAskingAgain(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::UNAVAILABLE || status.error_code() == grpc::StatusCode::CANCELLED ||
         status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
}

// All messages of a stream.
template <class Message, class Reader, class Take>
grpc::Status ReadAll(std::unique_ptr<Reader> reader, Take take) {
  for (Message message; reader->Read(&message);) take(message);
  return reader->Finish();
}

}  // namespace

bool IsOver(v2::RollState state) { return state == v2::HELD || state >= v2::COMPLETED; }

Api::Stubs::Stubs(const std::string& address, const ClientCredentials& credentials)
    : channel(Dial(address, credentials)), desired_lrps(v2::DesiredLRPs::NewStub(channel)), rolls(v2::Rolls::NewStub(channel)),
      definitions(v2::Definitions::NewStub(channel)), actual_lrps(v2::ActualLRPs::NewStub(channel)),
      cells(v2::Cells::NewStub(channel)), admin(v2::Admin::NewStub(channel)),
      events(v2::Events::NewStub(channel)) {}

Api::Api(const std::vector<std::string>& addresses, std::stop_token stop, const ClientCredentials& credentials)
    : stop_(std::move(stop)), given_(addresses), addresses_(addresses) {
  for (const std::string& address : given_) stubs_.try_emplace(address, address, credentials);
}

void Api::AskNext(const grpc::ClientContext& context) {
  const Hints hints = HintsIn(context);
  addresses_.Next(hints.leader);
  if (addresses_.named()) return;
  const milliseconds wait = hints.retry_after.count() > 0 ? hints.retry_after : kRetryAfter;
  Rest(std::clamp(wait, kPollInterval, kAskAgainMax), stop_);
}

std::optional<v2::PingResponse> Api::Ping(Stubs& stubs) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + milliseconds(1000));
  v2::PingResponse response;
  if (!stubs.admin->Ping(&context, {}, &response).ok()) return std::nullopt;
  return response;
}

std::optional<std::size_t> Api::Leader() {
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const auto answer = Ping(stubs_.at(given_[i]));
    if (answer && answer->available()) return i;
  }
  return std::nullopt;
}

bool Api::Answers(std::size_t which) { return Ping(stubs_.at(given_.at(which))).has_value(); }

bool Api::Available() { return Leader().has_value(); }

std::int64_t Api::Epoch() {
  for (auto& [address, stubs] : stubs_) {
    const auto answer = Ping(stubs);
    if (answer && answer->available()) return answer->epoch();
  }
  return 0;
}

void Api::Call(const std::string& name, const Attempt& attempt) {
  const auto give_up_at = Clock::now() + kGivenUpAfter;
  while (true) {
    grpc::ClientContext context;
    Prepare(context);
    context.set_deadline(std::chrono::system_clock::now() + kCallTimeout);
    const grpc::Status status = attempt(context);
    if (status.ok()) return;
    if (stop_.stop_requested()) throw Interrupted();
    if (!WorthAskingAgain(status) || Clock::now() >= give_up_at) {
      throw StackError(name + " was answered with " + std::to_string(status.error_code()) + ": " +
                       status.error_message());
    }
    AskNext(context);
  }
}

v2::Roll Api::Desire(const v2::DesiredLRP& app) {
  v2::DesireLRPRequest request;
  *request.mutable_desired_lrp() = app;
  request.set_idempotency_key(RandomUuid());
  v2::DesireLRPResponse response;
  Call("DesireLRP", [&](auto& context) { return at().desired_lrps->DesireLRP(&context, request, &response); });
  return response.roll();
}

v2::UpdateDesiredLRPResponse Api::Update(const std::string& process_guid, const v2::DesiredLRPUpdate& update) {
  v2::UpdateDesiredLRPRequest request;
  request.set_process_guid(process_guid);
  *request.mutable_update() = update;
  request.set_idempotency_key(RandomUuid());
  v2::UpdateDesiredLRPResponse response;
  Call("UpdateDesiredLRP",
       [&](auto& context) { return at().desired_lrps->UpdateDesiredLRP(&context, request, &response); });
  return response;
}

void Api::Remove(const std::string& process_guid) {
  v2::RemoveDesiredLRPRequest request;
  request.set_process_guid(process_guid);
  request.set_idempotency_key(RandomUuid());
  v2::RemoveDesiredLRPResponse response;
  Call("RemoveDesiredLRP",
       [&](auto& context) { return at().desired_lrps->RemoveDesiredLRP(&context, request, &response); });
}

v2::Roll Api::Change(const std::string& process_guid, const char* name, Changer changer) {
  v2::ChangeRollRequest request;
  request.set_process_guid(process_guid);
  request.set_idempotency_key(RandomUuid());
  v2::ChangeRollResponse response;
  Call(name, [&](auto& context) { return (at().rolls.get()->*changer)(&context, request, &response); });
  return response.roll();
}

v2::Roll Api::Pause(const std::string& guid) { return Change(guid, "PauseRoll", &v2::Rolls::Stub::PauseRoll); }
v2::Roll Api::Cancel(const std::string& guid) { return Change(guid, "CancelRoll", &v2::Rolls::Stub::CancelRoll); }
v2::Roll Api::Promote(const std::string& guid) { return Change(guid, "PromoteRoll", &v2::Rolls::Stub::PromoteRoll); }

v2::Roll Api::RollBack(const std::string& guid, const std::string& definition_identifier) {
  v2::RollBackRequest request;
  request.set_process_guid(guid);
  request.set_definition_identifier(definition_identifier);
  v2::UpdateDesiredLRPResponse response;
  Call("RollBack", [&](auto& context) { return at().rolls->RollBack(&context, request, &response); });
  return response.roll();
}

void Api::DrainCell(const std::string& cell_id) {
  v2::ChangeCellRequest request;
  request.set_cell_id(cell_id);
  v2::ChangeCellResponse response;
  Call("DrainCell", [&](auto& context) { return at().cells->DrainCell(&context, request, &response); });
}

int Api::RetireInstances(const std::string& guid) {
  v2::RetireInstancesRequest request;
  request.set_process_guid(guid);
  request.set_idempotency_key(RandomUuid());
  v2::RetireInstancesResponse response;
  Call("RetireInstances", [&](auto& context) { return at().actual_lrps->RetireInstances(&context, request, &response); });
  return response.instances();
}

v2::GetRollResponse Api::GetRoll(const std::string& process_guid) {
  v2::GetRollRequest request;
  request.set_process_guid(process_guid);
  request.set_with_steps(true);
  v2::GetRollResponse response;
  Call("GetRoll", [&](auto& context) { return at().rolls->GetRoll(&context, request, &response); });
  return response;
}

std::vector<v2::Roll> Api::OpenRolls() {
  std::vector<v2::Roll> all;
  Call("ListRolls", [&](auto& context) {
    all.clear();
    return ReadAll<v2::ListRollsResponse>(at().rolls->ListRolls(&context, {}), [&](const auto& page) {
      all.insert(all.end(), page.rolls().begin(), page.rolls().end());
    });
  });
  return all;
}

std::vector<v2::ActualLRP> Api::Instances(const std::string& process_guid) {
  v2::ListActualLRPsRequest request;
  request.set_process_guid(process_guid);
  std::vector<v2::ActualLRP> all;
  Call("ListActualLRPs", [&](auto& context) {
    all.clear();
    return ReadAll<v2::ListActualLRPsResponse>(at().actual_lrps->ListActualLRPs(&context, request), [&](const auto& page) {
      all.insert(all.end(), page.actual_lrps().begin(), page.actual_lrps().end());
    });
  });
  return all;
}

std::vector<v2::Definition> Api::Definitions(const std::string& process_guid) {
  v2::ListDefinitionsRequest request;
  request.set_process_guid(process_guid);
  std::vector<v2::Definition> all;
  Call("ListDefinitions", [&](auto& context) {
    all.clear();
    return ReadAll<v2::ListDefinitionsResponse>(
        at().definitions->ListDefinitions(&context, request),
        [&](const auto& page) { all.insert(all.end(), page.definitions().begin(), page.definitions().end()); });
  });
  return all;
}

std::vector<v2::Cell> Api::Cells() {
  v2::ListCellsResponse response;
  Call("ListCells", [&](auto& context) { return at().cells->ListCells(&context, {}, &response); });
  return {response.cells().begin(), response.cells().end()};
}

Api::PastEvents Api::Events(const std::string& process_guid, const std::string& kind, std::int64_t after_sequence) {
  v2::SubscribeRequest request;
  request.set_process_guid(process_guid);
  request.add_kinds(kind);
  request.set_after_sequence(after_sequence);
  PastEvents past;
  Call("Subscribe", [&](auto& context) {
    past = {};
    const auto stream = at().events->Subscribe(&context, request);
    for (v2::SubscribeResponse answer; stream->Read(&answer);) {
      past.events.insert(past.events.end(), answer.events().begin(), answer.events().end());
      past.sequence = answer.sequence();
      if (!answer.caught_up()) continue;
      context.TryCancel();
      (void)stream->Finish();
      return grpc::Status::OK;
    }
    const grpc::Status end = stream->Finish();
    return end.ok() ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "the events ended before the last one") : end;
  });
  return past;
}

v2::Roll Api::WatchRoll(const std::string& roll_id, const SeeRoll& see) {
  v2::WatchRollRequest request;
  request.set_roll_id(roll_id);
  v2::Roll last;
  auto heard_at = Clock::now();
  while (true) {
    grpc::ClientContext context;
    Prepare(context);
    const std::stop_callback cancel(stop_, [&context] { context.TryCancel(); });
    const auto stream = at().rolls->WatchRoll(&context, request);
    for (v2::WatchRollResponse message; stream->Read(&message);) {
      heard_at = Clock::now();
      last = message.roll();
      if (message.steps_size() > 0) request.set_after_sequence(message.steps(message.steps_size() - 1).sequence());
      see(last, {message.steps().begin(), message.steps().end()});
      if (last.state() == v2::HELD) context.TryCancel();  // the stream itself would wait for a person
    }
    const grpc::Status status = stream->Finish();
    if (stop_.stop_requested()) throw Interrupted();
    if (IsOver(last.state())) return last;
    if ((!status.ok() && !WorthAskingAgain(status)) || Clock::now() > heard_at + kGivenUpAfter) {
      throw StackError("WatchRoll ended with " + std::to_string(status.error_code()) + ": " + status.error_message());
    }
    AskNext(context);
  }
}

}  // namespace baton::stack
