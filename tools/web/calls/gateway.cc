#include "tools/web/calls/gateway.h"

#include <google/protobuf/util/json_util.h>

#include "orchestrator/base/uuid.h"
#include "tools/web/answers.h"
#include "tools/web/calls/caller.h"

namespace baton::web {
namespace {

namespace pb = google::protobuf;

constexpr std::chrono::seconds kDeadline(10);
constexpr std::size_t kStreamBehindMost = 256 * 1024;

// What a request may not ask for here, and what is filled in. Empty: fine. batond checks fields by roles as well, but
// only where it is called over TLS.
std::string Complete(pb::Message& request, Role role) {
  const pb::Descriptor* kind = request.GetDescriptor();
  const pb::Reflection* fields = request.GetReflection();
  const auto* reveal = kind->FindFieldByName("reveal_secrets");
  if (reveal && fields->GetBool(request, reveal))
    return "secrets are not shown here: baton get definition NAME --reveal-secrets does it, and it is in the audit";
  const auto* run = kind->FindFieldByName("run");
  if (run && fields->GetBool(request, run) && !MayStartWork(role))
    return std::string(Name(role)) + " may not begin a pass: ask without run";
  const auto* key = kind->FindFieldByName("idempotency_key");
  if (key && fields->GetString(request, key).empty()) fields->SetString(&request, key, RandomUuid());
  return {};
}

}  // namespace

// A stream on its way to the client: it is read only as fast as he takes it.
struct Gateway::Relay {
  Relay(http::ExchangePtr to, Question asked, boost::asio::io_context& loop, std::shared_ptr<int> counted)
      : exchange(std::move(to)), question(std::move(asked)), wait(loop), streams(std::move(counted)) {
    ++*streams;
  }
  ~Relay() { --*streams; }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  http::ExchangePtr exchange;
  Question question;
  boost::asio::steady_timer wait;
  std::shared_ptr<int> streams;
  std::chrono::steady_clock::time_point begin_by = std::chrono::steady_clock::now() + kDeadline;
  std::unique_ptr<MessageCall> call = nullptr;
  bool begun = false;
  bool gone = false;

  void Begin() {
    if (std::exchange(begun, true)) return;
    exchange->BeginStream({.content_type = "application/x-ndjson", .headers = {{"Cache-Control", "no-store"}}});
  }
};

void Gateway::NextWhenTaken(const std::shared_ptr<Relay>& relay) {
  if (!relay->call) return;
  if (relay->exchange->Behind() < kStreamBehindMost) return relay->call->Next();
  relay->wait.expires_after(std::chrono::milliseconds(20));
  relay->wait.async_wait([relay](const boost::system::error_code& fault) {
    if (!fault) NextWhenTaken(relay);
  });
}

std::string MessageJson(const pb::Message& message) {
  pb::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string text;
  if (!pb::util::MessageToJsonString(message, &text, options).ok()) return "{}";
  return text;
}

void Gateway::Call(const std::string& name, const Person& person, const http::ExchangePtr& exchange,
                   const http::Request& request) {
  const Method* method = methods_.Find(name);
  if (!method)
    return exchange->Answer(Problem("not_found", "there is no method " + name + " for people: docs/reference/web.md"));
  if (!MayCall(*method, person.role)) {
    return exchange->Answer(Problem(
        "permission_denied", person.name + " is " + std::string(Name(person.role)) + " and may not call " + name));
  }
  Question question{.path = '/' + name, .request = MessagePtr(method->request->New()), .answer = method->answer};
  pb::util::JsonParseOptions strict;
  const auto parsed =
      pb::util::JsonStringToMessage(request.body.empty() ? "{}" : request.body, question.request.get(), strict);
  if (!parsed.ok()) {
    return exchange->Answer(Problem(
        "invalid_argument",
        "the body is no " + method->request->GetDescriptor()->full_name() + ": " + std::string(parsed.message())));
  }
  if (const std::string refused = Complete(*question.request, person.role); !refused.empty()) {
    return exchange->Answer(Problem("permission_denied", refused));
  }
  question.metadata = CallerMetadata(person, certificate_, TraceOf(request));
  if (method->descriptor->server_streaming()) return Stream(std::move(question), exchange);
  AskOnce(std::move(question), exchange);
}

void Gateway::AskOnce(Question question, const http::ExchangePtr& exchange) {
  question.until = std::chrono::steady_clock::now() + kDeadline;
  calls_.Ask(std::move(question), /*streams=*/false,
             [exchange](const Ending& ending, const std::vector<MessagePtr>& answers) {
               if (!ending.status.ok() || answers.empty())
                 return exchange->Answer(Problem(ending.status, ending.hints));
               exchange->Answer(Json(MessageJson(*answers.front())));
             });
}

void Gateway::Stream(Question question, const http::ExchangePtr& exchange) {
  if (*streams_ >= kStreamsMost) {
    return exchange->Answer(Problem("resource_exhausted", std::to_string(kStreamsMost) + " streams are open already"));
  }
  auto relay = std::make_shared<Relay>(exchange, std::move(question), calls_.loop(), streams_);
  exchange->OnGone([weak = std::weak_ptr(relay)] {
    const auto gone = weak.lock();
    if (!gone) return;
    gone->gone = true;
    gone->wait.cancel();
    const std::unique_ptr<MessageCall> over = std::move(gone->call);
  });
  Follow(relay);
}

void Gateway::Follow(const std::shared_ptr<Relay>& relay) {
  relay->call = calls_.Follow(
      relay->question,
      [relay](const MessagePtr& message) {
        relay->Begin();
        relay->exchange->Write(MessageJson(*message) + '\n');
        NextWhenTaken(relay);
      },
      [this, relay](const Ending& ending) {
        const std::unique_ptr<MessageCall> over = std::move(relay->call);
        const bool elsewhere =
            !relay->begun && MayGoElsewhere(ending.status) && std::chrono::steady_clock::now() < relay->begin_by;
        if (elsewhere) return FollowElsewhere(relay, calls_.TryNext(ending.hints.leader));
        if (!relay->begun && !ending.status.ok()) return relay->exchange->Answer(Problem(ending.status, ending.hints));
        relay->Begin();
        if (!ending.status.ok())
          relay->exchange->Write("{\"error\": " + ProblemText(ending.status, ending.hints) + "}\n");
        relay->exchange->End();
      });
}

void Gateway::FollowElsewhere(const std::shared_ptr<Relay>& relay, bool at_once) {
  relay->wait.expires_after(std::chrono::milliseconds(at_once ? 0 : 100));
  relay->wait.async_wait([this, relay](const boost::system::error_code& fault) {
    if (!fault && !relay->gone) Follow(relay);
  });
}

}  // namespace baton::web
