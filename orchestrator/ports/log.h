// Where the service and its programs say what they do: one event a line, with named fields.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace baton {

enum class LogLevel { kDebug, kInfo, kWarn, kError };

// One with an empty key is left out.
struct LogField {
  std::string_view key;
  std::variant<std::string_view, std::int64_t, double, bool> value;

  LogField(std::string_view k, std::string_view v) : key(k), value(v) {}
  LogField(std::string_view k, const std::string& v) : key(k), value(std::string_view(v)) {}
  LogField(std::string_view k, const char* v) : key(k), value(std::string_view(v)) {}
  LogField(std::string_view k, std::int64_t v) : key(k), value(v) {}
  LogField(std::string_view k, int v) : key(k), value(std::int64_t{v}) {}
  LogField(std::string_view k, std::size_t v) : key(k), value(static_cast<std::int64_t>(v)) {}
  LogField(std::string_view k, double v) : key(k), value(v) {}
  LogField(std::string_view k, bool v) : key(k), value(v) {}
};

// Of the call's trace, where it is of one.
inline LogField TraceField(std::string_view trace_id) {
  return trace_id.empty() ? LogField("", "") : LogField("trace_id", trace_id);
}

// Thread-safe. Never give it a secret: environment values, passwords, file contents.
class Log {
 public:
  virtual ~Log() = default;
  virtual void Write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) = 0;

  void Debug(std::string_view event, std::initializer_list<LogField> fields = {}) {
    Write(LogLevel::kDebug, event, fields);
  }
  void Info(std::string_view event, std::initializer_list<LogField> fields = {}) {
    Write(LogLevel::kInfo, event, fields);
  }
  void Warn(std::string_view event, std::initializer_list<LogField> fields = {}) {
    Write(LogLevel::kWarn, event, fields);
  }
  void Error(std::string_view event, std::initializer_list<LogField> fields = {}) {
    Write(LogLevel::kError, event, fields);
  }
};

}  // namespace baton
