#include "tools/logging/json_log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/logging/line_rate.h"
#include "tools/words/times.h"

namespace baton {
namespace {

constexpr std::int64_t kLinesASecond = 1000;  // of one event

std::string Now() { return Utc(std::chrono::floor<Duration>(std::chrono::system_clock::now())); }

std::string_view Name(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return "debug";
    case LogLevel::kInfo: return "info";
    case LogLevel::kWarn: return "warn";
    case LogLevel::kError: return "error";
  }
  return "error";
}

}  // namespace

struct JsonLog::Impl {
  std::string program;
  LogLevel least;
  LogPrefix prefix;
  std::shared_ptr<spdlog::logger> logger;
  LineRate rate{kLinesASecond};

  void Write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) const {
    nlohmann::ordered_json line;
    line["ts"] = Now();
    line["level"] = Name(level);
    line["program"] = program;
    line["event"] = event;
    for (const LogField& field : fields) {
      if (field.key.empty()) continue;
      std::visit([&](const auto& value) { line[std::string(field.key)] = value; }, field.value);
    }
    // Bytes that are no UTF-8 are replaced: a log line must never be the thing that fails.
    logger->info(std::string(PrefixOf(prefix, level)) +
                 line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }
  void PutDropped(std::string_view event, std::int64_t lines) const {
    Write(LogLevel::kWarn, "log_lines_dropped", {{"of", event}, {"lines", lines}});
  }
};

JsonLog::JsonLog(std::string_view program, LogLevel least, LogPrefix prefix) : impl_(std::make_unique<Impl>()) {
  impl_->program = program;
  impl_->least = least;
  impl_->prefix = prefix;
  impl_->logger = std::make_shared<spdlog::logger>("json", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  impl_->logger->set_pattern("%v");  // the line is whole already
  impl_->logger->set_level(spdlog::level::trace);
  impl_->logger->flush_on(spdlog::level::trace);
}

JsonLog::~JsonLog() {
  for (const auto& [event, lines] : impl_->rate.TakeDropped()) impl_->PutDropped(event, lines);
}

void JsonLog::Write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (level < impl_->least) return;
  const LineRate::Answer rate = impl_->rate.Ask(event, std::chrono::steady_clock::now());
  if (!rate.may) return;
  if (rate.dropped > 0) impl_->PutDropped(event, rate.dropped);
  impl_->Write(level, event, fields);
}

}  // namespace baton
