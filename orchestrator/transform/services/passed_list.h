// A list of baton.v1: the stream of baton.v2 under it, or several one behind the other (batches.h), page by page. The next
// page is asked for when the one before has left, so memory stays flat.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "orchestrator/transform/services/batches.h"
#include "orchestrator/transform/services/pass.h"
#include "orchestrator/transform/services/unreadable_rows.h"

namespace baton::transform {

// `Make` turns pages into what is written. `Response Take(const Page&)`: of one page, may be empty. `Response End()`: what
// is left at the end of the list.
template <class NewRequest, class Page, class Response, class Make>
class PassedList final : public grpc::ServerWriteReactor<Response> {
 public:
  template <class OldRequest, class Ask>
  PassedList(Backend& backend, grpc::CallbackServerContext& context, const OldRequest& request,
             const std::string& method, Make make, Ask ask, const Status& valid = Done{})
      : backend_(backend), context_(context), method_(method), make_(std::move(make)), ask_(std::move(ask)), reader_(*this) {
    if (const Status allowed = CheckCall(backend, request, method, valid); !allowed) {
      const grpc::Status status = Refused(allowed.error(), context_);
      End(status, IsAnswer(status));
      return;
    }
    batches_ = InBatches(ToV2(request));
    AskNext();
  }

  void OnWriteDone(bool ok) override {
    if (ok) return reader_.StartRead(&page_);
    onward_->TryCancel();
    reader_.RemoveHold();
  }
  void OnSendInitialMetadataDone(bool ok) override { OnWriteDone(ok); }
  void OnDone() override { delete this; }

 private:
  class Reader final : public grpc::ClientReadReactor<Page> {
   public:
    explicit Reader(PassedList& list) : list_(list) {}
    void OnReadDone(bool ok) override {
      ok ? list_.Took() : this->RemoveHold();
    }
    void OnDone(const grpc::Status& status) override { list_.Ended(status); }

   private:
    PassedList& list_;
  };

  void AskNext() {
    onward_ = Onward(backend_, context_, method_);
    request_ = std::move(batches_.front());
    batches_.pop_front();
    ask_(onward_.get(), &request_, &reader_);
    reader_.AddHold();  // it ends only when nothing more will be asked of it
    reader_.StartRead(&page_);
    reader_.StartCall();
  }
  void Took() {
    unreadable_.Take(page_);
    out_ = make_.Take(page_);
    if (out_.ByteSizeLong() > 0) {
      told_ = true;
      return this->StartWrite(&out_);
    }
    if (std::exchange(told_, true)) return reader_.StartRead(&page_);
    this->StartSendInitialMetadata();  // v2 has answered, with nothing: a subscriber knows that it is one
  }
  void Ended(const grpc::Status& status) {
    if (status.ok() && !batches_.empty()) return AskNext();
    const bool answers = PassBack(*onward_, status, context_);
    unreadable_.AddTrailer(context_);
    onward_.reset();
    if (!status.ok()) return End(status, answers);
    out_ = make_.End();
    if (!unreadable_.empty()) *out_.mutable_error() = ToV1(unreadable_.AsStatus());
    Last();
  }
  void End(const grpc::Status& status, bool answers) {
    if (!answers) return this->Finish(status);
    out_.Clear();
    *out_.mutable_error() = ToV1(status);
    Last();
  }
  void Last() {
    if (out_.ByteSizeLong() == 0) return this->Finish(grpc::Status::OK);
    this->StartWriteAndFinish(&out_, grpc::WriteOptions(), grpc::Status::OK);
  }

  const Backend& backend_;
  grpc::CallbackServerContext& context_;
  const std::string method_;
  Make make_;
  const std::function<void(grpc::ClientContext*, const NewRequest*, grpc::ClientReadReactor<Page>*)> ask_;
  std::deque<NewRequest> batches_;
  std::unique_ptr<grpc::ClientContext> onward_;
  NewRequest request_;
  Page page_;
  Response out_;
  bool told_ = false;
  UnreadableRows unreadable_;
  Reader reader_;
};

}  // namespace baton::transform
