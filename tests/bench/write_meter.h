// What PostgreSQL was made to do for a row of the bench, beside its CPU: transactions that wrote, and statements.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tests/bench/figure.h"

namespace baton::bench {

// From its making on. Of the whole server, as the CPU is.
class WriteMeter {
 public:
  using Number = std::function<std::int64_t(const std::string& query)>;
  explicit WriteMeter(Number number);
  // Calls a commit, where `operations` wrote at all. Statements a call, where the server counts them: that takes CPU
  // of its own, so it is asked for (--postgres shared_preload_libraries=pg_stat_statements).
  void Put(Figure& figure, std::int64_t operations) const;

 private:
  std::int64_t Commits() const;
  std::optional<std::int64_t> Statements() const;

  const Number number_;
  const bool counts_statements_;
  const std::int64_t commits_;
  const std::optional<std::int64_t> statements_;
};

}  // namespace baton::bench
