// A write of the API: a command that is decided where its caller may touch the app, and whose answer goes back over
// gRPC.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "orchestrator/app/apps/host_owners.h"
#include "orchestrator/ports/app_command.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/api_call.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/stored/hash.h"

namespace baton {

// gRPC's side of it; lives until the call is finished.
struct ApiCall {
  ServerDependencies& dependencies;
  grpc::CallbackServerContext& context;
  grpc::ServerUnaryReactor& reactor;
  CallName as;
};

class ApiWrite : public AppCommand {
 public:
  // To the store; refused at once where the caller writes too much, or this cannot be written now.
  static void Submit(std::unique_ptr<ApiWrite> write);

  bool Abandoned() const final { return call_.context.IsCancelled(); }
  bool Replay(const std::string& answer) final { return response_.ParseFromString(answer); }
  Status Decide(AppEdit& edit) final;
  std::string Encode() final;
  void End(const Status& status) final;

 protected:
  // `response` belongs to gRPC, as `call`'s parts do.
  ApiWrite(const ApiCall& call, CommandHeader header, google::protobuf::Message& response);

 private:
  class Ending;
  // What is asked for, and nothing else.
  virtual Status Change(AppEdit& edit) = 0;
  // Whether it may be written as the data is now.
  virtual Status May() const;
  // The app is not there before: it is nobody's.
  virtual bool MakesTheApp() const { return false; }

  const ApiCall call_;
  google::protobuf::Message& response_;
  const Grant grant_;
  HostOwners::Hold hold_;
  const std::shared_ptr<const Ending> ending_;  // outlives this, where what the caller is told has to be read first
};

// One that answers with a `Response`.
template <class Response>
class ApiCommand : public ApiWrite {
 public:
  ApiCommand(const ApiCall& call, CommandHeader header, Response& response)
      : ApiWrite(call, std::move(header), response), response_(response) {}

 protected:
  Response& response() { return response_; }

 private:
  Response& response_;
};

CommandHeader HeaderWithoutKey(const ApiCall& call, const std::string& guid);

// With the request's idempotency key.
template <class Request>
CommandHeader HeaderOf(const ApiCall& call, const std::string& guid, const Request& request) {
  CommandHeader header = HeaderWithoutKey(call, guid);
  if (request.idempotency_key().empty()) return header;
  Request content = request;
  content.clear_idempotency_key();
  header.idempotency_key = OwnKey(call.dependencies, call.context, request.idempotency_key());
  header.request_hash = wire::Sha256Hex(header.name + wire::CanonicalBytes(content));
  return header;
}

inline CommandHeader Mending(CommandHeader header) {
  header.mends = true;
  return header;
}

}  // namespace baton
