#include "sql/read/pg_event_log.h"

#include <map>

#include "sql/store/app_writer.h"

namespace baton {
namespace {

std::vector<std::int64_t> SequencesAfter(Session& session, std::int64_t settled, int limit) {
  std::vector<std::int64_t> sequences;
  for (const auto row : session.Run("SequencesAfter", {std::to_string(settled), std::to_string(limit)})) {
    sequences.push_back(row.Int("sequence"));
  }
  return sequences;
}

}  // namespace

EventRow ReadEvent(const Rows::Row& row, const Cipher& cipher) {
  EventRow event{.sequence = row.Int("sequence"), .at = row.Time("at"), .kind = row.Text("kind"),
                 .process_guid = row.Text("process_guid")};
  const std::string bound = EventBlobKey(event.kind, event.process_guid, row.Int("incarnation"));
  auto payload = cipher.Open({"events", "payload", bound}, row.Bytes("payload"));
  payload ? void(event.payload = *std::move(payload)) : void(event.unreadable = true);
  return event;
}

EventGaps::Writers PgEventLog::AskWriters(Session& session) {
  EventGaps::Writers writers;
  for (const auto row : session.Run("EventWriters")) writers.insert(row.Text());
  return writers;
}

void PgEventLog::Take(Session& session, int limit, Batch& batch) {
  const EventGaps::Writers before = gaps_.met() ? AskWriters(session) : EventGaps::Writers();
  const std::vector<std::int64_t> sequences = SequencesAfter(session, batch.settled, limit);
  std::size_t settled = 0;
  for (; settled < sequences.size(); ++settled) {
    if (sequences[settled] > batch.settled + 1) {
      // All of a run of missing ones were given out before the one behind them.
      batch.waiting = !gaps_.IsDead(batch.settled + 1, before, [&] { return AskWriters(session); });
      if (batch.waiting) break;
    }
    gaps_.Forget();  // it came after all, or is dead
    batch.settled = sequences[settled];
  }
  batch.events = Events(session, std::span(sequences).first(settled));
}

std::vector<EventRow> PgEventLog::Events(Session& session, std::span<const std::int64_t> sequences) {
  std::map<std::int64_t, EventRow> events;
  std::vector<std::int64_t> unknown;
  for (const std::int64_t sequence : sequences) {
    std::optional<EventRow> event = committed_ ? committed_->Take(sequence) : std::nullopt;
    event ? void(events.emplace(sequence, *std::move(event))) : unknown.push_back(sequence);
  }
  if (!unknown.empty()) {
    const auto most = std::to_string(unknown.back() - unknown.front() + 1);
    for (const auto row :
         session.Run("ReadEventsAfter", {std::to_string(unknown.front() - 1), std::to_string(unknown.back()), most})) {
      events.try_emplace(row.Int("sequence"), ReadEvent(row, session.cipher()));
    }
  }
  std::vector<EventRow> told;
  for (auto& [sequence, event] : events) told.push_back(std::move(event));
  return told;
}

// It begins at the newest sequence that was given out, once everyone is gone who had one up to there.
void PgEventLog::FindEnd(Session& session, Batch& batch) {
  if (!end_) {
    end_ = session.Run("EventBounds")[0].Int("newest_given_out");
    before_end_ = AskWriters(session);
  } else {
    const EventGaps::Writers writers = AskWriters(session);
    std::erase_if(before_end_, [&](const std::string& writer) { return !writers.contains(writer); });
  }
  batch.waiting = !before_end_.empty();
  batch.settled = *end_;
}

std::optional<EventLog::Batch> PgEventLog::TakeKept(int limit) {
  if (!committed_ || !settled_) return std::nullopt;
  Batch batch;
  batch.events = committed_->TakeRun(*settled_, static_cast<std::size_t>(limit));
  if (batch.events.empty()) return std::nullopt;
  gaps_.Forget();  // what was waited for has come
  settled_ = batch.settled = batch.events.back().sequence;
  return batch;
}

Result<EventLog::Batch> PgEventLog::Next(int limit) {
  if (auto kept = TakeKept(limit)) return *std::move(kept);
  Result<Batch> looked = Look(limit);
  if (!looked && committed_) committed_->ThereAreOthers();  // there may be, and nobody has looked
  return looked;
}

Result<EventLog::Batch> PgEventLog::Look(int limit) {
  if (!session_ || session_->broken()) {
    auto opened = Session::Open(url_, cipher_);
    if (!opened) return opened.error();
    session_ = *std::move(opened);
  }
  Batch batch;
  const SessionError error = session_->Transact(Session::Isolation::kEachAlone, [&](Session& s) {
    if (settled_) {
      batch.settled = *settled_;
      Take(s, limit, batch);
    } else {
      FindEnd(s, batch);
    }
    return true;
  });
  if (!error.ok()) {
    log_.Warn("events_not_read", {{"sqlstate", error.sqlstate}, {"error", error.detail}});
    return Error{ErrorKind::kUnavailable, "the database did not give the events", seconds(1)};
  }
  if (settled_ || !batch.waiting) settled_ = batch.settled;
  return batch;
}

}  // namespace baton
