// A log for tests that look into it.
#pragma once

#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "orchestrator/ports/log.h"

namespace baton {

class LoggedLines final : public Log {
 public:
  using Line = std::map<std::string, std::string>;  // its fields as text, the event as "event"

  void Write(LogLevel, std::string_view event, std::initializer_list<LogField> fields) override {
    Line line{{"event", std::string(event)}};
    for (const LogField& field : fields) {
      if (field.key.empty()) continue;
      std::ostringstream text;
      std::visit([&text](const auto& value) { text << value; }, field.value);
      line[std::string(field.key)] = text.str();
    }
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
  }
  // Those so far that have all of these fields with these values.
  std::vector<Line> With(const Line& fields) const {
    const std::lock_guard lock(mutex_);
    std::vector<Line> found;
    for (const Line& line : lines_) {
      bool all = true;
      for (const auto& [key, value] : fields) {
        const auto at = line.find(key);
        all = all && at != line.end() && at->second == value;
      }
      if (all) found.push_back(line);
    }
    return found;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Line> lines_;
};

}  // namespace baton
