// The log as JSON lines on stderr: {"ts":"2026-01-01T12:00:00.000001Z","level":"info","event":"...", fields...}.
#pragma once

#include <memory>
#include <string_view>

#include "orchestrator/ports/log.h"
#include "tools/logging/log_prefix.h"

namespace baton {

class JsonLog final : public Log {
 public:
  // `program` is in each line. Lines below `least` are dropped, and so are those of one event beyond 1,000 a second: a line
  // `log_lines_dropped` counts them.
  JsonLog(std::string_view program, LogLevel least, LogPrefix prefix = LogPrefix::kNone);
  ~JsonLog() override;
  void Write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace baton
