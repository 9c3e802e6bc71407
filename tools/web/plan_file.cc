#include "tools/web/plan_file.h"

#include <google/protobuf/util/json_util.h>

#include <nlohmann/json.hpp>

#include "baton/v2/desired_lrps_service.pb.h"
#include "orchestrator/model/calls/secret_text.h"
#include "tools/baton/files/app_file.h"
#include "tools/baton/files/apply_request.h"
#include "tools/baton/files/hidden.h"
#include "tools/web/answers.h"
#include "tools/web/calls/caller.h"
#include "tools/web/calls/gateway.h"
#include "tools/web/fleet/row_json.h"

namespace baton::web {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::chrono::seconds kPlanDeadline(15);
constexpr char kFileName[] = "file";

// One plan under way.
struct Planning {
  http::ExchangePtr exchange;
  Metadata metadata;
  cli::AppFile file;
  std::optional<v2::DesiredLRP> stored;
};

OrderedJson MessageAsJson(const google::protobuf::Message& message) {
  return OrderedJson::parse(MessageJson(message), nullptr, /*allow_exceptions=*/false);
}

// "file:LINE:COLUMN: what" as the page marks it in the text.
http::Response Faulty(const std::string& message) {
  int line = 0, column = 0;
  int read = 0;
  const bool placed = std::sscanf(message.c_str(), "file:%d:%d: %n", &line, &column, &read) == 2 && read > 0;
  http::Response response = Json(
      Text({{"faults",
             OrderedJson::array({{{"line", line},
                                  {"column", column},
                                  {"message", placed ? message.substr(static_cast<std::size_t>(read)) : message}}})}}));
  response.status = 400;
  return response;
}

Question Of(const char* method, MessagePtr request, const google::protobuf::Message& answer, const Metadata& metadata) {
  return {.path = std::string("/baton.v2.DesiredLRPs/") + method,
          .request = std::move(request),
          .answer = &answer,
          .metadata = metadata,
          .until = std::chrono::steady_clock::now() + kPlanDeadline};
}

// The call that does what was planned, for the page to send it.
void PutRequest(const Planning& planning, const std::string& token, OrderedJson& json) {
  const v2::DesiredLRP* stored = planning.stored ? &*planning.stored : nullptr;
  if (!stored) {
    v2::DesireLRPRequest request;
    *request.mutable_desired_lrp() = planning.file.app;
    json["method"] = "DesireLRP";
    json["request"] = MessageAsJson(request);
  } else if (cli::Replaces(planning.file, {})) {
    v2::ReplaceDesiredLRPRequest request = cli::ReplaceFor(planning.file, stored);
    request.set_plan_token(token);
    json["method"] = "ReplaceDesiredLRP";
    json["request"] = MessageAsJson(request);
  } else {
    v2::UpdateDesiredLRPRequest request = cli::UpdateFor(planning.file, {}, stored);
    request.mutable_update()->set_plan_token(token);
    json["method"] = "UpdateDesiredLRP";
    json["request"] = MessageAsJson(request);
  }
}

void AskForPlan(LeaderCalls& calls, const std::shared_ptr<Planning>& planning) {
  const v2::DesiredLRP* stored = planning->stored ? &*planning->stored : nullptr;
  auto request = std::make_shared<v2::PlanUpdateRequest>(cli::PlanFor(planning->file, {}, stored));
  calls.Ask(Of("PlanUpdate", request, v2::PlanUpdateResponse::default_instance(), planning->metadata),
            /*streams=*/false, [planning](const Ending& ending, const std::vector<MessagePtr>& got) {
              if (!ending.status.ok() || got.empty())
                return planning->exchange->Answer(Problem(ending.status, ending.hints));
              const auto& plan = static_cast<const v2::PlanUpdateResponse&>(*got.front());
              OrderedJson json{{"plan", MessageAsJson(plan)}};
              PutRequest(*planning, plan.plan_token(), json);
              planning->exchange->Answer(Json(Text(json)));
            });
}

// Secrets that the file leaves out are kept by `baton apply`, which may read them; the page may not.
bool NeedsSecrets(Planning& planning) {
  if (!cli::KeepHidden(planning.stored ? &*planning.stored : nullptr, planning.file.app)) return true;
  std::string text;
  return planning.file.app.SerializeToString(&text) && text.find(kRedacted) != std::string::npos;
}

}  // namespace

void PlanFile(LeaderCalls& calls, bool certificate, const Person& person, const http::ExchangePtr& exchange,
              const std::string& body) {
  if (person.role == Role::kViewer) return exchange->Answer(Problem("permission_denied", "a viewer plans nothing"));
  const auto asked = nlohmann::json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!asked.is_object() || !asked.contains("yaml") || !asked["yaml"].is_string()) {
    return exchange->Answer(Problem("invalid_argument", "the body is no {\"yaml\": \"...\"}"));
  }
  Result<std::vector<cli::AppFile>> files = cli::ReadAppFile(kFileName, asked["yaml"].get<std::string>(), {});
  if (!files) return exchange->Answer(Faulty(files.error().message));
  if (files->size() != 1)
    return exchange->Answer(
        Faulty("the page plans one app at a time, and the file has " + std::to_string(files->size())));
  auto planning = std::make_shared<Planning>(
      Planning{exchange, CallerMetadata(person, certificate), std::move(files->front()), {}});
  const std::string guid = asked.value("process_guid", planning->file.app.process_guid());
  if (guid != planning->file.app.process_guid()) {
    return exchange->Answer(Faulty("the file is of app " + planning->file.app.process_guid() + ", not of " + guid));
  }
  auto get = std::make_shared<v2::GetDesiredLRPRequest>();
  get->set_process_guid(guid);
  calls.Ask(Of("GetDesiredLRP", get, v2::GetDesiredLRPResponse::default_instance(), planning->metadata),
            /*streams=*/false, [&calls, planning](const Ending& ending, const std::vector<MessagePtr>& got) {
              const bool unknown = ending.status.error_code() == grpc::StatusCode::NOT_FOUND;
              if (!ending.status.ok() && !unknown)
                return planning->exchange->Answer(Problem(ending.status, ending.hints));
              if (!unknown)
                planning->stored = static_cast<const v2::GetDesiredLRPResponse&>(*got.front()).desired_lrp();
              if (NeedsSecrets(*planning)) {
                return planning->exchange->Answer(
                    Faulty("the file leaves out secrets that the app has: baton plan -f and baton apply -f keep them, "
                           "the page may not read them"));
              }
              AskForPlan(calls, planning);
            });
}

}  // namespace baton::web
