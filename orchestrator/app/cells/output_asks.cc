#include "orchestrator/app/cells/output_asks.h"

#include <utility>

namespace baton {

std::optional<OutputAsk> OutputAsks::Begin(const CellId& cell, OutputAsk ask, Done done) {
  if (pending_.size() >= kMax) {
    done(Error{ErrorKind::kResourceExhausted, std::to_string(kMax) + " calls wait for output of cells: try again", {}});
    return std::nullopt;
  }
  ask.id = ++last_id_;
  pending_[ask.id] = {cell, std::move(done)};
  loop_.After(timeout_, [this, id = ask.id] { Expire(id); });
  return ask;
}

void OutputAsks::Answer(const CellId& cell, CellOutput output) {
  const auto at = pending_.find(output.id);
  if (at == pending_.end() || at->second.cell != cell) return;
  const Done done = std::move(at->second.done);
  pending_.erase(at);
  if (!output.error.empty()) return done(Error{ErrorKind::kFailedPrecondition, "cell " + cell.str() + ": " + output.error, {}});
  done(std::move(output));
}

void OutputAsks::EndAll(const std::string& why) {
  for (const auto& [id, pending] : std::exchange(pending_, {})) pending.done(Error{ErrorKind::kUnavailable, why, {}});
}

void OutputAsks::Expire(std::uint64_t id) {
  const auto at = pending_.find(id);
  if (at == pending_.end()) return;
  const Pending pending = std::move(at->second);
  pending_.erase(at);
  pending.done(
      Error{ErrorKind::kFailedPrecondition,
            "cell " + pending.cell.str() + " did not answer within " + std::to_string(Millis(timeout_)) + " ms",
            {}});
}

}  // namespace baton
