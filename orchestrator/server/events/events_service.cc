// The service Events: streams to subscribers what every commit changed.
#include "orchestrator/server/serving/services.h"

#include <chrono>
#include <optional>

#include "baton/v2/events_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/events/event_hub.h"
#include "orchestrator/server/events/snapshot_pages.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t kFramesMax = 500;  // of a message
constexpr Duration kSilentMax = seconds(3);

Error ListAgain(const std::string& why) {
  return {ErrorKind::kOutOfRange, why + ": list again (SubscribeRequest.snapshot), and follow from there", {}};
}

class Subscription final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  Subscription(grpc::CallbackServerContext& context, ServerDependencies& s, const grpc::ByteBuffer& request)
      : context_(context), s_(s), notifier_(std::make_shared<Notifier>([this] { Look(); })) {
    const Status status = Begin(request);
    if (!of_own_cell_.ok()) {
      ended_ = true;
      Finish(of_own_cell_);
      return;
    }
    if (!status) {
      End(status);
      return;
    }
    s_.events.Add(notifier_);
    notifier_->Signal();
    notifier_->Wait();
  }

  void OnWriteDone(bool ok) override {
    if (!ok) return End(Done{});
    Look();
  }
  void OnCancel() override { notifier_->Signal(); }
  void OnDone() override {
    notifier_->Detach();
    s_.metrics.Set("baton_event_subscribers", static_cast<double>(--s_.subscribers));
    delete this;
  }

 private:
  Status Begin(const grpc::ByteBuffer& bytes) {
    s_.metrics.Set("baton_event_subscribers", static_cast<double>(++s_.subscribers));
    grpc::ByteBuffer copy(bytes);
    const grpc::Status read = bounds::Parse(copy, bounds::kMessageBytesMax, request_);
    parsed_ = bounds::TakeParsed();
    if (parsed_.refused) {
      s_.metrics.Count("baton_calls_refused_total", parsed_.refused->why);
      return parsed_.refused->error;
    }
    if (!read.ok()) return Error{ErrorKind::kInvalidArgument, "the request is no SubscribeRequest", {}};
    if (const Status allowed = s_.Admit(context_, request_); !allowed) return allowed;
    of_own_cell_ = CheckCell(s_, context_, request_.cell_id(), "Events/Subscribe");
    request_.set_cell_id(CellOf(s_, context_, request_.cell_id()));
    auto filter = FilterFrom(request_);
    if (!filter) return filter.error();
    if (request_.start_case() == v2::SubscribeRequest::kAfterSequence && request_.after_sequence() < 0) {
      return Error{ErrorKind::kInvalidArgument,
                   "after_sequence is " + std::to_string(request_.after_sequence()) + "; it takes 0 and more", {}};
    }
    filter_ = *std::move(filter);
    filter_.mine = Grant::Of(s_, context_).domains();
    shown_ = ShownTo(s_, context_);
    return Done{};
  }

  // What is next is read and written, or waited for. Never twice at a time: the bell rings only while it waits.
  void Look() {
    if (context_.IsCancelled()) return End(Done{});
    if (const Status leading = s_.CheckLeading(); !leading) return End(leading);
    filter_.mine = Grant::Of(s_, context_).domains();  // what it was given may have been taken back
    if (!position_) return FindPlace();
    if (pages_) return NextPage();
    Follow();
  }

  void FindPlace() {
    const EventHub::Part part = s_.events.After(0, 0);
    if (!part.open) return notifier_->Wait();  // the end is being looked for
    if (request_.start_case() == v2::SubscribeRequest::START_NOT_SET) return StartAt(part.settled);
    if (request_.snapshot()) {
      pages_.emplace(filter_);
      return StartAt(part.settled);
    }
    s_.reads.Run([this, newest = part.settled](Result<Reader*> reader) {
      const auto bounds = reader ? (*reader)->ReadEventBounds() : Result<Reader::EventBounds>(reader.error());
      if (!bounds) return End(bounds.error());
      const std::int64_t after = request_.after_sequence();
      const std::int64_t kept_after = bounds->oldest > 0 ? bounds->oldest - 1 : bounds->newest;
      if (after > std::max(bounds->newest, newest)) {
        return End(ListAgain("after_sequence is " + std::to_string(after) + ", the newest event is " +
                             std::to_string(bounds->newest) + " (was the database restored?)"));
      }
      if (after != 0 && after < kept_after) {
        return End(ListAgain("after_sequence is " + std::to_string(after) + ", the oldest event that is kept is " +
                             std::to_string(bounds->oldest)));
      }
      committed_at_start_ = bounds->committed;
      StartAt(std::max(after, kept_after));
    });
  }

  void StartAt(std::int64_t position) {
    position_ = position;
    Look();
  }

  void NextPage() {
    s_.reads.Run([this](Result<Reader*> reader) {
      if (!reader) return End(reader.error());
      v2::SubscribeResponse response;
      if (const Status status = pages_->Next(**reader, *response.mutable_snapshot()); !status) return End(status);
      if (shown_ == wire::Show::kNone) wire::Redact(response);
      response.set_sequence(*position_);
      if (pages_->done()) {
        pages_.reset();
        // What the pages show was committed by now, and so were its events.
        const auto bounds = (*reader)->ReadEventBounds();
        if (!bounds) return End(bounds.error());
        complete_at_ = bounds->committed;
      }
      Write(response.SerializeAsString());
    });
  }

  void Follow() {
    EventHub::Part part = s_.events.After(*position_, kFramesMax);
    if (!part.open) return notifier_->Wait();
    if (*position_ < part.oldest) return live_ ? CutOff() : CatchUp(part.oldest);
    live_ = true;
    Send(part.frames, part.position, part.position >= part.settled);
  }

  void CutOff() {
    s_.metrics.Count("baton_event_subscribers_cut_off_total");
    End(Error{ErrorKind::kResourceExhausted,
              "this subscriber reads more slowly than events come: resume after sequence " +
                  std::to_string(*position_) + ", or follow less",
              seconds(1)});
  }

  void CatchUp(std::int64_t up_to) {
    s_.reads.Run([this, up_to](Result<Reader*> reader) {
      const auto rows = reader ? (*reader)->ReadEvents(*position_, up_to, static_cast<int>(kFramesMax))
                               : Result<std::vector<EventRow>>(reader.error());
      if (!rows) return End(rows.error());
      EventFrames frames;
      for (const EventRow& row : *rows) frames.push_back(MakeFrame(row));
      Send(frames, rows->size() < kFramesMax ? up_to : rows->back().sequence, false);
    });
  }

  void Send(const EventFrames& frames, std::int64_t position, bool at_end) {
    const bool caught_up = at_end && position >= committed_at_start_;
    std::vector<grpc::Slice> slices;
    for (const auto& frame : frames) {
      if (filter_.Takes(*frame)) slices.push_back(shown_ == wire::Show::kNone ? frame->reduced : frame->bytes);
    }
    position_ = position;
    v2::SubscribeResponse rest;
    rest.set_sequence(position);
    rest.set_caught_up(caught_up);
    const bool complete = complete_at_ && position >= *complete_at_;
    if (complete) complete_at_.reset();
    rest.set_snapshot_complete(complete);
    const bool news =
        !slices.empty() || complete || (caught_up && !told_caught_up_) || Steady::now() - wrote_at_ >= kSilentMax;
    if (!news) return at_end ? notifier_->Wait() : Look();
    told_caught_up_ = caught_up;
    slices.emplace_back(rest.SerializeAsString());
    bytes_ = grpc::ByteBuffer(slices.data(), slices.size());
    wrote_at_ = Steady::now();
    StartWrite(&bytes_);
  }

  void Write(const std::string& message) {
    const grpc::Slice slice(message);
    bytes_ = grpc::ByteBuffer(&slice, 1);
    wrote_at_ = Steady::now();
    StartWrite(&bytes_);
  }

  void End(const Status& status) {
    if (std::exchange(ended_, true)) return;
    if (status) return Finish(grpc::Status::OK);
    AddHints(context_, status.error());
    Finish(ToGrpc(status.error()));
  }

  grpc::CallbackServerContext& context_;
  ServerDependencies& s_;
  grpc::Status of_own_cell_;
  v2::SubscribeRequest request_;
  bounds::Parsed parsed_;
  EventFilter filter_;
  // As an app's row without its definition: to admins and the app's controllers all of it.
  wire::Show shown_ = wire::Show::kNone;
  std::optional<std::int64_t> position_;  // everything up to here was told
  std::optional<SnapshotPages> pages_;
  std::optional<std::int64_t> complete_at_;
  // The hub learns of a commit shortly after it. A client that subscribes after its own write gets that write's events
  // before it is told that it has caught up.
  std::int64_t committed_at_start_ = 0;
  bool live_ = false;  // it had caught up with what is kept in memory
  bool told_caught_up_ = false;
  bool ended_ = false;
  Steady::time_point wrote_at_{};
  grpc::ByteBuffer bytes_;
  std::shared_ptr<Notifier> notifier_;
};

// Raw bytes out: an event is encoded once, however many subscribers it has.
class EventsService final : public v2::Events::WithRawCallbackMethod_Subscribe<v2::Events::Service> {
 public:
  explicit EventsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerWriteReactor<grpc::ByteBuffer>* Subscribe(grpc::CallbackServerContext* context,
                                                        const grpc::ByteBuffer* request) override {
    return new Subscription(*context, s_, *request);
  }

 private:
  ServerDependencies& s_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeEventsService(ServerDependencies& dependencies) {
  return std::make_unique<EventsService>(dependencies);
}

}  // namespace baton
