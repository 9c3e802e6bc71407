#include "tools/logging/json_log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

namespace baton {
namespace {

std::string Now() {
  using namespace std::chrono;
  const auto now = floor<microseconds>(system_clock::now());
  const auto day = floor<days>(now);
  const year_month_day date{day};
  const hh_mm_ss time{now - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", int(date.year()), unsigned(date.month()),
                     unsigned(date.day()), time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

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
  std::shared_ptr<spdlog::logger> logger;
};

JsonLog::JsonLog(std::string_view program, LogLevel least) : impl_(std::make_unique<Impl>()) {
  impl_->program = program;
  impl_->least = least;
  impl_->logger = std::make_shared<spdlog::logger>("json", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  impl_->logger->set_pattern("%v");  // the line is whole already
  impl_->logger->set_level(spdlog::level::trace);
  impl_->logger->flush_on(spdlog::level::trace);
}

JsonLog::~JsonLog() = default;

void JsonLog::Write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (level < impl_->least) return;
  nlohmann::ordered_json line;
  line["ts"] = Now();
  line["level"] = Name(level);
  line["program"] = impl_->program;
  line["event"] = event;
  for (const LogField& field : fields) {
    std::visit([&](const auto& value) { line[std::string(field.key)] = value; }, field.value);
  }
  // Bytes that are no UTF-8 are replaced: a log line must never be the thing that fails.
  impl_->logger->info(line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace baton
