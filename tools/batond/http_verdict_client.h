// Verdicts over HTTP, by libcurl: one thread for all questions.
#pragma once

#include <functional>
#include <string>

#include "orchestrator/model/calls/allowed_hosts.h"
#include "orchestrator/ports/verdict_client.h"
#include "tools/http_client/curl_loop.h"

namespace baton::batond {

class HttpVerdictClient final : public VerdictClient {
 public:
  explicit HttpVerdictClient(AllowedHosts allowed);

  void Ask(const VerdictQuestion& question, std::function<void(VerdictAnswer)> done) override;
  // Questions under way are dropped.
  void Stop() { loop_.Stop(); }
  // Whether it would ask there, as far as that is known before the name is looked up. The error says nothing of the address
  // but its host: the rest may be a secret.
  Status MayAsk(const std::string& url) const;

 private:
  const AllowedHosts allowed_;
  CurlLoop loop_;  // the last: what is under way looks at whom it may ask
};

// What an answer means: 200 with {"verdict": "promote" | "wait" | "fail", "reason": "..."}. Everything else is to wait,
// and says why.
VerdictAnswer ReadVerdict(long status, const std::string& body);

}  // namespace baton::batond
