#include "tools/cell/health/prober.h"

#include <utility>

namespace baton::cell {
namespace {

std::size_t DropBody(const char*, std::size_t size, std::size_t count, void*) { return size * count; }

class ProbeTransfer final : public CurlTransfer {
 public:
  ProbeTransfer(CheckSpec spec, const std::string& address, shim::EventLoop& loop, std::shared_ptr<bool> alive,
                Prober::OnResult on_result)
      : spec_(std::move(spec)), address_(address), loop_(loop), alive_(std::move(alive)),
        on_result_(std::move(on_result)) {}

  void Begin(CURL* easy) override {
    const bool http = spec_.kind == CheckSpec::Kind::kHttp;
    const std::string path = !http ? "/" : spec_.path.starts_with('/') ? spec_.path : "/" + spec_.path;
    const std::string url = "http://" + address_ + ":" + std::to_string(spec_.port) + path;
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(spec_.timeout.count()));
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "baton-cell");
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, DropBody);
    if (!http) curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
  }

  void End(CURL* easy, CURLcode code) override {
    loop_.Post([alive = std::move(alive_), on_result = std::move(on_result_), result = ResultOf(easy, code)] {
      if (*alive) on_result(result);
    });
  }

 private:
  CheckResult ResultOf(CURL* easy, CURLcode code) const {
    if (code != CURLE_OK) return {false, curl_easy_strerror(code)};
    if (spec_.kind == CheckSpec::Kind::kTcp) return {true, ""};
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return {status == 200, status == 200 ? "" : "answered " + std::to_string(status)};
  }

  const CheckSpec spec_;
  const std::string address_;
  shim::EventLoop& loop_;
  std::shared_ptr<bool> alive_;
  Prober::OnResult on_result_;
};

}  // namespace

Prober::Prober(shim::EventLoop& loop, std::string address)
    : loop_(loop), address_(std::move(address)), transfers_({}) {}

Prober::~Prober() { *alive_ = false; }

void Prober::Probe(const CheckSpec& spec, OnResult on_result) {
  transfers_.Add(std::make_unique<ProbeTransfer>(spec, address_, loop_, alive_, std::move(on_result)));
}

}  // namespace baton::cell
