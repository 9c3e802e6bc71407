// A list as a server stream: page after page, each read only when the one before has left, so memory stays flat however
// long the list and however slow the caller.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <functional>
#include <utility>

#include "orchestrator/ports/reader.h"
#include "orchestrator/server/call_context.h"

namespace baton {

// Rows of a message.
inline constexpr int kPageRows = 1000;

template <class Response>
void AddUnreadable(const std::vector<BrokenRow>& broken, Response& page) {
  for (const BrokenRow& row : broken) {
    auto* message = page.add_unreadable();
    message->set_row(row.row);
    message->set_fault(row.fault);
  }
}

template <class Response>
class PageStream final : public grpc::ServerWriteReactor<Response> {
 public:
  // Fills the next page; `last` is set with the last one, which may be empty.
  using Fetch = std::function<Status(Reader& reader, Response& page, bool& last)>;

  PageStream(grpc::CallbackServerContext& context, Reads& reads, Status allowed, Fetch fetch)
      : context_(context), reads_(reads), fetch_(std::move(fetch)) {
    allowed ? Next() : End(allowed);
  }

  void OnWriteDone(bool ok) override {
    if (!ok || cancelled_) return End(Done{});
    last_ ? End(Done{}) : Next();
  }
  void OnCancel() override { cancelled_ = true; }
  void OnDone() override { delete this; }

 private:
  void Next() {
    reads_.Run([this](Result<Reader*> reader) {
      if (cancelled_) return End(Done{});
      if (!reader) return End(reader.error());
      page_.Clear();
      const Status status = fetch_(**reader, page_, last_);
      if (!status) return End(status);
      if (last_ && page_.ByteSizeLong() == 0) return End(Done{});
      this->StartWrite(&page_);
    });
  }
  void End(const Status& status) {
    if (status) return this->Finish(grpc::Status::OK);
    AddHints(context_, status.error());
    this->Finish(ToGrpc(status.error()));
  }

  grpc::CallbackServerContext& context_;
  Reads& reads_;
  Fetch fetch_;
  Response page_;
  bool last_ = false;
  std::atomic<bool> cancelled_{false};
};

}  // namespace baton
