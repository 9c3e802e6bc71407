// A list as a server stream: page after page, each read while the one before leaves and none ahead of that, so memory stays
// flat however long the list and however slow the caller.
#pragma once

#include <google/protobuf/arena.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "orchestrator/ports/reader.h"
#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/identity_limits.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/calls/timed_call.h"
#include "orchestrator/server/serving/server_dependencies.h"

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

  // It is over, as `timed` takes it, when its caller has taken the last page. `shown`: of secrets; not given, what is shown to who did
  // not ask for them.
  PageStream(grpc::CallbackServerContext& context, ServerDependencies& s, TimedCall timed, const Status& allowed,
             Fetch fetch, std::optional<wire::Show> shown = std::nullopt)
      : context_(context), reads_(s.reads), timed_(timed), fetch_(std::move(fetch)),
        shown_(shown ? *shown : ShownTo(s, context)) {
    auto own = allowed ? TakeOwn(s, context, IdentityLimits::Kind::kLists) : Result<IdentityLimits::Slot>(allowed.error());
    auto slot = own ? s.lists.Take(s.metrics) : Result<CallSlots::Slot>(own.error());
    if (own) own_slot_ = *std::move(own);
    if (slot) {
      slot_ = *std::move(slot);
    } else {
      failed_ = slot.error();
    }
    Step();
  }

  void OnWriteDone(bool ok) override {
    {
      const std::lock_guard lock(mutex_);
      writing_ = false;
      gone_ = gone_ || !ok;
    }
    Step();
  }
  void OnCancel() override {
    const std::lock_guard lock(mutex_);
    gone_ = true;
  }
  void OnDone() override { delete this; }

 private:
  // All of its parts in a few large blocks, which go with the next page.
  struct Page {
    google::protobuf::Arena arena{[] {
      google::protobuf::ArenaOptions options;
      options.start_block_size = 64 << 10;
      options.max_block_size = 256 << 10;
      return options;
    }()};
    Response* rows = nullptr;
  };

  // Starts what can be started now, and finishes once nothing is under way: no callback comes after that.
  void Step() {
    bool write = false;
    bool fetch = false;
    bool end = false;
    std::optional<Error> failed;
    {
      const std::lock_guard lock(mutex_);
      write = ready_ && !writing_ && !gone_;
      if (write) {
        std::swap(leaving_, coming_);
        ready_ = false;
        writing_ = true;
      }
      fetch = !fetching_ && !ready_ && !last_ && !failed_ && !gone_;
      fetching_ = fetching_ || fetch;
      end = !fetching_ && !writing_ && !over_;
      over_ = over_ || end;
      if (end && !gone_) failed = failed_;
    }
    if (end) return End(failed);
    if (write) this->StartWrite(leaving_->rows);
    if (fetch) reads_.Run([this](Result<Reader*> reader) { Fill(reader); });
  }

  void Fill(Result<Reader*> reader) {
    bool gone = false;
    {
      const std::lock_guard lock(mutex_);
      gone = gone_;
      if (gone) fetching_ = false;
    }
    if (gone) return Step();  // the client left while it waited: nothing is read
    coming_->arena.Reset();
    coming_->rows = google::protobuf::Arena::CreateMessage<Response>(&coming_->arena);
    bool last = false;
    const Status status = reader ? fetch_(**reader, *coming_->rows, last) : Status(reader.error());
    wire::Redact(*coming_->rows, shown_);
    {
      const std::lock_guard lock(mutex_);
      fetching_ = false;
      if (!status) failed_ = status.error();
      last_ = last;
      ready_ = status && !(last && coming_->rows->ByteSizeLong() == 0);
    }
    Step();
  }

  void End(const std::optional<Error>& failed) {
    own_slot_.reset();  // who has its last page may ask for the next list
    timed_.End(failed ? Status(*failed) : Status(Done{}));
    if (!failed) return this->Finish(grpc::Status::OK);
    AddHints(context_, *failed);
    this->Finish(ToGrpc(*failed));
  }

  grpc::CallbackServerContext& context_;
  Reads& reads_;
  const TimedCall timed_;
  Fetch fetch_;
  const wire::Show shown_;
  IdentityLimits::Slot own_slot_;
  CallSlots::Slot slot_;
  std::unique_ptr<Page> leaving_ = std::make_unique<Page>();
  std::unique_ptr<Page> coming_ = std::make_unique<Page>();

  std::mutex mutex_;
  bool fetching_ = false;  // into coming_
  bool ready_ = false;     // coming_ is full
  bool writing_ = false;   // leaving_
  bool last_ = false;      // there is nothing left to fetch
  bool gone_ = false;      // the client has gone
  bool over_ = false;
  std::optional<Error> failed_;
};

}  // namespace baton
