#include "tools/cell/health/prober.h"

#include <curl/curl.h>

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "orchestrator/base/check.h"

namespace baton::cell {
namespace {

struct Probing {
  CheckSpec spec;
  Prober::OnResult on_result;
};

std::size_t DropBody(const char*, std::size_t size, std::size_t count, void*) { return size * count; }

CURL* MakeEasy(const CheckSpec& spec, const std::string& address) {
  CURL* easy = curl_easy_init();
  CHECK(easy != nullptr);
  const bool http = spec.kind == CheckSpec::Kind::kHttp;
  const std::string path = !http ? "/" : spec.path.starts_with('/') ? spec.path : "/" + spec.path;
  const std::string url = "http://" + address + ":" + std::to_string(spec.port) + path;
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(spec.timeout.count()));
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);  // an old connection would prove nothing about the listener
  curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "baton-cell");
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, DropBody);
  if (!http) curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
  return easy;
}

CheckResult ResultOf(CURL* easy, CURLcode code, const CheckSpec& spec) {
  if (code != CURLE_OK) return {false, curl_easy_strerror(code)};
  if (spec.kind == CheckSpec::Kind::kTcp) return {true, ""};
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return {status == 200, status == 200 ? "" : "answered " + std::to_string(status)};
}

}  // namespace

class Prober::Thread {
 public:
  Thread(shim::EventLoop& loop, std::string address)
      : loop_(loop), address_(std::move(address)), multi_(curl_multi_init()), thread_([this] { Serve(); }) {}

  ~Thread() {
    *alive_ = false;
    stopped_ = true;
    curl_multi_wakeup(multi_);
    thread_.join();
    for (auto& [easy, probing] : under_way_) {
      curl_multi_remove_handle(multi_, easy);
      curl_easy_cleanup(easy);
    }
    curl_multi_cleanup(multi_);
  }

  void Add(Probing probing) {
    {
      const std::lock_guard lock(mutex_);
      added_.push_back(std::move(probing));
    }
    curl_multi_wakeup(multi_);
  }

 private:
  void Serve() {
    while (!stopped_) {
      BeginAdded();
      int running = 0;
      curl_multi_perform(multi_, &running);
      TakeDone();
      // Woken by sockets, curl's own timeouts, Add and the end.
      curl_multi_poll(multi_, nullptr, 0, 60'000, nullptr);
    }
  }

  void BeginAdded() {
    std::vector<Probing> added;
    {
      const std::lock_guard lock(mutex_);
      added.swap(added_);
    }
    for (Probing& probing : added) {
      CURL* easy = MakeEasy(probing.spec, address_);
      curl_multi_add_handle(multi_, easy);
      under_way_[easy] = std::move(probing);
    }
  }

  void TakeDone() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL* easy = message->easy_handle;
      auto node = under_way_.extract(easy);
      CheckResult result = ResultOf(easy, message->data.result, node.mapped().spec);
      curl_multi_remove_handle(multi_, easy);
      curl_easy_cleanup(easy);
      loop_.Post([alive = alive_, on_result = std::move(node.mapped().on_result), result = std::move(result)] {
        if (*alive) on_result(result);
      });
    }
  }

  shim::EventLoop& loop_;
  std::string address_;
  CURLM* multi_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // read and written by the loop's thread only
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;  // guards added_
  std::vector<Probing> added_;
  std::map<CURL*, Probing> under_way_;
  std::thread thread_;
};

Prober::Prober(shim::EventLoop& loop, std::string address)
    : thread_(std::make_unique<Thread>(loop, std::move(address))) {}
Prober::~Prober() = default;

void Prober::Probe(const CheckSpec& spec, OnResult on_result) { thread_->Add({spec, std::move(on_result)}); }

}  // namespace baton::cell
