// The service Definitions: the versions that are stored.
#include "orchestrator/server/serving/services.h"

#include "baton/v2/definitions_service.grpc.pb.h"
#include "orchestrator/base/errors.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/apps/requests.h"
#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/api_write.h"
#include "orchestrator/server/calls/page_stream.h"
#include "orchestrator/server/cells/calling_cell.h"
#include "orchestrator/server/serving/server_dependencies.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr CallName kPin{"pin_definition", "Definitions/PinDefinition"};

constexpr int kPageApps = 100;  // each app is read whole, to say what its definitions are kept for

class PinDefinitionCommand final : public ApiCommand<v2::PinDefinitionResponse> {
 public:
  PinDefinitionCommand(const ApiCall& call, const v2::PinDefinitionRequest& request,
                       v2::PinDefinitionResponse& response)
      : ApiCommand(call, HeaderOf(call, request.process_guid(), request), response),
        id_(request.definition_identifier()), pinned_(request.pinned()), history_(call.dependencies.history) {}

 private:
  Status Change(AppEdit& edit) override {
    const auto& desired = edit.state().desired;
    const DefinitionKey key{desired ? desired->incarnation : 0, id_};
    if (!desired || !edit.state().definitions.contains(key)) {
      return NoDefinition(id_.str(), edit.state().guid.str());
    }
    if (edit.state().definitions.at(key).pinned != pinned_) edit.ChangeDefinition(key).pinned = pinned_;
    return Done{};
  }
  void Answer(const Decided& decided) override {
    *response().mutable_definition() =
        wire::DefinitionStatus(decided.state, {decided.state.desired->incarnation, id_}, history_);
  }
  const DefinitionId id_;
  const bool pinned_;
  const int history_;
};

// Who asks, and what of the app it may see.
struct Onlooker {
  Grant grant;
  std::optional<CallingCell> cell;

  bool MaySee(const AppState& app, const DefinitionKey& key) const {
    return grant.MaySee(app).ok() && (!cell || cell->MayRead(app, &key));
  }
};

Status FillDefinition(Reader& reader, const v2::GetDefinitionRequest& request, const Onlooker& onlooker, int history,
                      wire::Show shown, v2::GetDefinitionResponse& response) {
  const ProcessGuid guid(request.process_guid());
  const auto app = onlooker.grant.ReadApp(reader, guid);
  const Error missing = NoDefinition(request.definition_identifier(), request.process_guid());
  if (!app) return app.error().kind == ErrorKind::kNotFound ? missing : app.error();
  const auto read = reader.ReadDefinition(guid, request.incarnation(), DefinitionId(request.definition_identifier()));
  if (!read) return read.error();
  const DefinitionKey key{read->incarnation, read->definition.id};
  if (!onlooker.MaySee(app->app, key)) return missing;
  if (!app->app.definitions.contains(key)) {
    return Error{ErrorKind::kNotFound, "definition " + key.id.str() + " has just been collected", {}};
  }
  auto definition = wire::ToMessage(read->definition, read->run_info);
  if (!definition) return definition.error();
  v2::Definition* message = response.mutable_definition();
  *message = wire::DefinitionStatus(app->app, key, history);
  message->set_size_bytes(read->size_bytes);
  *message->mutable_definition() = *std::move(definition);
  wire::Redact(*message, shown);
  return Done{};
}

Status AddDefinitionsOf(Reader& reader, const ProcessGuid& guid, const Grant& grant, int history, v2::ListDefinitionsResponse& page) {
  const auto app = grant.ReadApp(reader, guid);
  if (!app && app.error().kind == ErrorKind::kNotFound) return Done{};
  if (!app && app.error().kind == ErrorKind::kDataLoss) {
    AddUnreadable({{guid.str(), "app " + guid.str(), app.error().message}}, page);
    return Done{};
  }
  if (!app) return app.error();
  if (!grant.MaySee(app->app)) return Done{};
  const auto sizes = reader.DefinitionSizes(guid);
  if (!sizes) return sizes.error();
  for (const auto& [key, definition] : app->app.definitions) {
    v2::Definition* message = page.add_definitions();
    *message = wire::DefinitionStatus(app->app, key, history);
    const auto size = sizes->find(key);
    if (size != sizes->end()) message->set_size_bytes(size->second);
  }
  return Done{};
}

class DefinitionsService final : public v2::Definitions::CallbackService {
 public:
  explicit DefinitionsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerUnaryReactor* GetDefinition(grpc::CallbackServerContext* context, const v2::GetDefinitionRequest* request,
                                          v2::GetDefinitionResponse* response) override {
    const Secrets secrets = SecretsFor(s_, *context, request->reveal_secrets(), "Definitions/GetDefinition");
    if (!secrets.may.ok()) {
      auto* reactor = context->DefaultReactor();
      return reactor->Finish(secrets.may), reactor;
    }
    const Onlooker onlooker{Grant::Of(s_, *context), CallingCell::Of(s_, *context)};
    return ReadCall(s_, *context, *request, "get_definition", Done{},
                    [this, context, request, response, onlooker, shown = secrets.shown](Reader& reader) {
                      const Status filled = FillDefinition(reader, *request, onlooker, s_.history, shown, *response);
                      if (filled && shown == wire::Show::kAll) {
                        NoteReveal(s_, *context,
                                   {"Definitions/GetDefinition", request->process_guid(),
                                    "definition " + request->definition_identifier()});
                      }
                      return filled;
                    });
  }

  grpc::ServerWriteReactor<v2::ListDefinitionsResponse>* ListDefinitions(
      grpc::CallbackServerContext* context, const v2::ListDefinitionsRequest* request) override {
    const Grant grant = Grant::Of(s_, *context);
    const auto pages = [guid = ProcessGuid(request->process_guid()), grant,
                        history = s_.history](const std::string& domain) {
      return [guid, grant, history, domain, after = ProcessGuid()](Reader& reader, v2::ListDefinitionsResponse& page,
                                                                   bool& last) mutable -> Status {
        std::vector<ProcessGuid> guids = {guid};
        last = true;
        if (guid.empty()) {
          auto found = reader.ListAppsWithDefinitions(domain, after, kPageApps);
          if (!found) return found.error();
          guids = *std::move(found);
          last = guids.size() < kPageApps;
        }
        for (const ProcessGuid& one : guids) {
          if (Status status = AddDefinitionsOf(reader, one, grant, history, page); !status) return status;
        }
        if (!last) after = guids.back();
        return Done{};
      };
    };
    using Page = v2::ListDefinitionsResponse;
    const std::function<Status(Reader&, Page&, bool&)> fetch =
        request->process_guid().empty() ? InDomains<Page>(grant.domains(), request->domain(), pages)
                                        : pages(request->domain());
    return new PageStream<v2::ListDefinitionsResponse>(*context, s_, TimedCall(s_.metrics, "list_definitions"),
                                                       s_.Admit(*context, *request), fetch);
  }

  grpc::ServerUnaryReactor* PinDefinition(grpc::CallbackServerContext* context, const v2::PinDefinitionRequest* request,
                                          v2::PinDefinitionResponse* response) override {
    auto* reactor = context->DefaultReactor();
    if (const Status allowed = s_.Admit(*context, *request); !allowed) {
      return Refuse(s_, *context, *reactor, kPin, request->process_guid(), allowed);
    }
    const ApiCall call{s_, *context, *reactor, kPin};
    ApiWrite::Submit(std::make_unique<PinDefinitionCommand>(call, *request, *response));
    return reactor;
  }

 private:
  ServerDependencies& s_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeDefinitionsService(ServerDependencies& dependencies) {
  return std::make_unique<DefinitionsService>(dependencies);
}

}  // namespace baton
