#include "tools/batond/http_verdict_client.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "orchestrator/model/calls/socket_address.h"

namespace baton::batond {
namespace {

constexpr std::size_t kBodyMax = 8 << 10;
constexpr std::size_t kReasonMax = 500;
constexpr int kPollMs = 1000;
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

}  // namespace

struct HttpVerdictClient::Transfer {
  VerdictQuestion question;
  std::function<void(VerdictAnswer)> done;
  const AllowedHosts* allowed = nullptr;
  Place place;
  bool led_elsewhere = false;  // its name, to an address that is not to be asked
  std::string request;
  std::string answer;
  char error[CURL_ERROR_SIZE] = "";
  std::unique_ptr<CURL, void (*)(CURL*)> easy{nullptr, curl_easy_cleanup};
  std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers{nullptr, curl_slist_free_all};

  // Asked for each address just before it is connected to: what a name led to when it was checked may be another one now.
  static curl_socket_t Open(void* self, curlsocktype, curl_sockaddr* to) {
    Transfer& t = *static_cast<Transfer*>(self);
    const auto address = IpAddressOf(to->addr);
    if (!address || !t.allowed->MayConnect(t.place.host, t.place.port, *address)) {
      t.led_elsewhere = true;
      return CURL_SOCKET_BAD;
    }
    return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
  }

  static std::size_t Take(const char* data, std::size_t size, std::size_t count, void* self) {
    std::string& answer = static_cast<Transfer*>(self)->answer;
    if (answer.size() + size * count > kBodyMax) return 0;  // the transfer fails
    answer.append(data, size * count);
    return size * count;
  }
};

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

HttpVerdictClient::HttpVerdictClient(AllowedHosts allowed) : allowed_(std::move(allowed)) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  multi_ = curl_multi_init();
  curl_multi_setopt(multi_, CURLMOPT_MAX_TOTAL_CONNECTIONS, kTotalMax);
  curl_multi_setopt(multi_, CURLMOPT_MAX_HOST_CONNECTIONS, kHostMax);
  thread_ = std::thread([this] { Run(); });
}

HttpVerdictClient::~HttpVerdictClient() {
  Stop();
  for (const auto& transfer : under_way_) curl_multi_remove_handle(multi_, transfer->easy.get());
  under_way_.clear();
  curl_multi_cleanup(multi_);
}

void HttpVerdictClient::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  curl_multi_wakeup(multi_);
  if (thread_.joinable()) thread_.join();
}

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
  auto transfer = std::make_unique<Transfer>();
  transfer->question = question;
  transfer->done = std::move(done);
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::move(transfer));
  }
  curl_multi_wakeup(multi_);
}

void HttpVerdictClient::Begin(Transfer& t) {
  t.request = BodyOf(t.question);
  t.allowed = &allowed_;
  t.place = *PlaceOf(t.question.url);
  t.easy.reset(curl_easy_init());
  t.headers.reset(curl_slist_append(nullptr, "Content-Type: application/json"));
  CURL* easy = t.easy.get();
  curl_easy_setopt(easy, CURLOPT_URL, t.question.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, t.headers.get());
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, t.request.c_str());
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(t.request.size()));
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(Millis(t.question.timeout)));
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &Transfer::Open);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &t);
  curl_easy_setopt(easy, CURLOPT_PROXY, "");  // whatever the environment says: it would look the name up by itself
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
  curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "batond");
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, t.error);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Transfer::Take);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &t);
  curl_multi_add_handle(multi_, easy);
}

void HttpVerdictClient::End(CURL* easy, CURLcode code) {
  const auto at = std::ranges::find(under_way_, easy, [](const auto& transfer) { return transfer->easy.get(); });
  const std::unique_ptr<Transfer> transfer = std::move(*at);
  under_way_.erase(at);
  curl_multi_remove_handle(multi_, easy);
  if (code != CURLE_OK && transfer->led_elsewhere) {
    return transfer->done({Verdict::kWait, "not asked: " + transfer->place.host +
                                               " leads to an address that this batond may not ask (batond --verdict-allow)"});
  }
  if (code != CURLE_OK) {
    const std::string why = transfer->error[0] != '\0' ? transfer->error : curl_easy_strerror(code);
    return transfer->done({Verdict::kWait, "no answer: " + Sentence(why)});
  }
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  transfer->done(ReadVerdict(status, transfer->answer));
}

void HttpVerdictClient::Run() {
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
      for (auto& transfer : asked_) {
        Begin(*transfer);
        under_way_.push_back(std::move(transfer));
      }
      asked_.clear();
    }
    int running = 0;
    curl_multi_perform(multi_, &running);
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg == CURLMSG_DONE) End(message->easy_handle, message->data.result);
    }
    curl_multi_poll(multi_, nullptr, 0, kPollMs, nullptr);
  }
}

}  // namespace baton::batond
