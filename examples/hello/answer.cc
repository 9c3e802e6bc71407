#include "examples/hello/answer.h"

#include <unistd.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

namespace baton::examples {
namespace {

constexpr int kMostSlowMs = 60'000;

std::string Introduction(const HelloOptions& options) {
  nlohmann::ordered_json body;
  body["version"] = options.version;
  body["index"] = options.index;
  body["instance"] = options.instance;
  body["pid"] = getpid();
  return body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Answer Refusal(http::status status, std::string_view why) {
  return {.status = status, .body = nlohmann::json{{"error", why}}.dump() + "\n"};
}

// "ms=800" -> 800; nothing if it is anything else.
std::optional<int> SlowMs(std::string_view query) {
  constexpr std::string_view kName = "ms=";
  if (query.empty()) return 800;
  if (!query.starts_with(kName)) return std::nullopt;
  query.remove_prefix(kName.size());
  int ms = 0;
  const auto [end, error] = std::from_chars(query.data(), query.data() + query.size(), ms);
  if (error != std::errc() || end != query.data() + query.size() || ms < 0 || ms > kMostSlowMs) return std::nullopt;
  return ms;
}

Answer DecideWithoutDelay(const HelloState& state, http::verb method, std::string_view target) {
  const std::size_t mark = target.find('?');
  const std::string_view path = target.substr(0, mark);
  const std::string_view query = mark == target.npos ? "" : target.substr(mark + 1);
  if (path != "/" && path != "/slow" && path != "/healthz") return Refusal(http::status::not_found, "no such path");
  if (method != http::verb::get && method != http::verb::head) {
    return Refusal(http::status::method_not_allowed, "only GET and HEAD");
  }
  if (!state.ready) return Refusal(http::status::service_unavailable, "not ready");
  if (path == "/healthz") return {.body = "{\"ready\":true}\n"};
  Answer answer{.body = Introduction(state.options)};
  if (path == "/slow") {
    const std::optional<int> ms = SlowMs(query);
    if (!ms) return Refusal(http::status::bad_request, "the query can be ms=0 to ms=60000");
    answer.wait = std::chrono::milliseconds(*ms);
  }
  return answer;
}

}  // namespace

Answer DecideAnswer(const HelloState& state, http::verb method, std::string_view target) {
  Answer answer = DecideWithoutDelay(state, method, target);
  answer.wait += state.options.answer_delay;
  return answer;
}

}  // namespace baton::examples
