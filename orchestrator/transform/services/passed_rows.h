// A call of baton.v1 with one answer, of which baton.v2 makes a short list: one slot's instances, for example.
#pragma once

#include <memory>
#include <utility>

#include "orchestrator/transform/services/pass.h"
#include "orchestrator/transform/services/unreadable_rows.h"

namespace baton::transform {

// `Make`: `void Take(const Page&)` for each page, then `grpc::Status End(Response&)`.
template <class NewRequest, class Page, class Response, class Make>
class PassedRows final : public grpc::ClientReadReactor<Page> {
 public:
  template <class OldRequest, class Ask>
  static grpc::ServerUnaryReactor* Start(Backend& backend, grpc::CallbackServerContext& context,
                                         const OldRequest& request, Response& response, const std::string& method,
                                         Make make, Ask ask, const Status& valid) {
    auto* reactor = context.DefaultReactor();
    if (const Status allowed = CheckCall(backend, request, method, valid); !allowed) {
      const grpc::Status status = Refused(allowed.error(), context);
      Answer(*reactor, status, IsAnswer(status), response);
      return reactor;
    }
    auto* rows = new PassedRows(backend, context, *reactor, response, std::move(make), ToV2(request), method);
    ask(rows->onward_.get(), &rows->request_, rows);
    rows->StartRead(&rows->page_);
    rows->StartCall();
    return reactor;
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    unreadable_.Take(page_);
    make_.Take(page_);
    this->StartRead(&page_);
  }
  void OnDone(const grpc::Status& status) override {
    const bool answers = PassBack(*onward_, status, context_);
    unreadable_.AddTrailer(context_);
    onward_.reset();
    if (status.ok()) {
      const grpc::Status made = unreadable_.Over(make_.End(response_));
      if (made.ok() && !unreadable_.empty()) *response_.mutable_error() = ToV1(unreadable_.AsStatus());
      made.ok() ? reactor_.Finish(made) : Answer(reactor_, made, IsAnswer(made), response_);
    } else {
      Answer(reactor_, status, answers, response_);
    }
    delete this;
  }

 private:
  PassedRows(const Backend& backend, grpc::CallbackServerContext& context, grpc::ServerUnaryReactor& reactor,
             Response& response, Make make, NewRequest request, const std::string& method)
      : context_(context), reactor_(reactor), response_(response), make_(std::move(make)),
        onward_(Onward(backend, context, method)), request_(std::move(request)) {}

  grpc::CallbackServerContext& context_;
  grpc::ServerUnaryReactor& reactor_;
  Response& response_;
  Make make_;
  std::unique_ptr<grpc::ClientContext> onward_;
  NewRequest request_;
  Page page_;
  UnreadableRows unreadable_;
};

}  // namespace baton::transform
