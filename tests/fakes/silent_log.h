// A log for tests that look elsewhere.
#pragma once

#include "orchestrator/ports/log.h"

namespace baton {

class SilentLog final : public Log {
 public:
  void Write(LogLevel, std::string_view, std::initializer_list<LogField>) override {}
};

}  // namespace baton
