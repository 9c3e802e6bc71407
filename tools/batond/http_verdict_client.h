// Verdicts over HTTP, by libcurl: one thread for all questions.
#pragma once

#include <curl/curl.h>

#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "orchestrator/model/calls/allowed_hosts.h"
#include "orchestrator/ports/verdict_client.h"

namespace baton::batond {

class HttpVerdictClient final : public VerdictClient {
 public:
  explicit HttpVerdictClient(AllowedHosts allowed);
  // Questions under way are dropped.
  ~HttpVerdictClient() override;

  void Ask(const VerdictQuestion& question, std::function<void(VerdictAnswer)> done) override;
  void Stop();
  // Whether it would ask there, as far as that is known before the name is looked up. The error says nothing of the address
  // but its host: the rest may be a secret.
  Status MayAsk(const std::string& url) const;

 private:
  struct Transfer;
  void Run();
  void Begin(Transfer& transfer);
  void End(CURL* easy, CURLcode code);

  const AllowedHosts allowed_;
  CURLM* multi_;
  std::mutex mutex_;
  bool stopping_ = false;
  std::vector<std::unique_ptr<Transfer>> asked_;    // not begun
  std::list<std::unique_ptr<Transfer>> under_way_;  // of the thread
  std::thread thread_;
};

// What an answer means: 200 with {"verdict": "promote" | "wait" | "fail", "reason": "..."}. Everything else is to wait,
// and says why.
VerdictAnswer ReadVerdict(long status, const std::string& body);

}  // namespace baton::batond
