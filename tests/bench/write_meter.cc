#include "tests/bench/write_meter.h"

namespace baton::bench {
namespace {

// A commit that nobody shares a thousand calls with: a read's few are the leader's own.
constexpr std::int64_t kMostCallsACommit = 1000;

}  // namespace

WriteMeter::WriteMeter(Number number)
    : number_(std::move(number)),
      counts_statements_(number_("SELECT (current_setting('shared_preload_libraries') LIKE '%pg_stat_statements%')::int") != 0),
      commits_(Commits()), statements_(Statements()) {}

// Who writes takes one transaction id; who only reads takes none.
std::int64_t WriteMeter::Commits() const {
  return number_("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
}

std::optional<std::int64_t> WriteMeter::Statements() const {
  if (!counts_statements_) return std::nullopt;
  number_("CREATE EXTENSION IF NOT EXISTS pg_stat_statements; SELECT 0");
  return number_("SELECT sum(calls)::bigint FROM pg_stat_statements");
}

void WriteMeter::Put(Figure& figure, std::int64_t operations) const {
  const std::int64_t commits = Commits() - commits_;
  if (commits * kMostCallsACommit < operations) return;
  figure.calls_per_commit = static_cast<double>(operations) / static_cast<double>(commits);
  if (statements_) figure.statements_per_call = static_cast<double>(*Statements() - *statements_) / static_cast<double>(operations);
}

}  // namespace baton::bench
