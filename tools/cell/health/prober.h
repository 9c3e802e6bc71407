// TCP and HTTP checks: many at once, in one thread of its own; results come to the loop.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tools/cell/health/health_law.h"
#include "tools/http_client/curl_loop.h"
#include "tools/shim/event_loop.h"

namespace baton::cell {

class Prober {
 public:
  using OnResult = std::function<void(CheckResult)>;

  // Instances are asked at `address`.
  Prober(shim::EventLoop& loop, std::string address);
  // Results that are not there yet never come.
  ~Prober();

  // kTcp: a connection is accepted in time. kHttp: GET answers 200 in time; redirects are not followed.
  void Probe(const CheckSpec& spec, OnResult on_result);

 private:
  shim::EventLoop& loop_;
  const std::string address_;
  // The loop's thread alone reads and writes it.
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  CurlLoop transfers_;
};

}  // namespace baton::cell
