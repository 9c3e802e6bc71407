// Reads the end of the event outbox from PostgreSQL, on a connection of its own.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/ports/event_log.h"
#include "orchestrator/ports/log.h"
#include "sql/read/event_gaps.h"
#include "sql/session/session.h"
#include "sql/store/committed_events.h"

namespace baton {

class PgEventLog final : public EventLog {
 public:
  // `committed` null: all are read from the table.
  PgEventLog(std::string url, Log& log, const Cipher& cipher = PlainCipher(), CommittedEvents* committed = nullptr)
      : url_(std::move(url)), log_(log), cipher_(cipher), committed_(committed) {
    if (committed_) committed_->Clear();
  }
  Result<Batch> Next(int limit) override;

 private:
  EventGaps::Writers AskWriters(Session& session);
  void FindEnd(Session& session, Batch& batch);
  // From memory alone, where that is enough.
  std::optional<Batch> TakeKept(int limit);
  Result<Batch> Look(int limit);
  void Take(Session& session, int limit, Batch& batch);
  // The events of these sequences, which rise.
  std::vector<EventRow> Events(Session& session, std::span<const std::int64_t> sequences);

  std::string url_;
  Log& log_;
  const Cipher& cipher_;
  CommittedEvents* const committed_;
  std::unique_ptr<Session> session_;
  std::optional<std::int64_t> settled_;  // nothing: the end was not found yet
  std::optional<std::int64_t> end_;
  EventGaps::Writers before_end_;
  EventGaps gaps_;
};

// A row of ReadEventsAfter.
EventRow ReadEvent(const Rows::Row& row, const Cipher& cipher);

}  // namespace baton
