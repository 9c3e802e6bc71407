#include "tools/batond/http_verdict_client.h"

#include <sys/socket.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/model/calls/socket_address.h"
#include "orchestrator/model/calls/wire_names.h"

namespace baton::batond {
namespace {

constexpr std::size_t kBodyMax = 8 << 10;
constexpr std::size_t kReasonMax = 500;
constexpr long kConnectMs = 5000;
constexpr long kTotalMax = 16;  // connections at a time: one that hangs must not be the only one that is asked
constexpr long kHostMax = 2;

std::string BodyOf(const VerdictQuestion& q) {
  return nlohmann::json{{"process_guid", q.guid.str()}, {"roll_id", q.roll_id.str()}, {"stage", q.stage},
                        {"stages", q.stages},           {"source", q.source.str()},   {"target", q.target.str()},
                        {"instances", q.instances},     {"updated", q.updated}}
      .dump();
}

// What may be kept and shown: printable, and not too long.
std::string Sentence(std::string text) {
  if (text.size() > kReasonMax) text.resize(kReasonMax);
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c > 0x7E; }, '?');
  return text;
}

// Where a URL leads, as libcurl reads it.
struct Place {
  std::string host;  // without brackets
  int port = 0;
  bool has_user = false;
};
std::optional<Place> PlaceOf(const std::string& url) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> parsed(curl_url(), curl_url_cleanup);
  if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return std::nullopt;
  const auto part = [&](CURLUPart which) {
    char* text = nullptr;
    std::string taken;
    if (curl_url_get(parsed.get(), which, &text, CURLU_DEFAULT_PORT) == CURLUE_OK && text) taken = text;
    curl_free(text);
    return taken;
  };
  Place place{part(CURLUPART_HOST), std::atoi(part(CURLUPART_PORT).c_str()),
              !part(CURLUPART_USER).empty() || !part(CURLUPART_PASSWORD).empty()};
  if (place.host.starts_with('[') && place.host.ends_with(']')) place.host = place.host.substr(1, place.host.size() - 2);
  return place;
}

class VerdictTransfer final : public CurlTransfer {
 public:
  VerdictTransfer(const VerdictQuestion& question, const AllowedHosts& allowed, Place place,
                  std::function<void(VerdictAnswer)> done)
      : url_(question.url), request_(BodyOf(question)), trace_(question.trace),
        timeout_ms_(static_cast<long>(Millis(question.timeout))), allowed_(allowed), place_(std::move(place)),
        done_(std::move(done)) {}

  void Begin(CURL* easy) override {
    headers_.reset(curl_slist_append(nullptr, "Content-Type: application/json"));
    if (!trace_.empty()) {
      curl_slist_append(headers_.get(), (std::string(kTraceParentKey) + ": " + trace_.text()).c_str());
    }
    curl_easy_setopt(easy, CURLOPT_URL, url_.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_.get());
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request_.c_str());
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(request_.size()));
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, timeout_ms_);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &VerdictTransfer::Open);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "batond");
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &VerdictTransfer::Take);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  }

  void End(CURL* easy, CURLcode code) override {
    if (code != CURLE_OK && led_elsewhere_) {
      return done_({Verdict::kWait, "not asked: " + place_.host +
                                        " leads to an address that this batond may not ask (batond --verdict-allow)"});
    }
    if (code != CURLE_OK) {
      const std::string why = error_[0] != '\0' ? error_ : curl_easy_strerror(code);
      return done_({Verdict::kWait, "no answer: " + Sentence(why)});
    }
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    done_(ReadVerdict(status, answer_));
  }

 private:
  // Asked for each address just before it is connected to: what a name led to when it was checked may be another one now.
  static curl_socket_t Open(void* self, curlsocktype, curl_sockaddr* to) {
    VerdictTransfer& t = *static_cast<VerdictTransfer*>(self);
    const auto address = IpAddressOf(to->addr);
    if (!address || !t.allowed_.MayConnect(t.place_.host, t.place_.port, *address)) {
      t.led_elsewhere_ = true;
      return CURL_SOCKET_BAD;
    }
    return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
  }

  static std::size_t Take(const char* data, std::size_t size, std::size_t count, void* self) {
    std::string& answer = static_cast<VerdictTransfer*>(self)->answer_;
    if (answer.size() + size * count > kBodyMax) return 0;  // the transfer fails
    answer.append(data, size * count);
    return size * count;
  }

  const std::string url_;
  const std::string request_;
  const TraceParent trace_;
  const long timeout_ms_;
  const AllowedHosts& allowed_;
  const Place place_;
  const std::function<void(VerdictAnswer)> done_;
  bool led_elsewhere_ = false;  // its name, to an address that is not to be asked
  std::string answer_;
  char error_[CURL_ERROR_SIZE] = "";
  std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers_{nullptr, curl_slist_free_all};
};

}  // namespace

VerdictAnswer ReadVerdict(long status, const std::string& body) {
  if (status != 200) return {Verdict::kWait, "it answered " + std::to_string(status) + ", not 200"};
  const auto json = nlohmann::json::parse(body, nullptr, /*allow_exceptions=*/false);
  const auto text = [&](const char* name) {
    return json.is_object() && json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : "";
  };
  const std::string verdict = text("verdict");
  const std::string reason = Sentence(text("reason").empty() ? "no reason is given" : text("reason"));
  if (verdict == "promote") return {Verdict::kPromote, reason};
  if (verdict == "fail") return {Verdict::kFail, reason};
  if (verdict == "wait") return {Verdict::kWait, "wait: " + reason};
  return {Verdict::kWait, "its answer has no verdict of promote, wait or fail"};
}

HttpVerdictClient::HttpVerdictClient(AllowedHosts allowed)
    : allowed_(std::move(allowed)), loop_({kTotalMax, kHostMax}) {}

Status HttpVerdictClient::MayAsk(const std::string& url) const {
  const auto place = PlaceOf(url);
  if (!place) return Error{ErrorKind::kInvalidArgument, "it is no URL", {}};
  if (place->has_user) return Error{ErrorKind::kInvalidArgument, "it has a user or a password, and batond sends none", {}};
  if (allowed_.MayAsk(place->host, place->port)) return Done{};
  return Error{ErrorKind::kFailedPrecondition,
               place->host + ":" + std::to_string(place->port) + " is none that this batond may ask (batond --verdict-allow)",
               {}};
}

void HttpVerdictClient::Ask(const VerdictQuestion& question, std::function<void(VerdictAnswer)> done) {
  if (const Status may = MayAsk(question.url); !may) return done({Verdict::kWait, "not asked: " + may.error().message});
  loop_.Add(std::make_unique<VerdictTransfer>(question, allowed_, *PlaceOf(question.url), std::move(done)));
}

}  // namespace baton::batond
