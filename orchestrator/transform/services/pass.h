// A call of baton.v1 on its way: request -> baton.v2 -> its handler, asked over a channel within this process -> response ->
// baton.v1. Nothing here reaches a store: what v2 does not take, v1 cannot do.
#pragma once

#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "orchestrator/transform/messages/actual_lrp.h"
#include "orchestrator/transform/messages/cell.h"
#include "orchestrator/transform/messages/desired_lrp.h"
#include "orchestrator/transform/messages/errors.h"
#include "orchestrator/transform/messages/evacuation.h"
#include "orchestrator/transform/messages/event.h"
#include "orchestrator/transform/messages/known.h"
#include "orchestrator/transform/services/backend.h"

// ToV2 and ToV1 are called below by the type of the request: a template sees those alone that are declared above it.

namespace baton::transform {

// What is made of an answer of which v1 says nothing.
inline constexpr auto kNothing = [](const auto&, auto&) {};

// What gRPC takes in metadata; it ends the process that gives it other bytes (grpc#34798), and others' it lets in.
std::string Printable(std::string_view text);

// "baton.v1.SERVICE/METHOD".
std::string AskedAs(const std::string& method);

// Of the call of v2 that is made for `context`: its deadline, its end, who asks, and how. `method`: "SERVICE.METHOD" of
// baton.v1.
std::unique_ptr<grpc::ClientContext> Onward(const Backend& backend, const grpc::CallbackServerContext& context,
                                            const std::string& method);
// What v2 said beside its answer: when to ask again, and whom; and with which status it ended. True: v1 says in its
// answer how it ended. Not so where the client is refused, whatever it asks: a cell would take that for a word about
// its instance.
bool PassBack(const grpc::ClientContext& from, const grpc::Status& status, grpc::CallbackServerContext& to);
grpc::Status Refused(const Error& error, grpc::CallbackServerContext& context);
// Of a unary call; refusals that the audit records go to `backend`.
grpc::Status RefusedCall(const Backend& backend, const google::protobuf::Message& request, const std::string& method,
                         const Error& error, grpc::CallbackServerContext& context);

// Whether it is asked of v2 at all. `valid`: what is wrong with the request beside what v1 cannot say.
Status CheckCall(const Backend& backend, const google::protobuf::Message& request, const std::string& method,
                 const Status& valid = Done{});

// How v1 says what v2 said.
struct Words {
  grpc::Status (*mend)(const grpc::Status&) = nullptr;
  v1::Error::Type precondition = v1::Error::InvalidStateTransition;
  // Of an evacuation: who gets an error lets go of nothing (Diego).
  bool keeps_on_error = false;
};

// Ends a unary call: with an answer, where that is how v1 says it.
template <class Response>
void Answer(grpc::ServerUnaryReactor& reactor, const grpc::Status& status, bool answers, Response& response,
            const Words& words = {}) {
  if (!answers) return reactor.Finish(status);
  if constexpr (requires { response.mutable_error(); }) {
    response.Clear();
    *response.mutable_error() = ToV1(status, words.precondition);
    if constexpr (requires { response.set_keep_container(true); }) response.set_keep_container(words.keeps_on_error);
    return reactor.Finish(grpc::Status::OK);
  }
  reactor.Finish(status);
}

// `Ask`: a unary method of a stub's async interface. `method`: "SERVICE.METHOD" of baton.v1. `words`: where v1 has others for
// how it ended.
template <class NewRequest, class NewResponse, class OldRequest, class OldResponse, class Ask, class Fill>
grpc::ServerUnaryReactor* Pass(Backend& backend, grpc::CallbackServerContext& context, const OldRequest& request,
                               OldResponse& response, const std::string& method, Ask ask, Fill fill,
                               Words words = {}) {
  auto* reactor = context.DefaultReactor();
  if (const Status allowed = CheckCall(backend, request, method); !allowed) {
    const grpc::Status status = RefusedCall(backend, request, method, allowed.error(), context);
    Answer(*reactor, status, IsAnswer(status), response, words);
    return reactor;
  }
  struct Asked {
    std::unique_ptr<grpc::ClientContext> context;
    NewRequest request;
    NewResponse response;
  };
  auto asked = std::make_shared<Asked>(Asked{Onward(backend, context, method), ToV2(request), {}});
  ask(asked->context.get(), &asked->request, &asked->response,
      [asked, reactor, &context, &response, fill, words](const grpc::Status& ended) {
        const bool answers = PassBack(*asked->context, ended, context);
        asked->context.reset();  // nothing of the channel outlives the call: the server may end after it
        const grpc::Status status = words.mend ? words.mend(ended) : ended;
        if (!status.ok()) return Answer(*reactor, status, answers, response, words);
        fill(asked->response, response);
        reactor->Finish(grpc::Status::OK);
      });
  return reactor;
}

}  // namespace baton::transform
