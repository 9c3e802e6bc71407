#include "examples/hello/options.h"

#include <charconv>
#include <stdexcept>

namespace baton::examples {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

std::optional<std::string> Text(const Environment& environment, const char* name) {
  const char* value = environment(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

struct Range {
  std::int64_t least;
  std::int64_t most;
};

std::optional<std::int64_t> Number(const Environment& environment, const char* name, Range range) {
  const std::optional<std::string> text = Text(environment, name);
  if (!text) return std::nullopt;
  std::int64_t number = 0;
  const char* end = text->data() + text->size();
  const auto [stopped_at, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc() || stopped_at != end || number < range.least || number > range.most) {
    throw std::invalid_argument(std::string(name) + " is '" + *text + "'; it can be a number from " +
                                std::to_string(range.least) + " to " + std::to_string(range.most));
  }
  return number;
}

std::chrono::milliseconds Delay(const Environment& environment, const char* name) {
  return std::chrono::milliseconds(Number(environment, name, {0, kDayMs}).value_or(0));
}

}  // namespace

HelloOptions ReadHelloOptions(const Environment& environment) {
  HelloOptions options;
  options.bind = Text(environment, "BIND").value_or(Text(environment, "CF_INSTANCE_INTERNAL_IP").value_or(options.bind));
  options.port = static_cast<std::uint16_t>(Number(environment, "PORT", {0, 65535}).value_or(options.port));
  options.index = static_cast<int>(Number(environment, "CF_INSTANCE_INDEX", {0, 1'000'000}).value_or(options.index));
  options.instance = Text(environment, "CF_INSTANCE_GUID").value_or(options.instance);
  options.version = Text(environment, "VERSION").value_or(options.version);
  options.start_delay = Delay(environment, "START_DELAY_MS");
  options.answer_delay = Delay(environment, "ANSWER_DELAY_MS");
  if (const auto after = Number(environment, "CRASH_AFTER_MS", {0, kDayMs})) {
    options.crash_after = std::chrono::milliseconds(*after);
  }
  options.crash_code = static_cast<int>(Number(environment, "CRASH_CODE", {0, 255}).value_or(options.crash_code));
  options.never_ready = Number(environment, "NEVER_READY", {0, 1}).value_or(0) == 1;
  return options;
}

std::string_view HelloHelp() {
  return R"(hello: a small HTTP app that says which version and instance of it answers.

It takes no arguments; everything comes from the environment.

As a Diego cell sets it:
  CF_INSTANCE_INTERNAL_IP  address to listen on, default 127.0.0.1
  PORT               port to listen on, default 8080; 0: any free one, named in the first log line
  CF_INSTANCE_INDEX  the instance's slot, default 0
  CF_INSTANCE_GUID   the instance's guid, default empty
Of its own:
  VERSION            what it calls itself, default "dev"
  BIND               another address to listen on
How it misbehaves, if asked to:
  START_DELAY_MS     it listens at once, but everything is answered with 503 for so long
  NEVER_READY=1      everything is answered with 503 for ever
  ANSWER_DELAY_MS    every answer comes so much later
  CRASH_AFTER_MS     it prints "crashing as asked ..." after so long and exits
  CRASH_CODE         the exit code of that, 0 to 255, default 1

  GET /              200 {"version":"v1","index":0,"instance":"...","pid":123}
  GET /slow?ms=800   the same after so many milliseconds, 0 to 60000, default 800
  GET /healthz       200 once it is ready

It never closes an idle connection. SIGTERM or SIGINT: it stops accepting, finishes the requests in flight, closes,
and exits with 0. One JSON line on stdout when it starts and one when it stops.
)";
}

}  // namespace baton::examples
