#include "tools/http_client/curl_loop.h"

#include <utility>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

// Sockets, libcurl's own times, Add and Stop wake it before.
constexpr int kPollMs = 60'000;

CURLM* MakeMulti(CurlLoop::Limits limits) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM* multi = curl_multi_init();
  CHECK(multi != nullptr);
  curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.total);
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, limits.host);
  return multi;
}

CURL* MakeEasy() {
  CURL* easy = curl_easy_init();
  CHECK(easy != nullptr);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROXY, "");          // whatever the environment says: it would look names up by itself
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);  // an old connection would prove nothing about the listener
  curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);  // else its end waits for the resolver, and with it all the others
  return easy;
}

}  // namespace

CurlLoop::CurlLoop(Limits limits)
    : multi_(MakeMulti(limits)), thread_([this](const std::stop_token& stopped) { Run(stopped); }) {}

CurlLoop::~CurlLoop() {
  Stop();
  for (const auto& [easy, under_way] : under_way_) curl_multi_remove_handle(multi_, easy);
  under_way_.clear();
  curl_multi_cleanup(multi_);
}

void CurlLoop::Stop() {
  thread_.request_stop();
  curl_multi_wakeup(multi_);
  if (thread_.joinable()) thread_.join();
}

void CurlLoop::Add(std::unique_ptr<CurlTransfer> transfer) {
  {
    const std::lock_guard lock(mutex_);
    added_.push_back(std::move(transfer));
  }
  curl_multi_wakeup(multi_);
}

void CurlLoop::Run(const std::stop_token& stopped) {
  while (!stopped.stop_requested()) {
    BeginAdded();
    int running = 0;
    curl_multi_perform(multi_, &running);
    EndDone();
    curl_multi_poll(multi_, nullptr, 0, kPollMs, nullptr);
  }
}

void CurlLoop::BeginAdded() {
  std::vector<std::unique_ptr<CurlTransfer>> added;
  {
    const std::lock_guard lock(mutex_);
    added.swap(added_);
  }
  for (auto& transfer : added) {
    CURL* easy = MakeEasy();
    transfer->Begin(easy);
    curl_multi_add_handle(multi_, easy);
    under_way_.emplace(easy, UnderWay{std::move(transfer), {easy, curl_easy_cleanup}});
  }
}

void CurlLoop::EndDone() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* easy = message->easy_handle;
    const CURLcode code = message->data.result;  // the message is gone with the handle
    const auto node = under_way_.extract(easy);
    curl_multi_remove_handle(multi_, easy);
    node.mapped().transfer->End(easy, code);
  }
}

}  // namespace baton
